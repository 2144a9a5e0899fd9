"""`python -m evals.gpu_plan`: how evenly attention's work is cut, what a shared prefix saves of it, and the host's time
to plan a pass. Needs no GPU.

Balance is the time of the work if all programs read the same, over that of the longest program, both in pages of keys.
There are as many programs as the compiled kernels let an H200 hold, for the 7B shape, and none for fewer than
LEAST_PAGES.

Host times are the processor's own, of one thread: medians of many passes over requests with a tree each, after 8192
tokens.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from statistics import median
from time import thread_time
from typing import NamedTuple

import numpy as np
import torch
import typer
from fastedit_kernels.packing import Packing
from fastedit_kernels.tree_attention import PAGE, Batch
from fastedit_kernels.tree_attention.plan import LEAST_PAGES, block_for, capacity, cut_for, plan_arrays
from fastedit_kernels.tree_attention.shared import ALONE
from fastedit_kernels.tree_verify import forest_arrays
from fastedit_kernels.tree_verify.forest import Draw
from numpy.typing import NDArray

from evals.kernels.attention import tree_batch
from evals.kernels.case import SHAPES, KernelCase
from evals.kernels.layer import chain
from evals.publish import Json, publish
from evals.timing.gpu import RESULTS

HEADS = SHAPES["7B"].heads
BATCHES, ROWS = (1, 4, 16, 32), (1, 16, 64, 128, 512)
CONTEXTS = (1 << 10, 1 << 13, 1 << 14, 1 << 17)
MULTIPROCESSORS = 132
RESIDENT = {16: 3, 32: 2, 64: 1, 128: 1}  # on sm_90, see the table of compiled launches
RUNS = 200
CONTEXT, NODES = 8192, 16
Numbers = NDArray[np.integer]


class Balance(NamedTuple):
    """Of a plan: programs that work, pages of the longest, and the share of the ideal."""

    batch: int
    rows: int
    context: int
    programs: int
    longest: float
    balance: float


def balances() -> Iterator[Balance]:
    for batch, rows, context in product(BATCHES, ROWS, CONTEXTS):
        if batch * rows <= 2048:
            yield balance_of(batch, rows, context)


def balance_of(batch: int, rows: int, context: int, window: int | None = None) -> Balance:
    block = block_for(rows, HEADS)
    most = MULTIPROCESSORS * RESIDENT[block]
    case = KernelCase("tree_attention", "7B", batch, context, rows)
    arrays, _ = plan_arrays(tree_batch(case, random.Random(0)), HEADS, block, most, window=window)
    each, ideal = _loads(arrays, most)
    return Balance(batch, rows, context, int((each > 0).sum()), float(each.max()), float(ideal / each.max()))


def _loads(arrays: Mapping[str, Numbers], most: int) -> tuple[Numbers, float]:
    """Pages of each program, and what each would read if they could be cut anywhere. Half a page is the least that is
    cut."""
    half = PAGE // 2
    pages = (-(-arrays["items"][:, 2] // half) - arrays["items"][:, 1] // half) / 2
    each = np.diff(np.concatenate([[0], np.cumsum(pages)])[arrays["programs"]])
    programs = min(most // HEADS.kv_heads, np.ceil(pages.sum() / LEAST_PAGES))
    return each, pages.sum() / programs


class Saving(NamedTuple):
    """Of a pass over requests that begin with the same pages: MB of a layer's keys, values and partial results that
    are read and written, each request by itself and all together; and the balance then."""

    batch: int
    rows: int
    context: int
    alone: float
    together: float
    balance: float


def saving_of(batch: int, rows: int, context: int) -> Saving:
    case = KernelCase("tree_attention", "7B", batch, context, rows, shared=True)
    passed = tree_batch(case, random.Random(0))
    moved = []
    for block, shared in ((block_for(rows, HEADS), ALONE), cut_for(passed, HEADS, 2)):
        most = MULTIPROCESSORS * RESIDENT[block]
        arrays, _ = plan_arrays(passed, HEADS, block, most, shared=shared)
        moved.append(_moved(arrays) / 1e6)
    each, ideal = _loads(arrays, most)
    return Saving(batch, rows, context, moved[0], moved[1], float(ideal / each.max()))


def _moved(arrays: Mapping[str, Numbers]) -> int:
    """Bytes in bf16; a partial result and its two sums are float32, written and read."""
    tile, begin, end, part = arrays["items"].T
    queries = (arrays["tiles"][:, 2] - arrays["tiles"][:, 1])[tile]
    partial = int(queries[part >= 0].sum()) * 2 * 4 * (HEADS.size + 2)
    return HEADS.kv_heads * (int((end - begin).sum()) * 2 * 2 * HEADS.size + partial)


class HostTime(NamedTuple):
    """Microseconds of the processor; `shared` requests begin with the same pages."""

    requests: int
    nodes: int
    shared: bool
    plan: float
    forest: float
    send: float

    @property
    def name(self) -> str:
        return f"{self.requests}, of one prefix" if self.shared else str(self.requests)

    @property
    def total(self) -> float:
        return self.plan + self.forest + self.send


def host_time(requests: int, *, nodes: int = NODES, shared: bool = False) -> HostTime:
    case = KernelCase("", "7B", requests, CONTEXT, nodes + 1, shared=shared)
    spans = tree_batch(case, random.Random(0)).spans
    trees = [chain(nodes + 1, Draw()) for _ in spans]
    programs, rows = MULTIPROCESSORS, requests * (nodes + 1)
    block, prefixes = cut_for(Batch(spans), HEADS, 2)
    rooms = capacity(rows, requests, CONTEXT // PAGE + 2, HEADS, block, {None: programs})
    packing = Packing(rooms, torch.device("cpu"))
    arrays, _ = plan_arrays(Batch(spans), HEADS, block, programs, shared=prefixes)

    def plan() -> None:
        batch = Batch(spans)
        block, prefixes = cut_for(batch, HEADS, 2)
        plan_arrays(batch, HEADS, block, programs, shared=prefixes)
        assert len(batch.slots) == len(batch.positions) == rows

    return HostTime(
        requests,
        nodes,
        shared,
        _us(plan),
        _us(lambda: forest_arrays(trees)),
        _us(lambda: packing.write(arrays)),
    )


def _us(run: Callable[[], object]) -> float:
    def once() -> float:
        started = thread_time()
        run()
        return 1e6 * (thread_time() - started)

    once()
    return median(once() for _ in range(RUNS))


def main(json_file: Json = RESULTS / "plan.json") -> None:
    """Balance of attention's plans, what shared prefixes save, and the host's time."""
    found, times = list(balances()), [host_time(requests) for requests in (1, 4, 16, 32)]
    times += [host_time(requests, nodes=4, shared=True) for requests in (4, 32)]
    savings = [saving_of(batch, rows, CONTEXT) for batch in BATCHES[1:] for rows in (1, 5, 17)]
    figures = {
        "requests x rows x context": {f"{b.batch} x {b.rows} x {b.context}": b._asdict() for b in found},
        "of one prefix, MB": {f"{s.batch} x {s.rows} x {s.context}": s._asdict() for s in savings},
        "requests, us of the host": {t.name: t._asdict() | {"total": t.total} for t in times},
    }
    publish("7B shape on an H200", {"least_balance": min(b.balance for b in found)}, figures, json_file)


if __name__ == "__main__":
    typer.run(main)
