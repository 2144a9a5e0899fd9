"""Whether a drafter that costs time should be asked at all, and how much time a token of its may take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fastedit.draft.budget import CostTable
from fastedit.draft.seam import Priced
from fastedit.draft.tree import Merger


def token_ms(drafter: Priced, known: Merger, costs: CostTable) -> float | None:
    """Milliseconds a token of the pass, with the drafter at the depth at which it pays best; None where the pass brings
    tokens no slower without it, at any depth.

    Measured within this pass alone: what is not drafted here is novel text, every token of which would else take a
    pass like this one. A row for each token that it hopes for is paid for as well. What others are likely to guess is
    rarely left to it: they must be wrong, and where they are, it is right the less often the surer they were (measured,
    docs/log.md).
    """
    hopes, prices = drafter.hopes(), drafter.prices()
    survival = known.survival() if known.runs else np.zeros(0)
    rows, sure = 1 + len(survival), 1.0 + float(survival.sum())
    tokens = sure + (hopes * (1.0 - reach(known, len(hopes))) ** 2).cumsum()
    ms = prices + [costs.cost(rows + depth) for depth in range(1, len(hopes) + 1)]
    each = ms / tokens
    least = float(each.min())
    return least if least < costs.cost(rows) / sure else None


def reach(merger: Merger, depth: int) -> NDArray[np.float64]:
    """float64[depth]: how likely the draft's first 1, 2, ... tokens are right along one of its branches, at most 1."""
    chances = np.zeros(depth)
    first: dict[int, int] = {}  # by run, the depth of its first node, counted from 0
    for run in merger.runs:  # parents come before their forks
        begin = 0 if run.parent is None else first[id(run.parent)] + run.offset + 1
        first[id(run)] = begin
        count = min(len(run.tokens), depth - begin)
        if count > 0:
            chances[begin : begin + count] += run.survival[:count]
    return np.minimum(chances, 1.0)
