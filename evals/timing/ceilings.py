"""What must be read and computed, and what a machine allows for it: the time that nothing can undercut."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch

from fastedit.model.packed import multiplies_bfloat16

Clock = Callable[[], float]
SQUARE = 2048  # rows and columns of the product whose rate is the ceiling
READ = 1 << 28  # numbers of float32 that are read for the bandwidth: 1 GB
RUNS = 5


class PassWork(NamedTuple):
    """What must be read or written once, and what must be computed, in bytes and operations."""

    bytes: int
    operations: int


class Ceilings(NamedTuple):
    """Bytes a second of a large read or copy, and operations a second of a large product."""

    bytes_per_s: float
    flop_per_s: float

    def floor(self, work: PassWork) -> tuple[float, str]:
        """Seconds, and which of the two ceilings they are due to."""
        by_bytes, by_operations = work.bytes / self.bytes_per_s, work.operations / self.flop_per_s
        return (by_bytes, "bytes") if by_bytes > by_operations else (by_operations, "operations")

    def best(self, other: Ceilings) -> Ceilings:
        """The higher of two measurements: a busy machine lowers both."""
        return Ceilings(*map(max, self, other))


def of_processor(dtype: torch.dtype, clock: Clock) -> Ceilings:
    """What this processor reaches with the threads that torch has."""
    a, b = (torch.randn(SQUARE, SQUARE).to(dtype) for _ in range(2))
    read = torch.ones(READ)
    return Ceilings(read.nbytes / _least(read.sum, clock), 2 * SQUARE**3 / _least(lambda: a @ b, clock))


def dtype_of_processor() -> torch.dtype:
    """In which this processor computes products fastest."""
    return torch.bfloat16 if multiplies_bfloat16(torch.device("cpu")) else torch.float32


@torch.inference_mode()
def _least(run: Callable[[], object], clock: Clock) -> float:
    """Seconds of the fastest of several runs."""
    times = []
    for _ in range(RUNS):
        started = clock()
        run()
        times.append(clock() - started)
    return min(times)
