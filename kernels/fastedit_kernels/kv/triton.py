"""The accepted path moves to the front, in Triton: one launch for all layers, before the host knows the path.

Bound by the bytes of the rows that move: 2 * accepted * width of every store.
"""
# mypy: disallow-untyped-defs=False, disallow-incomplete-defs=False, disallow-untyped-decorators=False
# ruff: noqa: ANN001, ANN202

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

import torch
import triton
import triton.language as tl
from torch import Tensor

from fastedit_kernels.tree_attention.plan import PassPlan
from fastedit_kernels.tree_attention.span import PAGE
from fastedit_kernels.tree_verify import Walked
from fastedit_kernels.tree_verify.forest import MOST_NODES

LOAD = 16  # bytes of a thread's widest load
ROWS, WIDTH = 32, 256  # that a program holds at once
KINDS = {torch.float32: tl.float32, torch.float16: tl.float16, torch.bfloat16: tl.bfloat16}


class Addresses(NamedTuple):
    """Stores of one dtype as `move` reads them: `table` int64 [stores, 2] has where each begins and how wide its rows
    are, `widest` is the widest. `step` numbers may be read at once: all rows begin at a multiple of it."""

    table: Tensor
    widest: int
    step: int
    dtype: torch.dtype

    @classmethod
    def of(cls, stores: Sequence[Tensor]) -> Addresses:
        widths = [store[0].numel() for store in stores]
        table = [(store.data_ptr(), width) for store, width in zip(stores, widths, strict=True)]
        size = stores[0].element_size()
        step = gcd(LOAD // size, *widths, *(begin // size for begin, _ in table))
        return cls(torch.tensor(table, device=stores[0].device), max(widths), step, stores[0].dtype)


def move(stores: Addresses, plan: PassPlan, walked: Walked) -> None:
    """As the reference; the requests of the plan are those of the walk."""
    grid = (len(walked.found), len(stores.table), triton.cdiv(stores.widest, WIDTH))
    _move[grid](
        stores.table, plan.spans, plan.table, walked.found, walked.paths, plan.table.shape[1],
        KIND=KINDS[stores.dtype], STEP=stores.step, STEP_BYTES=stores.step * stores.dtype.itemsize,
        PAGE=PAGE, MOST=MOST_NODES, ROWS=ROWS, WIDTH=WIDTH, num_warps=4,
    )  # fmt: skip


@triton.jit
def _move(
    stores, spans, table, found, paths, table_width,
    KIND: tl.constexpr, STEP: tl.constexpr, STEP_BYTES: tl.constexpr, PAGE: tl.constexpr, MOST: tl.constexpr,
    ROWS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """A stretch of columns of one store for one request. Rows move down and in order: a row that is read has not been
    written by an earlier block of rows, and within a block everything is read before anything is written."""
    request, which = tl.program_id(0), tl.program_id(1)
    count, forest = tl.load(found + request * 2), tl.load(spans + request * 4 + 2)
    # Of numbers that come from memory Triton must be told what they are multiples of, or it loads them one by one.
    store = tl.multiple_of(tl.load(stores + which * 2).to(tl.pointer_type(KIND)), STEP_BYTES)
    width = tl.multiple_of(tl.load(stores + which * 2 + 1), STEP)
    column = tl.program_id(2) * WIDTH + tl.arange(0, WIDTH)
    for start in tl.range(0, count, ROWS):
        step = start + tl.arange(0, ROWS)
        node = tl.load(paths + request * MOST + step, mask=step < count, other=0)
        moves = (step < count) & (node != step)
        source, target = forest + node, forest + step
        whence = tl.load(table + request * table_width + source // PAGE, mask=moves, other=0).to(tl.int64)
        where = tl.load(table + request * table_width + target // PAGE, mask=moves, other=0).to(tl.int64)
        mask = moves[:, None] & (column < width)[None, :]
        rows = tl.load(
            store + ((whence * PAGE + source % PAGE) * width)[:, None] + column[None, :], mask=mask
        )
        tl.debug_barrier()
        tl.store(store + ((where * PAGE + target % PAGE) * width)[:, None] + column[None, :], rows, mask=mask)
        tl.debug_barrier()
