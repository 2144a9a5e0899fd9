"""What must be read and computed, and what a machine allows for it: the time that nothing can undercut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F

Clock = Callable[[], float]
DTYPES = (torch.bfloat16, torch.float32)
SQUARE = 2048  # rows and columns of the product whose rate is the ceiling
READ = 1 << 28  # numbers of float32 that are read for the bandwidth: 1 GB
RUNS = 5
FEW, MANY = 1, 64  # rows of a pass without drafts, and of one with


class Work(NamedTuple):
    """What must be read or written once, and what must be computed, in bytes and operations."""

    bytes: int
    operations: int


class Ceilings(NamedTuple):
    """Bytes a second of a large read or copy, and operations a second of a large product."""

    bytes_per_s: float
    flop_per_s: float

    def floor(self, work: Work) -> tuple[float, str]:
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


def faster_dtype(
    hidden: int, inner: int, clock: Clock, layers: int = 8
) -> tuple[torch.dtype, dict[str, dict[str, float]]]:
    """Which type runs a block's largest product faster, all row counts together; milliseconds by type and rows.

    As many different matrices as a cache does not hold are multiplied in turn.
    """
    found = {}
    for dtype in DTYPES:
        weights = [torch.randn(2 * inner, hidden).to(dtype) for _ in range(layers)]
        found[dtype] = {rows: _product_ms(weights, rows, clock) for rows in (FEW, MANY)}
    best = min(DTYPES, key=lambda dtype: sum(found[dtype].values()))
    named = {
        str(dtype).removeprefix("torch."): {str(rows): ms for rows, ms in times.items()}
        for dtype, times in found.items()
    }
    return best, named


def _product_ms(weights: Sequence[torch.Tensor], rows: int, clock: Clock) -> float:
    x = torch.randn(rows, weights[0].shape[1]).to(weights[0].dtype)

    def run() -> None:
        for weight in weights:
            F.linear(x, weight)

    return 1000.0 * _least(run, clock) / len(weights)


@torch.inference_mode()
def _least(run: Callable[[], object], clock: Clock) -> float:
    """Seconds of the fastest of several runs."""
    times = []
    for _ in range(RUNS):
        started = clock()
        run()
        times.append(clock() - started)
    return min(times)
