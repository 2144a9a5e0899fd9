"""From an instruction to its regions: what narrows it first, then what it names."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from fastedit.errors import NARROWER, AnchorNotFound, InputRefused, UsageError, WayOut
from fastedit.locate.filemap import FileMap, file_map
from fastedit.locate.naming import ambiguous
from fastedit.locate.region import Region
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


def scope_of(document: Document, symbol: str | None, lines: LineRange | None) -> LineRange:
    """The lines that `symbol` and `lines` leave of a document. Raises AnchorNotFound, UsageError for lines that it has
    not."""
    whole = LineRange(0, len(document.lines))
    if lines is not None and not 0 <= lines.start < lines.stop <= whole.stop:
        raise UsageError(
            f"lines {lines.start + 1}:{lines.stop} do not fit: the file ends with line {whole.stop}, counted from 1"
        )
    scope = lines or whole
    return scope if symbol is None else _lines_of(symbol, file_map(document), scope)


def around(document: Document, places: Sequence[LineRange], scope: LineRange) -> tuple[Region, ...]:
    """The regions of a change whose places are known."""
    return windows(file_map(document), places, scope)


def _lines_of(symbol: str, files: FileMap, scope: LineRange) -> LineRange:
    """The lines of a definition, or of the statement that assigns a name. Raises AnchorNotFound."""
    found = [d for d in files.named(symbol) if scope.holds(d.start, d.stop)]
    if len(found) > 1:
        raise ambiguous(files, symbol, found)
    if found:
        return LineRange(found[0].start, found[0].stop)
    assigned = [item for item in files.assignments(symbol) if scope.holds(item.start, item.stop)]
    if len(assigned) == 1:
        return assigned[0]
    if len(scope) < len(files.lines) and (elsewhere := files.named(symbol)):
        raise AnchorNotFound(
            f"{files.name}: `{symbol}` stands on lines {elsewhere[0].start + 1}:{elsewhere[0].stop}, not wholly within "
            f"{scope.start + 1}:{scope.stop}; leave one of the two out",
            ways_out=NARROWER,
        )
    names = {d.dotted: d for d in files.definitions}
    close = get_close_matches(symbol, [*names, *(d.name for d in names.values())], n=3)
    hint = f"did you mean {' or '.join(dict.fromkeys(close))}?" if close else "give its lines instead"
    ways_out = () if close else (WayOut.LINES,)
    raise AnchorNotFound(f"{files.name}: no definition of `{symbol}` was found; {hint}", ways_out=ways_out)


def check_not_empty(document: Document) -> None:
    """Raises InputRefused where there is no text."""
    if not document.text.strip():
        name = file_map(document).name
        raise InputRefused(
            f"{name}: is empty, so there is nothing to change; give its text as an update, or connect a strong model",
            ways_out=(WayOut.UPDATE, WayOut.CONNECT),
        )
