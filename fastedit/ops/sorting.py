"""Where something new goes among what is, or is not, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def sorted_index(keys: Sequence[Any], new: Any) -> int:
    """The index at which `new` goes among others: in order where they are, else last."""
    if list(keys) == sorted(keys):
        return next((index for index, key in enumerate(keys) if key > new), len(keys))
    return len(keys)
