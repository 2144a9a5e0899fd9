"""From an instruction to its regions: what narrows it first, then what it names."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.locate.filemap import file_map
from fastedit.locate.region import Region
from fastedit.locate.scope import check_not_empty
from fastedit.locate.windows import COMFORT, describe, windows
from fastedit.request import LineRange
from fastedit.source.document import Document


def locate(document: Document, instruction: str, scope: LineRange) -> tuple[Region, ...]:
    """The regions within `scope` that an instruction can touch, sorted and disjoint.

    A region is longer than 120 lines only where `scope` is narrower than the file. Raises AnchorNotFound where nothing,
    or several things alike, could be meant, InputRefused where there is no text.
    """
    files = file_map(document)
    narrowed = len(scope) < len(files.lines)
    check_not_empty(document)
    if not any(files.lines[scope.start : scope.stop]) or (narrowed and len(scope) <= COMFORT):
        return (Region(scope.start, scope.stop, describe(files, scope), True),)
    # What reads sentences takes longer to import than an update takes.
    from fastedit.english.said import read
    from fastedit.locate.by_instruction import InstructionLocator

    return InstructionLocator(files, read(instruction), scope).regions()


def around(document: Document, places: Sequence[LineRange], scope: LineRange) -> tuple[Region, ...]:
    """The regions of a change whose places are known."""
    return windows(file_map(document), places, scope)
