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


class LineIndex:
    """Converts between positions and character offsets of one text."""

    def __init__(self, text: str, encoding: str) -> None:
        self._text, self._encoding = text, encoding
        self._starts, self._stops = [0], list[int]()
        for end in _LINE_END.finditer(text):
            self._stops.append(end.start())
            self._starts.append(end.end())
        self._stops.append(len(text))

    def offset(self, position: Position) -> int:
        """The offset of a position; what lies beyond a line or the text counts as its end."""
        if position.line >= len(self._starts):
            return len(self._text)
        start, stop = self._starts[position.line], self._stops[position.line]
        line = self._text[start:stop]
        if line.isascii() or self._encoding == PositionEncodingKind.Utf32:
            return min(start + position.character, stop)
        column = 0
        for at, character in enumerate(line):
            if column >= position.character:
                return start + at
            column += units(character, self._encoding)
        return stop

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
