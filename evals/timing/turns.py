"""Ways to do the same work, compared turn by turn, so that a drifting machine hits all alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np

RESAMPLES = 2000
SURE = 0.95  # share of resamples in which the fastest must be faster for it to be recommended
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


def faster(one: Sequence[float], other: Sequence[float]) -> float:
    """How often the first is faster in total when the edits are drawn anew (paired bootstrap), 0 to 1."""
    differences = np.asarray(other) - np.asarray(one)
    drawn = np.random.default_rng(0).integers(len(differences), size=(RESAMPLES, len(differences)))
    return float((differences[drawn].sum(axis=1) > 0).mean())
