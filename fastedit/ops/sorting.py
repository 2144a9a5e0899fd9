"""Where a new line goes among lines that are, or are not, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def sorted_row(rows: Sequence[tuple[int, int]], keys: Sequence[Any], new: Any) -> int:
    """The line before which `new` goes among items on the lines [start, stop): in order where they are, else last."""
    if list(keys) == sorted(keys):
        for (start, _), key in zip(rows, keys, strict=True):
            if key > new:
                return start
    return rows[-1][1]


def sorted_index(keys: Sequence[Any], new: Any) -> int:
    """The index at which `new` goes among items in a list: in order where they are, else last."""
    if list(keys) == sorted(keys):
        return next((index for index, key in enumerate(keys) if key > new), len(keys))
    return len(keys)
