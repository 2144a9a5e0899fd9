"""How a model chooses its tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from fastedit.errors import UsageError

LEAST_TEMPERATURE, MOST_TEMPERATURE = 0.01, 100.0
LEAST_TOP_P = 1e-30  # where float32 has 0, no token is left to draw
Acceptance = Literal["draw", "block", "branches"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a token is chosen. Temperature 0 is greedy; `top_k` 0 and `top_p` 1 keep the whole distribution.

    `acceptance` is how drafts are held to the distribution when sampling: `draw` draws once a token, and a seed gives
    the same text whatever was drafted; `block` and `branches` let more stand of what a drafter drew at random.

    Raises UsageError for values that no distribution has.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int = 0
    acceptance: Acceptance = "draw"

    def __post_init__(self) -> None:
        # Nothing is drawn from logits divided by next to nothing: they overflow.
        if not (self.temperature == 0 or LEAST_TEMPERATURE <= self.temperature <= MOST_TEMPERATURE):
            raise UsageError(
                f"temperature {self.temperature}: must be 0 (greedy) or from {LEAST_TEMPERATURE} to {MOST_TEMPERATURE}"
            )
        if not LEAST_TOP_P <= self.top_p <= 1:
            raise UsageError(f"top_p {self.top_p}: must be from {LEAST_TOP_P} to 1")
        if self.top_k < 0:
            raise UsageError(f"top_k {self.top_k}: must be 0 (all tokens) or a number of tokens")
        if not 0 <= self.seed < 2**64:
            raise UsageError(f"seed {self.seed}: must be from 0 to {2**64 - 1}")
        if self.acceptance not in get_args(Acceptance):
            raise UsageError(f"acceptance {self.acceptance!r}: must be {', '.join(get_args(Acceptance))}")

    @property
    def greedy(self) -> bool:
        return self.temperature == 0.0
