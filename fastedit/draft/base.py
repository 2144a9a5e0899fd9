"""The drafter protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Branch:
    """A run of proposed tokens that starts right after the last observed token.

    `survival[i]` is the drafter's own estimate that tokens 0..i are all accepted; it never rises along the
    branch.

    `chances` float32 [m, vocab] is given where the last m tokens were drawn at random and the draft is to be accepted
    by what they were drawn from: the distribution of each, given the tokens before it, which earlier branches hold.
    Such tokens are verified all together or not at all, for a choice among them would skew what they stand for. For
    the same reason neither their number nor their survival may depend on what was drawn.

    `value` is how many copied tokens one of these is worth: more than one where each would else take a pass of its own.

    A `probe` is verified whatever it promises: it is there for what the target says after it (`seam.Listener`).
    """

    tokens: Sequence[int]
    survival: Sequence[float] | NDArray[np.float64]
    source: str
    chances: NDArray[np.float32] | None = None
    probe: bool = False
    value: float = 1.0


class Drafter(Protocol):
    """Proposes continuations of the output so far. Work per observed token is constant."""

    name: str

    def observe(self, tokens: list[int]) -> None:
        """Tokens that were just added to the output, oldest first. A list, as texts are, for it is compared with them:
        a tuple never equals a list."""

    def propose(self, limit: int) -> list[Branch]:
        """A few branches of at most `limit` tokens each, likeliest first; none when nothing is known."""


@runtime_checkable
class Copyable(Protocol):
    """What drafters have whose proposals depend on nothing but the tokens observed: they can be asked before these are
    certain."""

    def copy(self) -> Drafter:
        """Another that has observed the same. Neither notices what the other observes from now on, or is asked."""


@runtime_checkable
class Closing(Protocol):
    """What drafters have that hold more than their own memory."""

    def close(self) -> None:
        """The answer is at its end, finished or not. May be called more than once."""
