"""Single passes of a model beside the time to read its weights and its cache once."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from statistics import median
from typing import Any

import torch
from torch import Tensor

from evals.gpu_machine import Gpu, Work, floor_of
from evals.table import table
from fastedit.decode.layout import Part, lay_out
from fastedit.draft.tree import TokenTree
from fastedit.model.cache import Cache
from fastedit.model.fused import FusedNetwork
from fastedit.model.target import Target

CONTEXT, ROWS, CHUNK = 8192, (1, 16, 64, 128, 256), 512
RUNS = 20


@dataclass(frozen=True, slots=True)
class Pass:
    """`weights_ms` is the time to read the weights once, `floor_ms` the larger of the times for all bytes and for all
    operations of the pass."""

    rows: int
    context: int
    ms: float
    weights_ms: float
    floor_ms: float
    bound: str
    work: Work


def measured(target: Target, card: Gpu, context: int = CONTEXT) -> Iterator[Pass]:
    """The median of several passes of each row count behind `context` tokens."""
    network = target.network
    assert isinstance(network, FusedNetwork)
    cache = target.new_cache()
    for _ in range(0, context, CHUNK):
        target.forward(lay_out([Part([0] * CHUNK, TokenTree.empty(), cache)]))
        cache.keep(range(CHUNK))
    weights = Work(*map(sum, zip(*(_matrix(matrix) for matrix in matrices(network)), strict=True)))
    for rows in ROWS:
        slots = context + rows
        attended = 4 * network.layers * network.heads.heads * network.heads.size * slots
        work = Work(
            weights.bytes + slots * network.kv_width * target.pool.dtype.itemsize,
            rows * (weights.operations + attended),
        )
        floor, bound = floor_of(work, card, fp8=target.settings.weights == "fp8")
        alone, _ = floor_of(Work(weights.bytes, 0), card)
        yield Pass(rows, context, _median_ms(target, cache, rows), alone, floor, bound, work)
    cache.free()


def matrices(network: FusedNetwork) -> Iterator[Tensor]:
    """Everything that a pass multiplies by; of the embedding it reads a few rows only."""
    for block in network._blocks:
        yield from (block.qkv, block.out, block.down)
        yield from (block.gate_up if isinstance(block.gate_up, tuple) else (block.gate_up,))
    yield network.head


def _matrix(matrix: Tensor) -> Work:
    """Its bytes, and the operations that a row takes."""
    return Work(stored(matrix), 2 * matrix.shape[0] * matrix.shape[1])


def stored(tensor: Any) -> int:
    """Bytes of a tensor, or of those that torchao has made of it."""
    if hasattr(tensor, "__tensor_flatten__"):
        names, _ = tensor.__tensor_flatten__()
        return sum(stored(getattr(tensor, name)) for name in names)
    return int(tensor.nbytes)


def _median_ms(target: Target, cache: Cache, rows: int) -> float:
    def run() -> float:
        started = time.perf_counter()
        target.forward(lay_out([Part([0] * rows, TokenTree.empty(), cache)]))
        if target.device.type == "cuda":
            torch.cuda.synchronize()
        return 1000.0 * (time.perf_counter() - started)

    run()  # captures the graph
    return median(run() for _ in range(RUNS))


def show_passes(passes: Iterable[Pass]) -> str:
    head = [field.name for field in fields(Pass)][:-1]
    body = [
        [f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in astuple(one)[:-1]]
        for one in passes
    ]
    return table(head, body)
