"""What this machine's processor and memory allow, measured: the time that an edit cannot undercut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from fastedit.model.fused import Shape

Clock = Callable[[], float]
DTYPES = (torch.bfloat16, torch.float32)
SQUARE = 2048  # rows and columns of the product whose rate is the ceiling
READ = 1 << 28  # numbers of float32 that are read for the bandwidth: 1 GB
RUNS = 5
FEW, MANY = 1, 64  # rows of a pass without drafts, and of one with


@dataclass(frozen=True, slots=True)
class Ceilings:
    """What two cores reach here: operations a second of a large product in `dtype`, bytes a second of a read."""

    dtype: str
    flop_per_s: float
    bytes_per_s: float

    def best(self, other: Ceilings) -> Ceilings:
        """The higher of two measurements: a busy machine lowers both."""
        return Ceilings(
            self.dtype,
            max(self.flop_per_s, other.flop_per_s),
            max(self.bytes_per_s, other.bytes_per_s),
        )


@dataclass(frozen=True, slots=True)
class Work:
    """A model's cost by its shape: operations of a row in the blocks and in the head, of a row for each slot that it
    attends to, and the bytes of all matrices."""

    block: int
    head: int
    slot: int
    bytes: int

    @classmethod
    def of(cls, shape: Shape, hidden: int, inner: int, width: int) -> Work:
        """`width`: bytes of a weight."""
        attention = shape.head_dim * hidden * 2 * (shape.heads + shape.kv_heads)
        block = shape.layers * (attention + 3 * hidden * inner)
        head = shape.vocab * hidden
        return cls(
            2 * block, 2 * head, 4 * shape.layers * shape.heads * shape.head_dim, width * (block + head)
        )

    def seconds(self, ceilings: Ceilings, rows: int, wanted: int, before: int = 0) -> float:
        """The least time of one pass of `rows` rows behind `before` slots, `wanted` of them through the head."""
        seen = rows * before + rows * (rows + 1) // 2
        operations = rows * self.block + wanted * self.head + seen * self.slot
        return max(operations / ceilings.flop_per_s, self.bytes / ceilings.bytes_per_s)


def ceilings(dtype: torch.dtype, clock: Clock) -> Ceilings:
    a, b = (torch.randn(SQUARE, SQUARE).to(dtype) for _ in range(2))
    read = torch.ones(READ)
    flop = 2 * SQUARE**3 / _least(lambda: a @ b, clock)
    return Ceilings(str(dtype).removeprefix("torch."), flop, read.nbytes / _least(read.sum, clock))


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
