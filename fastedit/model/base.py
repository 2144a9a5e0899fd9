"""What passes between the decoder and a model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from fastedit_kernels.tree_attention import Batch
from fastedit_kernels.tree_attention.plan import Heads
from numpy.typing import NDArray
from torch import Tensor

from fastedit.model.cache import Memory


class Taps:
    """The hidden states that a pass hands out beside its logits: `states[i]` [rows, width] is what enters layer i, and
    for i = the number of layers what the final norm gives out (as transformers counts its hidden states)."""

    def __init__(self, layers: Iterable[int]) -> None:
        self.layers = frozenset(layers)
        self.states: dict[int, Tensor] = {}

    def offer(self, layer: int, state: Tensor) -> None:
        """Called by the network, for every layer or those that are wanted."""
        if layer in self.layers:
            self.states[layer] = state


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one pass, as the decoder lays them out: those of several requests, one after the other.

    `tokens` int64 [rows]; `wanted` int64 [wanted], ascending, are the rows whose logits are wanted: most prompt rows
    need none. `taps` are filled by the forward; states that it hands out last until the next one.
    """

    tokens: NDArray[np.int64]
    wanted: NDArray[np.int64]
    batch: Batch
    taps: Taps | None = None

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The same rows as a network sees them, on its device: `tokens` and `positions` [rows], `wanted` [wanted]."""

    tokens: Tensor
    positions: Tensor
    wanted: Tensor
    memory: Memory
    taps: Taps | None = None


class Network(Protocol):
    """A decoder's arithmetic. One of these backs every Target.

    `kv_width` is how many numbers the keys and values of one token take, all layers together; `embedding` and `head`
    [vocab, hidden] are its first and its last matrix, `packed_head` is the last one as products read it. Layers look
    back over as many positions as one of `windows` says, None for all.
    """

    layers: int
    vocab: int
    context: int
    hidden: int
    kv_width: int
    heads: Heads
    windows: frozenset[int | None]

    @property
    def embedding(self) -> Tensor: ...

    @property
    def head(self) -> Tensor: ...

    @property
    def packed_head(self) -> Tensor: ...

    def forward(self, inputs: Inputs) -> Tensor:
        """Logits [wanted, vocab], in any float type. The rows' keys and values are written to the memory."""
