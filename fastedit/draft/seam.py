"""What a drafter can say of itself beside `Drafter`: that it reads the target's hidden states, and that it costs time.

And how a family of drafters is made: a `DrafterSource` once a model, its drafters once an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fastedit.draft.base import Drafter
from fastedit.draft.tree import TokenTree
from fastedit.sampling import Sampling

if TYPE_CHECKING:
    from torch import Tensor

    from fastedit.prompt.base import Prompt


@dataclass(frozen=True, slots=True, eq=False)
class Computed:
    """What the target has computed for tokens that are certain now, in the prompt or the answer.

    `states[layer]` [n, width] are the hidden states (see `model.base.Taps`) of the n tokens `tokens`, the first of
    which stands at position `start`; `following` is the token after the last one. Where a prompt's beginning was
    known from an earlier answer, no one computes it again: the first `start` is not 0 then.
    """

    tokens: Sequence[int]
    start: int
    following: int
    states: Mapping[int, Tensor]


@runtime_checkable
class StateReader(Protocol):
    """A drafter that reads hidden states: those that enter `layers` (the number of layers: the final norm's output).

    `read` comes after every pass, prompt passes included, and before `observe`; it should do no work that a proposal
    that is never asked for would waste.
    """

    layers: frozenset[int]

    def read(self, computed: Computed) -> None: ...


@runtime_checkable
class Listener(Protocol):
    """A drafter that wants to know what the target says after every token of a draft, those that fell too."""

    def hear(self, tree: TokenTree, said: Sequence[int]) -> None:
        """Comes before `observe`. `said[0]` is the likeliest token after the output, `said[1 + i]` after node i."""


@runtime_checkable
class Priced(Protocol):
    """A drafter whose proposals take time that counts. It is asked only where they promise more than they cost."""

    def prices(self) -> NDArray[np.float64]:
        """float64[depth]: milliseconds that a proposal of 1, 2, ... tokens would take now, by `budget.clock_for`."""

    def hopes(self) -> NDArray[np.float64]:
        """float64[depth]: how likely the first 1, 2, ... tokens of a proposal are right, as far as is known."""

    def spend(self, token_ms: float) -> None:
        """Told before each proposal: the milliseconds that a token takes in this pass. Steps that bring tokens more
        slowly are not worth making."""


@runtime_checkable
class Informed(Protocol):
    """A drafter that must know how its answer is sampled, or for whom it is: told before it is first asked."""

    def inform(self, sampling: Sampling, tenant: str) -> None:
        """`tenant` names who must not see what was learned of others; "" where there is only one."""


class DrafterSource(Protocol):
    """A family of drafters for one model, with what they share: weights, an index, what was learned of them."""

    def drafters(self, prompt: Prompt) -> Sequence[Drafter]:
        """Fresh ones for one answer, the most trusted first."""


@dataclass(frozen=True, slots=True)
class LearningReport:
    """What the heads of all tenants have learned. `learned` tenants have a head of their own that drafts, `off` ones
    had one that got worse. `counts` of updates, swaps and rollbacks never fall. `acceptance`: means of tokens a pass on
    answers kept back, `base` by the head that was loaded and `live` by the one that drafts."""

    tenants: int
    learned: int
    off: int
    bytes: int
    counts: Counter[str]
    acceptance: dict[str, float]


@runtime_checkable
class Learning(Protocol):
    """A family of drafters that learns while it drafts."""

    def learned(self) -> LearningReport: ...
