"""What is told of each line of a long file, worked out for those alone that are asked for and the lines around them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class Blockwise(Sequence[T], Generic[T]):
    """A value for each of `count` lines. The first time that one is asked for, `tell` puts all into a list from one of
    the rising lines `starts` to the next, of which 0 is the first."""

    def __init__(self, starts: Sequence[int], count: int, tell: Callable[[list[T], range], None]) -> None:
        self._bounds, self._tell = (*starts, count), tell
        self._told = [False] * len(starts)
        self._found: list[T] = [None] * count  # type: ignore[list-item]

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, row: int) -> T: ...
    @overload
    def __getitem__(self, row: slice) -> list[T]: ...
    def __getitem__(self, row: int | slice) -> T | list[T]:
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(len(self)))]
        at = bisect_right(self._bounds, row) - 1
        if not self._told[at]:
            self._told[at] = True
            self._tell(self._found, range(self._bounds[at], self._bounds[at + 1]))
        return self._found[row]
