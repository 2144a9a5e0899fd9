"""Where a line begins, and what column a character has, as the protocol counts them.

Only CR LF, LF and CR end a line: form feed, U+2028 and their like are characters within one, although
`str.splitlines` thinks otherwise.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol.types import Position, PositionEncodingKind, Range

_LINE_END = re.compile(r"\r\n|\n|\r")
_WIDTH = {PositionEncodingKind.Utf8: "utf-8", PositionEncodingKind.Utf16: "utf-16-le"}


def units(text: str, encoding: str) -> int:
    """The length of `text` in the units of a position encoding: bytes, 16-bit words or characters."""
    if text.isascii() or encoding == PositionEncodingKind.Utf32:
        return len(text)
    width = 2 if encoding == PositionEncodingKind.Utf16 else 1
    return len(text.encode(_WIDTH[PositionEncodingKind(encoding)], "surrogatepass")) // width


def characters(line: str, column: int, encoding: str) -> int:
    """How many characters of a line are before a position's column; all of them where it lies beyond."""
    if line.isascii() or encoding == PositionEncodingKind.Utf32:
        return min(column, len(line))
    before = 0
    for at, character in enumerate(line):
        if before >= column:
            return at
        before += units(character, encoding)
    return len(line)


class EditedLines:
    """A text while changes are made to it, one after another: each costs what it changes, not what the text holds."""

    def __init__(self, text: str, encoding: str) -> None:
        self._lines, self._encoding = _split(text), encoding

    @property
    def text(self) -> str:
        return "".join(self._lines)

    def replace(self, range_: Range, text: str) -> None:
        """Puts `text` in the place of a range. What lies beyond a line or the text counts as its end."""
        (first, head), (last, tail) = self._place(range_.start), self._place(range_.end)
        # With the lines around: a CR at the end of one and an LF at the start of the next become one line end.
        start, stop = max(first - 1, 0), last + 2
        before = [*self._lines[start:first], self._lines[first][:head]]
        after = [self._lines[last][tail:], *self._lines[last + 1 : stop]]
        block = _split("".join([*before, text, *after]))
        self._lines[start:stop] = block if stop >= len(self._lines) else block[:-1]

    def _place(self, position: Position) -> tuple[int, int]:
        """A line and how many of its characters are before a position."""
        if position.line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        line = self._lines[position.line].rstrip("\r\n")
        return position.line, characters(line, position.character, self._encoding)


def _split(text: str) -> list[str]:
    """The lines with their ends; after the last line end is one more, which may be empty."""
    ends = [end.end() for end in _LINE_END.finditer(text)]
    return [text[start:stop] for start, stop in zip([0, *ends], [*ends, len(text)], strict=True)]


class LineIndex:
    """The positions of character offsets in one text."""

    def __init__(self, text: str, encoding: str) -> None:
        self._text, self._encoding = text, encoding
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def position(self, offset: int) -> Position:
        """The position of an offset between 0 and the text's length."""
        line = bisect_right(self._starts, offset) - 1
        return Position(line, units(self._text[self._starts[line] : offset], self._encoding))

    def lines(self, start: int, stop: int) -> Range:
        """The range of the lines `start` up to but not including `stop`, their ends included."""
        return Range(self._line_start(start), self._line_start(stop))

    def _line_start(self, line: int) -> Position:
        if line < len(self._starts):
            return Position(line, 0)
        return self.position(len(self._text))
