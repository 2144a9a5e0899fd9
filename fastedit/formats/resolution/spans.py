"""Places hunks that name lines or positions of the file as their author read it."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.formats.base import LineSpan, Tag, TextRange
from fastedit.formats.report import PlacementStep, Unplaced, quoted, spans
from fastedit.formats.text.changes import TextChange
from fastedit.formats.text.views import ViewedText, ended
from fastedit.source.document import Document
from fastedit.source.lines import with_lf


def span_change(text: ViewedText, hunk: LineSpan) -> tuple[PlacementStep, TextChange]:
    """Raises Unplaced for a stale tag, or lines that the file lacks."""
    _verify(text.document, hunk.tags)
    if not 0 <= hunk.start <= hunk.stop <= len(text.lines):
        raise Unplaced(_beyond(hunk.start, hunk.stop, len(text.lines)))
    new = with_lf(ended(hunk.lines))
    change = TextChange(text.starts[hunk.start], text.starts[hunk.stop], new, stack=True)
    return PlacementStep.TAG if hunk.tags else PlacementStep.LINE, change


def range_change(text: ViewedText, hunk: TextRange) -> TextChange:
    """Raises Unplaced for a range that ends before it begins, and for one of text that begins beyond the file's end: an
    insertion, and the end of any range, may lie there."""
    if (len(text.lines), 0) < hunk.start < hunk.stop:
        count = _counted(len(text.lines))
        raise Unplaced(f"begins at line {hunk.start[0]} (from 0) of a file with {count}; read the file again")
    start, stop = (_offset(text, *position) for position in (hunk.start, hunk.stop))
    if start > stop:
        raise Unplaced("its range ends before it begins; exchange start and end")
    return TextChange(start, stop, with_lf(hunk.new), stack=True)


def _verify(document: Document, tags: Sequence[Tag]) -> None:
    for tag in tags:
        if tag.line is None:
            if tag.digest(document.text) != tag.value:
                raise Unplaced("the file has changed since it was read; read it again")
        elif not 0 <= tag.line < len(document.lines):
            raise Unplaced(_beyond(tag.line, tag.line + 1, len(document.lines)))
        elif tag.digest(document.lines[tag.line]) != tag.value:
            now = quoted(document.lines[tag.line])
            raise Unplaced(
                f"line {tag.line + 1} does not have the tag {tag.value}, it is {now}; read the file again"
            )


def _beyond(start: int, stop: int, count: int) -> str:
    if start == stop:
        return f"inserts after line {start} of a file with {_counted(count)}; read the file again"
    return f"names {spans([range(start, stop)])} of a file with {_counted(count)}; read the file again"


def _counted(lines: int) -> str:
    return f"{lines} line" if lines == 1 else f"{lines} lines"


def _offset(text: ViewedText, line: int, character: int) -> int:
    """A position as in LSP, in UTF-16 code units; one beyond a line's or the file's end is at that end.

    Raises Unplaced for one between the two units of one character.
    """
    if line >= len(text.lines):
        is_open = text.document.ends[-1:] == ("",)
        return len(text.whole) - is_open
    before = text.lines[line].encode("utf-16-le")[: 2 * character]
    try:
        return text.starts[line] + len(before.decode("utf-16-le"))
    except UnicodeDecodeError:
        problem = (
            f"character {character} of line {line} (from 0, in UTF-16 code units) is in the middle of one"
        )
        raise Unplaced(f"{problem}; count those beyond U+FFFF twice") from None
