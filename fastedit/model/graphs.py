"""A network's pass as a CUDA graph: launched once for a hundred kernels, over tensors that stay where they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from fastedit_kernels.packing import Packing
from fastedit_kernels.tree_attention.plan import Plan
from numpy.typing import NDArray
from torch import Tensor

from fastedit.model.base import Network, Taps
from fastedit.model.pages import PagePool

_memory: dict[torch.device, Any] = {}  # one pool of activations for all graphs of a device


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
        taps: Taps | None = None,
    ) -> None:
        from fastedit.model.device import inputs_of

        self._packing = packing
        packing.send(arrays)
        views = packing.views()
        self.plan = plan_of(views)
        side = torch.cuda.Stream(pool.device)  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream(pool.device))
        with torch.cuda.stream(
            side
        ):  # libraries choose and allocate at their first call, which must not be captured
            network.forward(inputs_of(views, self.plan, pool, taps))
        torch.cuda.current_stream(pool.device).wait_stream(side)
        memory = _memory.setdefault(pool.device, torch.cuda.graph_pool_handle())
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, pool=memory):
            self._logits = network.forward(inputs_of(views, self.plan, pool, taps))
        self.states = {} if taps is None else taps.states

    def replay(self, arrays: Mapping[str, NDArray[np.int32]]) -> Tensor:
        """Logits [rows, vocab], in the order of `wanted`; the next replay of any graph overwrites them."""
        self._packing.send(arrays)
        self._graph.replay()
        return self._logits
