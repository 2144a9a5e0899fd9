"""The drafter protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Branch:
    """A run of proposed tokens that starts right after the last observed token.

    `survival[i]` is the drafter's own estimate that tokens 0..i are all accepted; it never rises along the
    branch.
    """

    tokens: Sequence[int]
    survival: Sequence[float] | NDArray[np.float64]
    source: str


class Drafter(Protocol):
    """Proposes continuations of the output so far. Work per observed token is constant."""

    name: str

    def observe(self, tokens: Sequence[int]) -> None:
        """Tokens that were just added to the output, oldest first."""

    def propose(self, limit: int) -> list[Branch]:
        """A few branches of at most `limit` tokens each, likeliest first; none when nothing is known."""
