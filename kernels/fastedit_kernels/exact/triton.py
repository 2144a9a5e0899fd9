"""In Triton, for GPUs. Norms, gates and turns are one program a row (or a stretch of one) already.

Products: tiles of fixed size, each summed over the whole depth by one program. Bound by the bytes of the weights up to
about 180 rows on an H200; few columns leave multiprocessors idle, which splitting the depth would mend and which is
the price of this mode.

Attention: one program has one row and stretches of fixed length of the positions that it sees, so that each row reads
the cache by itself: from the L2 cache where they are many.
"""
# mypy: disallow-untyped-defs=False, disallow-incomplete-defs=False, disallow-untyped-decorators=False
# ruff: noqa: ANN001, ANN202

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from fastedit_kernels.fused.triton import add_norm, gate, rope_write, turns
from fastedit_kernels.tree_attention.plan import Heads, PassPlan
from fastedit_kernels.tree_attention.span import PAGE
from fastedit_kernels.tree_attention.triton import LOG2E, join, precision, sizes_of, tile_in, tile_of
from fastedit_kernels.tree_verify.forest import MOST_NODES

__all__ = ["add_norm", "attention", "compiled", "gate", "linear", "paths", "rope_write", "turns"]

ROWS, COLUMNS = 64, 64  # of a product's tile
DEPTH_BYTES = 128  # of a row, at a time
STAGES = 4


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x [rows, k] times weight [n, k] -> [rows, n], summed in float32 and rounded once."""
    assert x.stride(1) == 1
    assert weight.stride(1) == 1
    (rows, k), n = x.shape, len(weight)
    out = x.new_empty(rows, n)
    _linear[(triton.cdiv(rows, ROWS), triton.cdiv(n, COLUMNS))](
        x, weight, x if bias is None else bias, out, rows, n, k, x.stride(0), weight.stride(0),
        BIASED=bias is not None, ROWS=ROWS, COLUMNS=COLUMNS, DEPTH=DEPTH_BYTES // x.element_size(),
        PRECISION=precision(x.dtype), num_warps=8 if x.dtype == torch.float32 else 4, num_stages=STAGES,
    )  # fmt: skip
    return out


def paths(plan: PassPlan) -> Tensor:
    """int32 [rows, MOST_NODES]: for each row of a tree its ancestors and itself in the order of their depth. After
    them, and for rows of the trunk, nothing is written."""
    rows, words = plan.words.shape
    out = torch.empty(rows, MOST_NODES, dtype=torch.int32, device=plan.words.device)
    _paths[(rows,)](
        plan.words, out, words, NODES=triton.next_power_of_2(words * 32), MOST=MOST_NODES, num_warps=4
    )
    return out


def attention(
    q: Tensor, k: Tensor, v: Tensor, plan: PassPlan, order: Tensor, *, scale: float, window: int | None = None
) -> Tensor:
    """As `tree_attention`, for a plan that was made exact; `order` is what `paths` gives for it."""
    assert q.is_contiguous()
    assert k.is_contiguous()
    assert v.is_contiguous()
    heads = Heads(q.shape[1], k.shape[1], k.shape[2])
    out = q.new_empty(len(q), heads.heads, v.shape[2])
    partial = q.new_empty(plan.parts * heads.kv_heads, plan.block, v.shape[2], dtype=torch.float32)
    sums = q.new_empty(2, plan.parts * heads.kv_heads, plan.block, dtype=torch.float32)
    tile = tile_of(plan.block, q, v)
    _attend[(len(plan.programs) - 1, heads.kv_heads)](
        q, k, v, out, partial, sums, plan.spans, plan.table, plan.rows, order, plan.tiles, plan.items, plan.programs,
        plan.table.shape[1], plan.parts * heads.kv_heads * plan.block, scale * LOG2E, window or 0,
        **sizes_of(heads, v.shape[2], plan.block), WINDOWED=window is not None, PAGE=PAGE, KEYS=tile.keys,
        MOST=MOST_NODES, PRECISION=precision(q.dtype), num_warps=tile.warps, num_stages=tile.stages,
    )  # fmt: skip
    join(out, partial, sums, plan, heads)
    return out


def compiled(heads: Heads, block: int, dtype: torch.dtype) -> Any:
    """Attention's kernel, made for the current device without being launched, for layers without a window."""
    tile = tile_in(block, heads.size, dtype)
    tensors = (*(dtype,) * 4, *(torch.float32,) * 2, *(torch.int32,) * 7)
    return _attend.warmup(
        *tensors, 16, 16, 1.0, 0, **sizes_of(heads, heads.size, block), WINDOWED=False, PAGE=PAGE, KEYS=tile.keys,
        MOST=MOST_NODES, PRECISION=precision(dtype), num_warps=tile.warps, num_stages=tile.stages, grid=(1, 1),
    )  # fmt: skip


@triton.jit
def _linear(
    x, weight, bias, out, rows, n, k, x_stride, weight_stride,
    BIASED: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    depth = tl.arange(0, DEPTH)
    at_x = x + row.to(tl.int64)[:, None] * x_stride + depth[None, :]
    at_weight = weight + column.to(tl.int64)[None, :] * weight_stride + depth[:, None]
    total = tl.zeros([ROWS, COLUMNS], tl.float32)
    for start in tl.range(0, k, DEPTH):
        inside = start + depth < k
        left = tl.load(at_x + start, mask=(row < rows)[:, None] & inside[None, :], other=0.0)
        right = tl.load(at_weight + start, mask=(column < n)[None, :] & inside[:, None], other=0.0)
        total = tl.dot(left, right, total, input_precision=PRECISION)
    if BIASED:
        total += tl.load(bias + column, mask=column < n, other=0.0).to(tl.float32)[None, :]
    to = out + row.to(tl.int64)[:, None] * n + column[None, :]
    tl.store(to, total.to(out.dtype.element_ty), mask=(row < rows)[:, None] & (column < n)[None, :])


@triton.jit
def _paths(words, out, word_count, NODES: tl.constexpr, MOST: tl.constexpr):
    row, node = tl.program_id(0), tl.arange(0, NODES)
    word = tl.load(words + row * word_count + node // 32, mask=node // 32 < word_count, other=0)
    on = (word.to(tl.uint32, bitcast=True) >> (node % 32).to(tl.uint32)) & 1
    depth = tl.cumsum(on.to(tl.int32), 0)
    tl.store(out + row.to(tl.int64) * MOST + depth - 1, node, mask=on != 0)


@triton.jit
def _slots(there, last, forest, page_of, order_of, PAGE: tl.constexpr):
    """Where in a store the positions `there` up to `last` lie for one row; after it, anywhere."""
    node = tl.load(order_of + there, mask=(there >= forest) & (there <= last), other=0)
    slot = tl.where(there >= forest, forest + node, there)
    page = tl.load(page_of + slot // PAGE, mask=there <= last, other=0).to(tl.int64)
    return page * PAGE + slot % PAGE


@triton.jit
def _attend(
    q, k, v, out, partial, sums, spans, table, rows, order, tiles, items, programs,
    table_width, sums_size, scale, window,
    KV_HEADS: tl.constexpr, GROUP: tl.constexpr, D: tl.constexpr, DV: tl.constexpr,
    BLOCK_D: tl.constexpr, BLOCK_DV: tl.constexpr, BLOCK: tl.constexpr,
    WINDOWED: tl.constexpr, PAGE: tl.constexpr, KEYS: tl.constexpr, MOST: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    """The items of one program, each of one row, and KV head. There is one loop for pages seen in whole and in part:
    two would be compiled to different roundings. Where keys lie is read an iteration ahead, so that loads of them
    overlap with products."""
    head = tl.program_id(1)
    last_item = tl.load(programs + tl.program_id(0) + 1)
    for item in tl.range(tl.load(programs + tl.program_id(0)), last_item):
        tile = tl.load(items + item * 4)
        begin, end, part = (
            tl.load(items + item * 4 + 1),
            tl.load(items + item * 4 + 2),
            tl.load(items + item * 4 + 3),
        )
        request, first = tl.load(tiles + tile * 6), tl.load(tiles + tile * 6 + 1)
        query = tl.arange(0, BLOCK)
        live = query < GROUP
        forest = tl.load(spans + request * 4 + 2)
        row = first // GROUP
        position = tl.load(rows + row * 3 + 1)

        d, dv = tl.arange(0, BLOCK_D), tl.arange(0, BLOCK_DV)
        own = row.to(tl.int64) * (KV_HEADS * GROUP) + head * GROUP + query
        queries = tl.load(q + own[:, None] * D + d[None, :], mask=live[:, None] & (d < D)[None, :], other=0.0)
        high = tl.full([BLOCK], -float("inf"), tl.float32)
        total = tl.zeros([BLOCK], tl.float32)
        result = tl.zeros([BLOCK, BLOCK_DV], tl.float32)
        within = tl.arange(0, KEYS)
        page_of, order_of = table + request * table_width, order + row.to(tl.int64) * MOST - forest
        slot = _slots(begin + within, position, forest, page_of, order_of, PAGE)
        for start in tl.range(begin, end, KEYS):
            there = start + within
            sees = there <= position
            if WINDOWED:
                sees = sees & (position - there < window)
            at = slot * KV_HEADS + head
            slot = _slots(there + KEYS, tl.minimum(position, end - 1), forest, page_of, order_of, PAGE)
            keys = tl.load(k + at[None, :] * D + d[:, None], mask=sees[None, :] & (d < D)[:, None], other=0.0)
            scores = tl.where(
                sees[None, :], tl.dot(queries, keys, input_precision=PRECISION) * scale, -float("inf")
            )
            above = tl.maximum(high, tl.max(scores, 1))
            base = tl.where(above == -float("inf"), 0.0, above)  # a window may begin after this page
            weights = tl.exp2(scores - base[:, None])
            fade = tl.exp2(high - base)
            values = tl.load(
                v + at[:, None] * DV + dv[None, :], mask=sees[:, None] & (dv < DV)[None, :], other=0.0
            )
            total = total * fade + tl.sum(weights, 1)
            result = tl.dot(
                weights.to(values.dtype), values, result * fade[:, None], input_precision=PRECISION
            )
            high = above

        if part < 0:
            result = result / total[:, None]
            to = out + own[:, None] * DV + dv[None, :]
            tl.store(to, result.to(out.dtype.element_ty), mask=live[:, None] & (dv < DV)[None, :])
        else:
            place = (part * KV_HEADS + head).to(tl.int64) * BLOCK + query
            tl.store(partial + place[:, None] * DV + dv[None, :], result, mask=(dv < DV)[None, :])
            tl.store(sums + place, high)
            tl.store(sums + sums_size + place, total)
