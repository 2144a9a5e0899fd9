"""How alike two lines are: what `difflib.SequenceMatcher.ratio` says, in a third of its time.

One whole number holds all pairs of characters: bit `i * width + j` is set where character i of one line is character j
of the other. The bits of a run of equal characters lie `width + 1` apart, so that one shift extends all runs at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_LONG: Final = 400  # characters: time and memory take the square


def ratio(one: str, other: str) -> float:
    """From 0 to 1: twice the characters of the longest common run, and of those on either side of it, and so on, by the
    length of both; 0 where a line is too long to compare. Of runs of one length the first in `one` counts, then the
    first in `other`."""
    length = len(one) + len(other)
    if not length:
        return 1.0
    if max(len(one), len(other)) >= _LONG:
        return 0.0
    size = len(other) // 8 + 1  # bytes of a row: no run goes on from one row's end in the next row
    places, none = _places(other), bytes(size)
    equal = int.from_bytes(b"".join([places.get(character, none) for character in one]), "little")
    return 2.0 * _matched(equal, len(one), len(other), 8 * size) / length


@lru_cache(maxsize=256)  # a line is compared with many
def _places(line: str) -> dict[str, bytes]:
    """Where each character stands in a line, as bits."""
    found: dict[str, int] = {}
    for at, character in enumerate(line):
        found[character] = found.get(character, 0) | 1 << at
    return {character: bits.to_bytes(len(line) // 8 + 1, "little") for character, bits in found.items()}


def _matched(equal: int, rows: int, columns: int, width: int) -> int:
    """How many characters the runs have that are taken."""
    matched = 0
    firsts = int.from_bytes((b"\1" + bytes(width // 8 - 1)) * rows, "little")  # the first bit of each row
    todo = [(0, rows, 0, columns)]
    while todo:
        top, bottom, left, right = todo.pop()
        within = (firsts & ((1 << (bottom - top) * width) - 1)) * ((1 << right - left) - 1)
        here = equal >> top * width + left & within
        if not here:
            continue
        starts, length = _longest(here, width + 1)
        row, column = divmod((starts & -starts).bit_length() - 1, width)
        row, column = top + row, left + column
        matched += length
        if top < row and left < column:
            todo.append((top, row, left, column))
        if row + length < bottom and column + length < right:
            todo.append((row + length, bottom, column + length, right))
    return matched


def _longest(equal: int, step: int) -> tuple[int, int]:
    """Where the longest runs start, and their length."""
    doubled = [equal]  # where runs of 1, 2, 4 ... start
    while longer := doubled[-1] & doubled[-1] >> step * (1 << len(doubled) - 1):
        doubled.append(longer)
    starts, length = doubled.pop(), 1 << len(doubled)
    for power in range(len(doubled) - 1, -1, -1):
        if longer := starts & doubled[power] >> step * length:
            starts, length = longer, length + (1 << power)
    return starts, length
