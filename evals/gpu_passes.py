"""Single passes of a model beside the time to read its weights and its cache once."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from statistics import median

import torch

from evals.ceilings import Work
from evals.gpu_machine import Gpu
from evals.publish import rows_table
from evals.replay.models import PassCost
from fastedit.decode.layout import Part, lay_out
from fastedit.draft.tree import TokenTree
from fastedit.model.cache import Cache
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
    cache = target.new_cache()
    for _ in range(0, context, CHUNK):
        target.forward(lay_out([Part([0] * CHUNK, TokenTree.empty(), cache)]))
        cache.keep(range(CHUNK))
    cost, fp8 = PassCost.of(target), target.settings.weights == "fp8"
    for rows in ROWS:
        work = cost.work(rows, rows, context)
        floor, bound = card.ceilings(fp8=fp8).floor(work)
        alone, _ = card.ceilings().floor(Work(cost.bytes, 0))
        yield Pass(rows, context, _median_ms(target, cache, rows), 1000 * alone, 1000 * floor, bound, work)
    cache.free()


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
    columns = [field.name for field in fields(Pass) if field.name != "work"]
    return rows_table({name: getattr(one, name) for name in columns} for one in passes)
