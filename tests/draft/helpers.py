from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from fastedit.draft.base import Branch, Drafter
from fastedit.draft.budget import CostTable, RequestDrafts, share
from fastedit.draft.tree import Merger, TokenTree


def feed(drafter: Drafter, tokens: Sequence[int], a_pass: int = 20) -> None:
    for at in range(0, len(tokens), a_pass):
        drafter.observe(list(tokens[at : at + a_pass]))


def proposals(drafter: Drafter, limit: int = 30) -> list[list[int]]:
    branches = drafter.propose(limit)
    for branch in branches:
        check(branch, limit)
    return [list(branch.tokens) for branch in branches]


def check(branch: Branch, limit: int) -> None:
    assert 0 < len(branch.tokens) == len(branch.survival) <= limit
    chances = [1.0, *branch.survival]
    assert all(0.0 < later <= earlier for earlier, later in pairwise(chances))


def choose(branches: Sequence[Branch], table: CostTable, limit: int, rate: float = 0.0) -> TokenTree:
    """What a pass over one request verifies; at rate 0 rows cost nothing."""
    return share([RequestDrafts(Merger(branches), limit)], table, limit, rate)[0]


def free(drafter: Any) -> None:
    """Whether a drafter with a price is asked must not hang on how long things take here."""
    drafter.prices = lambda: np.zeros(len(drafter.hopes()))
    drafter.spend = lambda token_ms: None  # every step is worth making
