"""The lines that a request leaves to its edit."""

from __future__ import annotations

from difflib import get_close_matches

from fastedit.errors import NARROWER, AnchorNotFound, InputRefused, UsageError, WayOut
from fastedit.request import LineRange
from fastedit.source.document import Document


def scope_of(document: Document, symbol: str | None, lines: LineRange | None) -> LineRange:
    """The lines that `symbol` and `lines` leave of a document. Raises AnchorNotFound, UsageError for lines that it has
    not."""
    whole = LineRange(0, len(document.lines))
    if lines is not None and not 0 <= lines.start < lines.stop <= whole.stop:
        raise UsageError(
            f"lines {lines.start + 1}:{lines.stop} do not fit: the file ends with line {whole.stop}, counted from 1"
        )
    scope = lines or whole
    return scope if symbol is None else _lines_of(symbol, document, scope)


def check_not_empty(document: Document) -> None:
    """Raises InputRefused where there is no text."""
    if not document.text.strip():
        from fastedit.locate.filemap import file_map  # not above, as in `_lines_of`

        name = file_map(document).name
        raise InputRefused(
            f"{name}: is empty, so there is nothing to change; give its text as an update, or connect a strong model",
            ways_out=(WayOut.UPDATE, WayOut.CONNECT),
        )


def _lines_of(symbol: str, document: Document, scope: LineRange) -> LineRange:
    """The lines of a definition, or of the statement that assigns a name. Raises AnchorNotFound."""
    from fastedit.locate.filemap import file_map  # not above: most edits are of the whole file
    from fastedit.locate.naming import ambiguous

    files = file_map(document)
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
