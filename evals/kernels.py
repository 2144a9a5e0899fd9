"""`python -m evals.kernels`: tree attention on a GPU against its floor, torch SDPA and FlexAttention.

The floor of a case is the larger of two times: the bytes of the cache that must be read once over the measured copy
rate, and the operations over the measured matrix rate. `share` is the floor over the time. Every case is compared with
the reference in float64 before it is timed; a case that differs is reported as wrong, without a time.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
import typer
from fastedit_kernels.packing import send
from fastedit_kernels.tree_attention import PAGE, Batch, Span, tree_attention, unpack
from fastedit_kernels.tree_attention.plan import Heads, Plan, block_for, plan_arrays
from torch import Tensor

from evals.gpu_machine import Gpu, gpu, lacking, median_ms
from evals.machine import machine
from evals.table import table
from fastedit.model.device import RESIDENT

CLOSE = 1e-2  # relative error of bf16 against float64, by the norm
MEGABYTE = 1 << 20
HEADS = {"7B": Heads(28, 4, 128), "70B": Heads(64, 8, 128)}


class Case(NamedTuple):
    shape: str
    batch: int
    context: int
    rows: int


class Work(NamedTuple):
    """What must be read once, and what must be computed, in bytes and operations."""

    bytes: int
    operations: int


class Dense(NamedTuple):
    q: Tensor
    k: Tensor
    v: Tensor
    sees: Tensor


@dataclass(frozen=True, slots=True)
class Outcome:
    """Milliseconds, None where a way cannot run (out of memory, not supported) or is not asked for."""

    case: Case
    error: float
    ms: float | None
    work: Work
    floor_ms: float
    bound: str
    sdpa_ms: float | None
    flex_ms: float | None

    @property
    def share(self) -> float:
        return 0.0 if self.ms is None else self.floor_ms / self.ms


def cases(quick: bool) -> Iterator[Case]:
    if quick:
        yield from (Case("7B", 1, 4096, 64), Case("7B", 4, 1024, 16))
        return
    for shape in HEADS:
        for context in (1024, 4096, 8192, 16384, 65536):
            yield from (Case(shape, 1, context, rows) for rows in (1, 16, 64, 256))
        for batch in (4, 16, 32):
            yield from (Case(shape, batch, 8192, rows) for rows in (1, 16, 64))


def tree_batch(case: Case, rng: random.Random) -> Batch:
    """Requests with one trunk row and a tree that branches now and then, on pages in random order."""
    words = np.zeros((case.rows - 1, -(-(case.rows - 1) // 64)), dtype=np.uint64)
    depths: list[int] = []
    for node in range(case.rows - 1):
        parent = node - 1 if rng.random() < 0.95 else rng.randrange(-1, node)
        if parent >= 0:
            words[node] = words[parent]
        words[node, node // 64] |= np.uint64(1 << node % 64)
        depths.append(1 + (depths[parent] if parent >= 0 else 0))
    positions = case.context + np.array([0, *depths])
    count = -(-(case.context + case.rows) // PAGE)
    pages = np.random.default_rng(0).permutation(count * case.batch).astype(np.int32)
    return Batch(
        [
            Span(case.context, 1, positions, words, pages[i * count : (i + 1) * count])
            for i in range(case.batch)
        ]
    )


def measure(case: Case, card: Gpu) -> Outcome:
    from fastedit_kernels.tree_attention.triton import tree_attention as kernel

    torch.manual_seed(0)
    heads, device = HEADS[case.shape], torch.device("cuda")
    batch = tree_batch(case, random.Random(0))
    slots = PAGE * sum(len(span.pages) for span in batch.spans)
    k, v = (torch.randn(slots, heads.kv_heads, heads.size, device=device).bfloat16() for _ in range(2))
    q = torch.randn(batch.rows, heads.heads, heads.size, device=device).bfloat16()
    block = block_for(case.rows, heads)
    programs = torch.cuda.get_device_properties(device).multi_processor_count * RESIDENT[block]
    arrays, parts = plan_arrays(batch, heads, block, programs)
    plan, scale = Plan.of(block, parts, send(arrays, device)), heads.size**-0.5
    error = _error(kernel(q, k, v, plan, scale=scale), q, k, v, batch, scale)
    work = work_of(case, heads)
    floor, bound = floor_of(work, card)
    if not error < CLOSE:
        return Outcome(case, error, None, work, floor, bound, None, None)
    ms = median_ms(lambda: kernel(q, k, v, plan, scale=scale))
    dense = _dense(case, heads, batch, device)
    sdpa = _try(lambda: _sdpa(dense, scale))
    # FlexAttention is compiled anew for every shape, which takes longer than all else.
    asked = case.batch == 1 and case.rows == 64
    flex = _try(lambda: _flex(dense, scale)) if asked else None
    return Outcome(case, error, ms, work, floor, bound, sdpa, flex)


def _error(out: Tensor, q: Tensor, k: Tensor, v: Tensor, batch: Batch, scale: float) -> float:
    """Of the first request's rows: in float64 the others would not fit beside the timing."""
    first = Batch(batch.spans[:1])
    expected = tree_attention(q[: first.rows].double(), k.double(), v.double(), first, scale=scale)
    return float((out[: first.rows].double() - expected).norm() / expected.norm())


def work_of(case: Case, heads: Heads) -> Work:
    slots = case.batch * (case.context + case.rows)
    each = 4 * slots * heads.size  # keys and values in bf16; a product with each, two operations a number
    return Work(each * heads.kv_heads, each * case.rows * heads.heads)


def floor_of(work: Work, card: Gpu) -> tuple[float, str]:
    """Milliseconds, and which of the two ceilings they are due to."""
    # The copy rate counts bytes read and bytes written.
    by_bytes = 1000 * work.bytes / card.copy_bytes_per_s
    by_operations = 1000 * work.operations / card.matrix_flop_per_s
    return (by_bytes, "bytes") if by_bytes > by_operations else (by_operations, "operations")


def _dense(case: Case, heads: Heads, batch: Batch, device: torch.device) -> Dense:
    """The same sizes for those who know no pages: q, k, v [batch, heads, .., d] and who sees whom among the rows."""
    end = case.context + case.rows
    q = torch.randn(case.batch, heads.heads, case.rows, heads.size, device=device).bfloat16()
    k, v = (
        torch.randn(case.batch, heads.kv_heads, end, heads.size, device=device).bfloat16() for _ in range(2)
    )
    sees = np.ones((case.rows, end), dtype=np.bool_)
    sees[:, case.context :] = False
    sees[:, case.context] = True
    sees[1:, case.context + 1 :] = unpack(batch.spans[0].ancestors, case.rows - 1)
    return Dense(q, k, v, torch.from_numpy(sees).to(device))


def _sdpa(dense: Dense, scale: float) -> float:
    q, k, v, sees = dense
    return median_ms(lambda: F.scaled_dot_product_attention(q, k, v, sees, scale=scale, enable_gqa=True))


def _flex(dense: Dense, scale: float) -> float:
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    q, k, v, sees = dense
    mask = create_block_mask(lambda b, h, i, j: sees[i, j], None, None, len(sees), k.shape[2], device="cuda")
    compiled = torch.compile(flex_attention, dynamic=False)
    return median_ms(lambda: compiled(q, k, v, block_mask=mask, scale=scale, enable_gqa=True))


def _try(run: Callable[[], float]) -> float | None:
    try:
        return run()
    except Exception as error:  # another's kernel may refuse a shape or run out of memory
        print(f"  skipped: {type(error).__name__}: {str(error).splitlines()[0][:100]}", file=sys.stderr)
        return None


def show(outcomes: list[Outcome]) -> str:
    def ms(value: float | None) -> str:
        return "-" if value is None else f"{value:.4f}"

    rows = [
        [f"{o.case.shape} {o.case.batch} x {o.case.context} x {o.case.rows}", ms(o.ms) if o.error < CLOSE else "WRONG",
         ms(o.floor_ms), o.bound, f"{100 * o.share:.0f} %", ms(o.sdpa_ms), ms(o.flex_ms)]
        for o in outcomes
    ]  # fmt: skip
    return table(
        ["heads, batch x context x rows", "ms", "floor ms", "bound by", "share", "SDPA ms", "flex ms"], rows
    )


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Two cases.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Tree attention: milliseconds, share of the floor, and the same by torch."""
    reason = lacking()
    if reason is not None:
        print(f"evals.kernels: {reason}", file=sys.stderr)
        raise typer.Exit(2)
    card, outcomes = gpu(), list[Outcome]()
    print(f"{card}; {machine()}")
    for case in cases(quick):
        outcomes.append(measure(case, card))
        if json_file:  # after every case, so that an interrupted run leaves what it has
            found = [asdict(o) | o.case._asdict() | o.work._asdict() | {"share": o.share} for o in outcomes]
            json_file.write_text(
                json.dumps({"gpu": card.as_dict(), "machine": machine(), "cases": found}, indent=1)
            )
    print(show(outcomes))


if __name__ == "__main__":
    typer.run(main)
