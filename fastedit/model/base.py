"""What passes between the decoder and a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from fastedit_kernels.tree_attention import Span
from torch import Tensor

from fastedit.model.cache import Cache


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one pass over one request.

    `tokens` int64 [rows]; the span says what each may look at and holds the positions that RoPE turns by
    (depth in the tree, not index). Logits are wanted for rows `wanted`.. only: most prompt rows need none.
    """

    tokens: Tensor
    span: Span
    wanted: int

    def __len__(self) -> int:
        return len(self.tokens)


class Network(Protocol):
    """A decoder's arithmetic. One of these stands behind every Target."""

    layers: int
    vocab: int
    context: int

    def forward(self, rows: Rows, cache: Cache) -> Tensor:
        """Logits float32 [rows - wanted, vocab]. The rows' keys and values are left in flight in the
        cache."""
