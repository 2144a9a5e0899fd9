"""Writing what was made of files that others write meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from fastedit.errors import StaleFile

R = TypeVar("R")
W = TypeVar("W")
_TRIES: Final = 10  # others may write as often meanwhile


def written(write: Callable[[R], W], result: R, again: Callable[[R], R | None]) -> tuple[W, R]:
    """What `write` returns for a result, and the result that it took in the end: where the files changed meanwhile,
    `again` makes one of them as they are now, or None. Raises what `write` raises, StaleFile where none is left."""
    for _ in range(_TRIES):
        try:
            return write(result), result
        except StaleFile:
            found = again(result)
            if found is None:
                raise
            result = found
    return write(result), result
