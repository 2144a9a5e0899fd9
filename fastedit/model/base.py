"""What passes between the decoder and a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from fastedit_kernels.tree_attention import Batch
from fastedit_kernels.tree_attention.plan import Heads
from numpy.typing import NDArray
from torch import Tensor

from fastedit.model.cache import Memory


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one pass, as the decoder lays them out: those of several requests, one after the other.

    `tokens` int64 [rows]; `wanted` int64 [wanted], ascending, are the rows whose logits are wanted: most prompt rows
    need none.
    """

    tokens: NDArray[np.int64]
    wanted: NDArray[np.int64]
    batch: Batch

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The same rows as a network sees them, on its device: `tokens` and `positions` [rows], `wanted` [wanted]."""

    tokens: Tensor
    positions: Tensor
    wanted: Tensor
    memory: Memory


class Network(Protocol):
    """A decoder's arithmetic. One of these stands behind every Target.

    `kv_width` is how many numbers the keys and values of one token take, all layers together.
    """

    layers: int
    vocab: int
    context: int
    kv_width: int
    heads: Heads

    def forward(self, inputs: Inputs) -> Tensor:
        """Logits [wanted, vocab], in any float type. The rows' keys and values are written to the memory."""
