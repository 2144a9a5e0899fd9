"""Whether a drafter that costs time should be asked at all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fastedit.draft.budget import CostTable
from fastedit.draft.seam import Priced
from fastedit.draft.tree import Merger


def pays(drafter: Priced, known: Merger, costs: CostTable) -> bool:
    """Whether the drafter promises more tokens a millisecond than the pass brings without it.

    Measured within this pass alone: what is not drafted here is novel text, every token of which would else take a
    pass like this one. A row for each token that it hopes for is paid for as well.
    """
    hopes = drafter.hopes()
    gain = float(np.maximum(0.0, hopes - reach(known, len(hopes))).sum())
    survival = known.survival() if known.runs else np.zeros(0)
    rows = 1 + len(survival)
    ms = costs.cost(rows)
    price = drafter.price() + costs.cost(rows + len(hopes)) - ms
    return gain * ms > price * (1.0 + float(survival.sum()))


def value(drafter: Priced, costs: CostTable, rate: float) -> float:
    """How many copied tokens, of which `rate` come in a millisecond, one of the drafter's is worth: as many as come in
    the time that a token takes where it drafts."""
    return max(1.0, rate * (costs.cost(1) + drafter.price()) / (1.0 + float(drafter.hopes().sum())))


def reach(merger: Merger, depth: int) -> NDArray[np.float64]:
    """float64[depth]: how likely the draft's first 1, 2, ... tokens are right along one of its branches."""
    chances = np.zeros(depth)
    first: dict[int, int] = {}  # by run, the depth of its first node, counted from 0
    for run in merger.runs:  # parents come before their forks
        begin = 0 if run.parent is None else first[id(run.parent)] + run.offset + 1
        first[id(run)] = begin
        count = min(len(run.tokens), depth - begin)
        if count > 0:
            chances[begin : begin + count] += run.survival[:count]
    return chances
