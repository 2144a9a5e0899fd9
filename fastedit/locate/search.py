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


def locate(
    document: Document,
    instruction: str,
    symbol: str | None,
    lines: LineRange | None,
) -> tuple[Region, ...]:
    """The regions that an instruction can touch, sorted and disjoint. `symbol` and `lines` narrow strictly.

    A region is longer than 120 lines only where `symbol` or `lines` asked for it. Raises AnchorNotFound where
    nothing, or several things alike, could be meant, InputRefused where there is no text.
    """
    files = file_map(document)
    scope = _scope(files, symbol, lines)
    narrowed = len(scope) < len(files.lines)
    check_inked(document)
    if not any(files.lines[scope.start : scope.stop]) or (narrowed and len(scope) <= COMFORT):
        return (Region(scope.start, scope.stop, describe(files, scope), True),)
    # What reads sentences takes longer to import than an update takes.
    from fastedit.english.said import read
    from fastedit.locate.by_instruction import InstructionLocator

    return InstructionLocator(files, read(instruction), scope).regions()


def scope_of(document: Document, symbol: str | None, lines: LineRange | None) -> LineRange:
    """The lines that `symbol` and `lines` leave of a document. Raises AnchorNotFound, UsageError for lines that it has
    not."""
    count = len(document.lines)
    if lines is not None and not 0 <= lines.start < lines.stop <= count:
        raise UsageError(
            f"lines {lines.start + 1}:{lines.stop} do not fit: the file ends with line {count}, counted from 1"
        )
    return _scope(file_map(document), symbol, lines)


def around(document: Document, places: Sequence[LineRange], scope: LineRange) -> tuple[Region, ...]:
    """The regions of a change whose places are known."""
    return windows(file_map(document), places, scope)


def _scope(files: FileMap, symbol: str | None, lines: LineRange | None) -> LineRange:
    """The lines that `lines` and `symbol` leave. Raises AnchorNotFound."""
    scope = lines or LineRange(0, len(files.lines))
    if symbol is None:
        return scope
    found = [d for d in files.named(symbol) if scope.start <= d.start and d.stop <= scope.stop]
    if len(found) > 1:
        raise ambiguous(files, symbol, found)
    if found:
        return LineRange(found[0].start, found[0].stop)
    assigned = [
        item for item in files.assignments(symbol) if scope.start <= item.start and item.stop <= scope.stop
    ]
    if len(assigned) == 1:
        return assigned[0]
    if scope != LineRange(0, len(files.lines)) and (elsewhere := files.named(symbol)):
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


def check_inked(document: Document) -> None:
    """Raises InputRefused where there is no text."""
    if not document.text.strip():
        name = file_map(document).name
        raise InputRefused(
            f"{name}: is empty, so there is nothing to change; give its text as an update, or connect a strong model",
            ways_out=(WayOut.UPDATE, WayOut.CONNECT),
        )
