"""Where a sketch stands in the file says which of several places it is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastedit.request import LineRange
from fastedit.source.definitions import definitions
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk
from fastedit.source.language import language_in
from fastedit.source.syntax import parse


def around(document: Document, line: int) -> Iterator[tuple[str, LineRange]]:
    """The definitions that a sketch stands in, which was taken out above a line: their names and lines, innermost
    first."""
    syntax = parse(document.lines, language_in(document))
    found = () if syntax is None else definitions(syntax)
    for definition in reversed(found):
        if definition.start < line <= definition.stop:
            yield definition.dotted, LineRange(definition.start, definition.stop)


def elsewhere(here: Sequence[Hunk], there: Sequence[Hunk], document: Document) -> bool:
    """Whether two texts have the very same change at different places."""
    return tuple(here) != tuple(there) and _change(here, document) == _change(there, document)


def _change(hunks: Sequence[Hunk], document: Document) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(tuple(document.lines[hunk.start : hunk.stop]), hunk.lines) for hunk in hunks]
