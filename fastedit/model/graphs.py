"""A network's pass as a CUDA graph: launched once for a hundred kernels, over tensors that stay where they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

import numpy as np
import torch
from fastedit_kernels.packing import Packing
from fastedit_kernels.tree_attention.plan import Plan
from numpy.typing import NDArray
from torch import Tensor

from fastedit.model.base import Network, Taps
from fastedit.model.pages import PagePool

_capturing = Lock()  # a process captures one graph at a time


class Room:
    """Where the graphs of one network have their activations, and the stream on which they are captured.

    Two networks need two: what one of them replays must not lie over logits that the other still reads.
    """

    def __init__(self, device: torch.device) -> None:
        self.memory: Any = torch.cuda.graph_pool_handle()
        self.stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]


class Graph:
    """One pass over as many rows as the packing has room for. Runs on CUDA only. `states` are the hidden states that
    `taps` asked for, which every replay writes anew.

    Every number that differs from pass to pass is in the packing: the kernels are launched for the most work that there
    may be, and those that find none end at once.
    """

    def __init__(
        self,
        network: Network,
        pool: PagePool,
        packing: Packing,
        arrays: Mapping[str, NDArray[np.int32]],
        plan_of: Callable[[Mapping[str, Tensor]], Plan],
        room: Room,
        taps: Taps | None = None,
    ) -> None:
        from fastedit.model.device import inputs_of

        self._packing = packing
        packing.send(arrays)
        views = packing.views()
        self.plan = plan_of(views)
        self._graph = torch.cuda.CUDAGraph()
        before = torch.cuda.current_stream(pool.device)
        with _capturing:
            try:
                room.stream.wait_stream(before)
                # Libraries choose and allocate at their first call, which must not be captured.
                with torch.cuda.stream(room.stream):
                    network.forward(inputs_of(views, self.plan, pool, taps))
                # Other threads may allocate meanwhile: only what this one does must fit in a graph.
                with torch.cuda.graph(
                    self._graph, pool=room.memory, stream=room.stream, capture_error_mode="thread_local"
                ):
                    self._logits = network.forward(inputs_of(views, self.plan, pool, taps))
            finally:
                torch.cuda.set_stream(before)  # which a capture that fails does not do
            before.wait_stream(room.stream)
        self.states = {} if taps is None else taps.states

    def replay(self, arrays: Mapping[str, NDArray[np.int32]]) -> Tensor:
        """Logits [rows, vocab], in the order of `wanted`; the next replay of any graph in its room overwrites them."""
        self._packing.send(arrays)
        self._graph.replay()
        return self._logits
