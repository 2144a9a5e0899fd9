from __future__ import annotations

import random

from evals.host import WAYS, figures
from evals.replay.edits import Case
from fastedit.prompt.base import Prompt


def long_edit(seed: int) -> Case:
    """Of several passes."""
    old = tuple(random.Random(seed).choices(range(60), k=600))
    new = (*old[:300], 7, 8, 9, *old[303:])
    return Prompt((), old, new[295:310], new, frozenset(), len(old)), new


def test_gaps_between_passes_are_told_for_each_way_and_how_many_passes_used_what_was_prepared(tiny):
    found = figures(tiny, [long_edit(seed) for seed in range(2)])
    plain, prepared = (found[name] for name in WAYS)
    assert plain["gaps"] == prepared["gaps"] > 0
    assert plain["prepared used"] == 0
    assert plain["us preparing"] is None
    assert prepared["prepared used"] > 0
    assert prepared["us preparing"] > 0
    assert plain["us before the first"] > 0
