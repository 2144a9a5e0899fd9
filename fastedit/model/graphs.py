"""Work as a CUDA graph: launched once for a hundred kernels, over tensors that stay where they are."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from fastedit_kernels.packing import Packing
from fastedit_kernels.tree_attention.plan import PassPlan
from numpy.typing import NDArray
from torch import Tensor

from fastedit.errors import reason
from fastedit.model.base import Taps

log = logging.getLogger(__name__)

Plans = Mapping[int | None, PassPlan]
"""By the layers' windows."""

Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")

# Held while a graph is captured: one at a time in a process. Whatever waits for the whole device takes it too, for that
# would break a capture of any other thread.
CAPTURING = Lock()
PATIENCE = 64  # passes from a capture that failed to the next try, twice as many after each


def current(device: torch.device) -> AbstractContextManager[object]:
    """Has launches and captures of this thread go to the device, whatever others have chosen."""
    return torch.cuda.device(device) if device.type == "cuda" else nullcontext()


class Room:
    """Where graphs have their activations, and the stream on which they are captured.

    What one graph of a room hands out lasts until the next replay of any: two models need a room each.
    """

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._renew()

    def _renew(self) -> None:
        self._memory: Any = torch.cuda.graph_pool_handle()
        self._stream = torch.cuda.Stream(self._device)  # type: ignore[no-untyped-call]

    def capture(self, run: Callable[[], Made]) -> tuple[torch.cuda.CUDAGraph, Made]:
        """A graph of `run`, which is called twice, and what it returned: tensors that each replay writes anew.

        Raises what `run` raises, and where the device cannot capture it.
        """
        graph, before = torch.cuda.CUDAGraph(), torch.cuda.current_stream(self._device)
        with CAPTURING:
            try:
                self._stream.wait_stream(before)
                # Libraries choose and allocate at their first call, which must not be captured.
                with torch.cuda.stream(self._stream):
                    run()
                # Other threads may allocate meanwhile: only what this one does must fit in a graph.
                with torch.cuda.graph(
                    graph, pool=self._memory, stream=self._stream, capture_error_mode="thread_local"
                ):
                    made = run()
            except BaseException:
                # torch leaves its allocator capturing where the end of a capture fails.
                with suppress(Exception):
                    torch._C._cuda_endAllocateToPool(before.device_index, self._memory)
                self._renew()  # what the failed capture left there is not known
                raise
            finally:
                torch.cuda.set_stream(before)  # which a capture that fails does not do
            before.wait_stream(self._stream)
        return graph, made


class Graphs(Generic[Key, Made]):
    """Graphs by their sizes, made when they are first asked for. A capture that fails, as one does while memory is
    short, is tried again later; meanwhile passes of that size run without."""

    def __init__(self) -> None:
        self._made: dict[Key, Made] = {}
        self._failures = dict[Key, int]()
        self._wait = dict[Key, int]()  # passes until the next try

    def get(self, key: Key, capture: Callable[[], Made]) -> Made | None:
        """None where there is none now."""
        if key not in self._made:
            self._try(key, capture)
        return self._made.get(key)

    @property
    def complete(self) -> bool:
        """Whether every size that was asked for has its graph."""
        return not self._wait

    def _try(self, key: Key, capture: Callable[[], Made]) -> None:
        self._wait[key] = self._wait.get(key, 0) - 1
        if self._wait[key] > 0:
            return
        try:
            self._made[key] = capture()
            del self._wait[key]
        except Exception as error:  # a network from elsewhere may do what a graph cannot hold
            failures = self._failures[key] = self._failures.get(key, 0) + 1
            self._wait[key] = PATIENCE << (failures - 1)
            log.warning("no CUDA graph for now, next try in %d passes: %s", self._wait[key], reason(error))


class Graph:
    """One pass over as many rows as the packing has room for. Runs on CUDA only. `states` are the hidden states that
    `taps` asked for, which every replay writes anew.

    Every number that differs from pass to pass is in the packing: the kernels are launched for the most work that there
    may be, and those that find none end at once.
    """

    def __init__(
        self,
        room: Room,
        run: Callable[[], Tensor],
        packing: Packing,
        plans: Plans,
        taps: Taps | None,
    ) -> None:
        """`run` is the pass over what the packing holds, and returns its logits."""
        self._packing, self.plans = packing, plans
        self._graph, self._logits = room.capture(run)
        self.states = {} if taps is None else taps.states

    def replay(self, arrays: Mapping[str, NDArray[np.int32]]) -> Tensor:
        """Logits [rows, vocab], in the order of `wanted`; the next replay of any graph in its room overwrites them."""
        self._packing.write(arrays)
        self._graph.replay()
        return self._logits
