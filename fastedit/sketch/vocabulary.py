"""Which lines of a file hold a word, without going over its words one by one.

All words of all lines are numbered at once, over an array of the text's characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

_FACTOR = 0x9E3779B97F4A7C15  # odd, so that it has an inverse
_INVERSE = pow(_FACTOR, -1, 1 << 64)
_UNDERSCORE = ord("_")
_ASCII = np.array([chr(code).isalnum() or chr(code) == "_" for code in range(128)])


class Vocabulary:
    """The words (as `\\w+` finds them) and letters of some lines without line ends."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def lines_with(self, words: Iterable[str]) -> dict[str, list[int]]:
        """The lines that hold each of these words, rising."""
        asked = list(words)
        numbers = _numbers(np.frombuffer("\n".join(asked).encode("utf-32-le"), dtype=np.uint32))[0]
        order = np.argsort(numbers)
        mine, rows = self._numbered
        at = np.searchsorted(numbers, mine, sorter=order)
        which = order[np.minimum(at, len(order) - 1)] if asked else at
        held = numbers[which] == mine if asked else np.zeros(len(mine), dtype=bool)
        found: dict[str, list[int]] = {word: [] for word in asked}
        for word, row in zip(which[held].tolist(), rows[held].tolist(), strict=True):
            rows_of = found[asked[word]]
            if not rows_of or rows_of[-1] != row:
                rows_of.append(row)
        return found

    @cached_property
    def letters(self) -> Any:
        """[lines]: how many letters and digits each holds."""
        above = np.zeros(len(self._text) + 1, dtype=np.intp)
        np.cumsum(_in_words(self._text) & (self._text != _UNDERSCORE), out=above[1:])
        return np.diff(above[np.minimum(self._ends, len(self._text))], prepend=0)

    @cached_property
    def _numbered(self) -> tuple[Any, Any]:
        """[words] twice: the number of each word, and its line."""
        numbers, starts = _numbers(self._text)
        return numbers, np.searchsorted(self._ends, starts, side="right")

    @cached_property
    def _text(self) -> Any:
        return np.frombuffer("\n".join(self._lines).encode("utf-32-le"), dtype=np.uint32)

    @cached_property
    def _ends(self) -> Any:
        """[lines]: where in the text each ends, its line end included."""
        return np.cumsum(np.fromiter(map(len, self._lines), dtype=np.intp, count=len(self._lines)) + 1)


def _numbers(text: Any) -> tuple[Any, Any]:
    """[words] twice: a hash of each word of these characters, and where it begins."""
    inside = np.zeros(len(text) + 2, dtype=bool)
    inside[1:-1] = _in_words(text)
    edges = np.nonzero(inside[1:] != inside[:-1])[0]
    starts, stops = edges[::2], edges[1::2]
    # A polynomial of the characters from a word's start on, from those of the text from its own.
    sums = np.zeros(len(text) + 1, dtype=np.uint64)
    np.cumsum(text * np.cumprod(np.full(len(text), _FACTOR, dtype=np.uint64)), out=sums[1:])
    back = np.cumprod(np.full(len(text), _INVERSE, dtype=np.uint64))
    return (sums[stops] - sums[starts]) * back[starts], starts


def _in_words(text: Any) -> Any:
    """Which characters belong to words."""
    found = _ASCII[np.minimum(text, 127)]
    beyond = np.nonzero(text > 127)[0]
    codes, at = np.unique(text[beyond], return_inverse=True)
    found[beyond] = np.array([chr(code).isalnum() for code in codes.tolist()], dtype=bool)[at]
    return found
