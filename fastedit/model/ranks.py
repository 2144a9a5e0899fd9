"""One model on several devices, by tensor parallelism under torchrun.

Rank 0 decides everything. What the others do must not depend on clocks or on who asks when, so they hold no requests:
each pass that rank 0 runs, and each move within its cache, is sent to them first, and they do the same with their part
of the weights.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.distributed as dist
from numpy.typing import NDArray

from fastedit.model.pages import PagePool

Message = tuple[str, tuple[Any, ...]]

LONG = timedelta(days=365)  # a server may have nothing to do for so long


class Ranks(NamedTuple):
    """Which of the processes that torchrun has started this is; `local` counts within the machine."""

    rank: int
    world: int
    local: int


def ranks() -> Ranks | None:
    """None where this process runs by itself."""
    world = int(os.environ.get("WORLD_SIZE", "1"))
    if world == 1 or "LOCAL_RANK" not in os.environ:
        return None
    return Ranks(int(os.environ["RANK"]), world, int(os.environ["LOCAL_RANK"]))


class RankBroadcast:
    """From rank 0 to the others. All ranks make theirs at the same time, after the model has been loaded."""

    def __init__(self) -> None:
        self._group = dist.new_group(backend="gloo", timeout=LONG)
        self._sending = Lock()

    def send(self, kind: str, *arguments: Any) -> None:
        """From any thread of rank 0."""
        with self._sending:
            dist.broadcast_object_list(
                [(kind, arguments)], src=0, group=self._group, device=torch.device("cpu")
            )

    def least(self, number: int) -> int:
        """The smallest of what all ranks pass."""
        found = torch.tensor(number)
        dist.all_reduce(found, dist.ReduceOp.MIN, group=self._group)
        return int(found)

    def follow(self, does: dict[str, Callable[..., object]]) -> None:
        """Do what rank 0 sends until it ends, in whichever way."""
        while True:
            box: list[Message | None] = [None]
            try:
                dist.broadcast_object_list(box, src=0, group=self._group, device=torch.device("cpu"))
            except RuntimeError:  # the line is down
                return
            assert box[0] is not None
            kind, arguments = box[0]
            does[kind](*arguments)


class SharedPool(PagePool):
    """Rank 0's pool: the others' parts of the same pages move with it."""

    def __init__(
        self,
        line: RankBroadcast,
        layers: int,
        count: int,
        dtype: torch.dtype,
        device: torch.device,
        watermark: int,
    ) -> None:
        super().__init__(layers, count, dtype, device, watermark)
        self._line = line

    def move(self, source: NDArray[np.int64], target: NDArray[np.int64]) -> None:
        self._line.send("move", source, target)
        super().move(source, target)
