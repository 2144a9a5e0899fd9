"""Ways to do the same work, compared turn by turn, so that a drifting machine hits all alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")


def in_turns(items: Iterable[Item], ways: Mapping[str, Callable[[Item], Made]]) -> dict[str, list[Made]]:
    """Every item in every way, the order of the ways turned by one from item to item."""
    made: dict[str, list[Made]] = {name: [] for name in ways}
    names = list(ways)
    for number, item in enumerate(items):
        turn = number % len(ways)
        for name in (*names[turn:], *names[:turn]):
            made[name].append(ways[name](item))
    return made
