"""The lines of a text, and the bytes at which they stand in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, count
from operator import add


def with_lf(text: str) -> str:
    """The text with LF as the only line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


class Lines:
    """`lines` without their ends. `data` joins them by LF; byte offsets count in it."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = tuple(lines)

    @cached_property
    def data(self) -> bytes:
        return "\n".join(self.lines).encode()

    @cached_property
    def starts(self) -> list[int]:
        """The byte that each line begins with; last, where one more would."""
        lengths = map(len, self.data.split(b"\n"))
        return [0, *map(add, accumulate(lengths), count(1))]

    def row(self, at: int) -> int:
        """The line that byte `at` stands on."""
        return bisect_right(self.starts, at) - 1
