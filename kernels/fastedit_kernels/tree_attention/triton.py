"""Tree attention in Triton: split over the slots, with a second pass that joins the splits.

What bounds it: a query does 4 * d operations for each 4 * d bytes of a slot that it alone would read in bf16. With
g heads to a KV head and n rows to a request, a byte of KV serves n * g operations: below about 180 of those (H200) the
bytes of the cache decide, above it the tensor cores. The rows of a tile share each read; tiles of one request meet in
the L2 cache.
"""
# Kernel arguments are pointers and integers of the compiler's own kinds.
# mypy: disallow-untyped-defs=False, disallow-incomplete-defs=False, disallow-untyped-decorators=False
# ruff: noqa: ANN001, ANN202

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from fastedit_kernels.hardware import hardware
from fastedit_kernels.occupancy import RESERVED, Limits, resident
from fastedit_kernels.tree_attention.plan import Heads, PassPlan
from fastedit_kernels.tree_attention.span import PAGE
from fastedit_kernels.tree_attention.tiles import LEAST_KEYS, Tile, tile_for

LOG2E = 1.4426950408889634
PARTS = 32  # partial results that the second pass reads at once


def tree_attention(
    q: Tensor, k: Tensor, v: Tensor, plan: PassPlan, *, scale: float, window: int | None = None
) -> Tensor:
    """As the reference; the plan is that of the batch. q and the stores are contiguous and of one dtype.

    Rows that the plan does not cover are left as they are allocated.
    """
    assert q.is_contiguous()
    assert k.is_contiguous()
    assert v.is_contiguous()
    heads = Heads(q.shape[1], k.shape[1], k.shape[2])
    out = q.new_empty(len(q), heads.heads, v.shape[2])
    partial = q.new_empty(plan.parts * heads.kv_heads, plan.block, v.shape[2], dtype=torch.float32)
    sums = q.new_empty(2, plan.parts * heads.kv_heads, plan.block, dtype=torch.float32)
    tile = tile_of(plan.block, q, v)
    _attend[(len(plan.programs) - 1, heads.kv_heads)](
        q, k, v, out, partial, sums,
        plan.spans, plan.table, plan.rows, plan.words, plan.tiles, plan.items, plan.programs,
        plan.table.shape[1], plan.words.shape[1], plan.parts * heads.kv_heads * plan.block,
        scale * LOG2E, window or 0,
        **sizes_of(heads, v.shape[2], plan.block), WINDOWED=window is not None, PAGE=PAGE, KEYS=tile.keys,
        PRECISION=precision(q.dtype), num_warps=tile.warps, num_stages=tile.stages,
    )  # fmt: skip
    join(out, partial, sums, plan, heads)
    return out


def compiled(heads: Heads, block: int, dtype: torch.dtype, window: int | None) -> Any:
    """The kernel of tiles with `block` queries, made for the current device without being launched."""
    tile = tile_in(block, heads.size, dtype)
    tensors = (*(dtype,) * 4, *(torch.float32,) * 2, *(torch.int32,) * 7)
    return _attend.warmup(
        *tensors, 16, 16, 16, 1.0, window or 0, **sizes_of(heads, heads.size, block), WINDOWED=window is not None,
        PAGE=PAGE, KEYS=tile.keys, PRECISION=precision(dtype), num_warps=tile.warps, num_stages=tile.stages,
        grid=(1, 1),
    )  # fmt: skip


def residents(kernel: Any, device: torch.device) -> int:
    """Programs of a compiled kernel that a multiprocessor of the device holds at once; 1 where it does not say."""
    has: Any = torch.cuda.get_device_properties(device)
    kernel._init_handles()
    here = hardware()
    # ROCm has no such property: there a program may have all that a multiprocessor has, and nothing is taken from it.
    shared = getattr(has, "shared_memory_per_multiprocessor", here.shared)
    reserved = RESERVED if here.copies_ahead else 0
    limits = Limits(
        has.regs_per_multiprocessor, here.shared, shared, has.max_threads_per_multi_processor, reserved
    )
    threads = kernel.metadata.num_warps * here.lanes
    return max(1, resident(kernel.n_regs, kernel.metadata.shared, threads, limits))


def join(out: Tensor, partial: Tensor, sums: Tensor, plan: PassPlan, heads: Heads) -> None:
    """The second pass, over the rows whose tile has more than one item."""
    if plan.parts:
        _join[(len(plan.rows), heads.heads)](
            out, partial, sums, plan.rows, plan.tiles, plan.items, plan.live,
            plan.parts * heads.kv_heads * plan.block, **sizes_of(heads, out.shape[2], plan.block),
            PARTS=PARTS, num_warps=4,
        )  # fmt: skip


def tile_of(block: int, q: Tensor, v: Tensor) -> Tile:
    return tile_in(block, max(q.shape[2], v.shape[2]), q.dtype)


def tile_in(block: int, size: int, dtype: torch.dtype) -> Tile:
    tile = tile_for(block, triton.next_power_of_2(max(size, LEAST_KEYS)), dtype.itemsize, hardware())
    assert tile is not None, "checked when the model is loaded"
    return tile


def precision(dtype: torch.dtype) -> str:
    """Of products: float32 as three products of tf32 each, which tensor cores do, where there are such."""
    if dtype != torch.float32:
        return "tf32"
    return "tf32x3" if hardware().copies_ahead else "ieee"


def sizes_of(heads: Heads, dv: int, block: int) -> dict[str, int]:
    return {
        "KV_HEADS": heads.kv_heads,
        "GROUP": heads.group,
        "D": heads.size,
        "DV": dv,
        "BLOCK_D": triton.next_power_of_2(max(heads.size, 16)),
        "BLOCK_DV": triton.next_power_of_2(max(dv, 16)),
        "BLOCK": block,
    }


@triton.jit
def _attend(
    q, k, v, out, partial, sums, spans, table, rows, words, tiles, items, programs,
    table_width, word_count, sums_size, scale, window,
    KV_HEADS: tl.constexpr, GROUP: tl.constexpr, D: tl.constexpr, DV: tl.constexpr,
    BLOCK_D: tl.constexpr, BLOCK_DV: tl.constexpr, BLOCK: tl.constexpr,
    WINDOWED: tl.constexpr, PAGE: tl.constexpr, KEYS: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    """The items of one program, of one KV head. Scores are in units of log 2, so that exp2 turns them.

    The number of the next page is read an iteration ahead: were it read where it is used, the loads of keys and values
    would wait for it, and none would overlap with products.
    """
    head = tl.program_id(1)
    last_item = tl.load(programs + tl.program_id(0) + 1)
    for item in tl.range(tl.load(programs + tl.program_id(0)), last_item):
        tile = tl.load(items + item * 4)
        begin, end, part = (
            tl.load(items + item * 4 + 1),
            tl.load(items + item * 4 + 2),
            tl.load(items + item * 4 + 3),
        )
        request = tl.load(tiles + tile * 6)
        query = tl.load(tiles + tile * 6 + 1) + tl.arange(0, BLOCK)
        live = query < tl.load(tiles + tile * 6 + 2)
        first_row, prefix = tl.load(spans + request * 4), tl.load(spans + request * 4 + 1)
        forest, last = tl.load(spans + request * 4 + 2), tl.load(spans + request * 4 + 3)
        row = query // GROUP
        reach = tl.load(rows + row * 3, mask=live, other=0)
        position = tl.load(rows + row * 3 + 1, mask=live, other=0)

        d, dv = tl.arange(0, BLOCK_D), tl.arange(0, BLOCK_DV)
        own = (row * (KV_HEADS * GROUP) + head * GROUP + query % GROUP).to(tl.int64)
        queries = tl.load(q + own[:, None] * D + d[None, :], mask=live[:, None] & (d < D)[None, :], other=0.0)
        high = tl.full([BLOCK], -float("inf"), tl.float32)
        total = tl.zeros([BLOCK], tl.float32)
        result = tl.zeros([BLOCK, BLOCK_DV], tl.float32)

        if WINDOWED:
            nearest = tl.min(tl.where(live, position, 2147483647)) - window + 1
            begin = tl.maximum(begin, nearest // PAGE * PAGE)
        # An item may begin and end amid the keys of an iteration: the first `inner` is a multiple of them, and up to
        # `whole` every row sees every slot. What lies before and after goes through the second loop.
        inner = (begin + KEYS - 1) // KEYS * KEYS
        whole = inner
        if not WINDOWED:
            whole = tl.maximum(tl.minimum(tl.min(tl.where(live, reach, end)), end) // KEYS * KEYS, inner)
        opening = begin // KEYS * KEYS
        within = tl.arange(0, KEYS)
        page_of = table + request * table_width
        page = tl.load(page_of + inner // PAGE, mask=inner < end, other=0)
        opening_page = tl.load(page_of + opening // PAGE, mask=opening < inner, other=0)
        for start in tl.range(inner, whole, KEYS):
            at = (page.to(tl.int64) * PAGE + start % PAGE + within) * KV_HEADS + head
            page = tl.load(page_of + (start + KEYS) // PAGE, mask=start + KEYS < end, other=0)
            keys = tl.load(k + at[None, :] * D + d[:, None], mask=(d < D)[:, None], other=0.0)
            scores = tl.dot(queries, keys, input_precision=PRECISION) * scale
            above = tl.maximum(high, tl.max(scores, 1))
            weights = tl.exp2(scores - above[:, None])
            fade = tl.exp2(high - above)
            values = tl.load(v + at[:, None] * DV + dv[None, :], mask=(dv < DV)[None, :], other=0.0)
            total = total * fade + tl.sum(weights, 1)
            result = tl.dot(
                weights.to(values.dtype), values, result * fade[:, None], input_precision=PRECISION
            )
            high = above
        page = tl.where(opening < inner, opening_page, page)
        for start in tl.range(whole - (inner - opening), end, KEYS):
            stretch = tl.where(start < whole, opening, start)
            at = (page.to(tl.int64) * PAGE + stretch % PAGE + within) * KV_HEADS + head
            page = tl.load(page_of + (start + KEYS) // PAGE, mask=start + KEYS < end, other=0)
            slot = stretch + within
            exists = (slot >= begin) & (slot < tl.minimum(last, end))
            keys = tl.load(
                k + at[None, :] * D + d[:, None], mask=exists[None, :] & (d < D)[:, None], other=0.0
            )
            sees = slot[None, :] < reach[:, None]
            if stretch + KEYS > forest:
                # The bits of these slots, 64 at most, begin within a word: three words hold them.
                first_word = (stretch - forest + 64) // 32 - 2
                shift = (stretch - forest + 64) % 32
                low = _word(words, row, first_word, word_count, live)
                middle = _word(words, row, first_word + 1, word_count, live)
                high_word = _word(words, row, first_word + 2, word_count, live)
                low = (low | (middle << 32)) >> shift
                middle = (middle | (high_word << 32)) >> shift
                bits = (
                    tl.where((within < 32)[None, :], low[:, None], middle[:, None]) >> (within % 32)[None, :]
                )
                sees = sees | ((bits & 1) != 0)
            sees = sees & exists[None, :]
            if WINDOWED:
                there = tl.load(
                    rows + (first_row + slot - prefix) * 3 + 1, mask=exists & (slot >= forest), other=0
                )
                there = tl.where(slot >= forest, there, slot)
                sees = sees & (position[:, None] - there[None, :] < window)
            scores = tl.dot(queries, keys, input_precision=PRECISION) * scale
            scores = tl.where(sees & live[:, None], scores, -float("inf"))
            above = tl.maximum(high, tl.max(scores, 1))
            base = tl.where(above == -float("inf"), 0.0, above)  # a row may see nothing of this stretch
            weights = tl.exp2(scores - base[:, None])
            fade = tl.exp2(high - base)
            values = tl.load(
                v + at[:, None] * DV + dv[None, :], mask=exists[:, None] & (dv < DV)[None, :], other=0.0
            )
            total = total * fade + tl.sum(weights, 1)
            result = tl.dot(
                weights.to(values.dtype), values, result * fade[:, None], input_precision=PRECISION
            )
            high = above

        if part < 0:
            result = result / tl.where(live, total, 1.0)[:, None]
            to = out + own[:, None] * DV + dv[None, :]
            tl.store(to, result.to(out.dtype.element_ty), mask=live[:, None] & (dv < DV)[None, :])
        else:
            place = (part * KV_HEADS + head).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
            kept = live[:, None] & (dv < DV)[None, :]
            tl.store(partial + place[:, None] * DV + dv[None, :], result, mask=kept)
            tl.store(sums + place, high, mask=live)
            tl.store(sums + sums_size + place, total, mask=live)


@triton.jit
def _word(words, row, index, word_count, live):
    """One word of each row as the low half of 64 bits; 0 outside the row's words."""
    at = tl.zeros_like(row) + index
    word = tl.load(words + row * word_count + at, mask=live & (at >= 0) & (at < word_count), other=0)
    return word.to(tl.uint32, bitcast=True).to(tl.uint64)


@triton.jit
def _join(
    out, partial, sums, rows, tiles, items, live, sums_size,
    KV_HEADS: tl.constexpr, GROUP: tl.constexpr, D: tl.constexpr, DV: tl.constexpr,
    BLOCK_D: tl.constexpr, BLOCK_DV: tl.constexpr, BLOCK: tl.constexpr, PARTS: tl.constexpr,
):  # fmt: skip
    """One head of one row: the partial results of its tile's items, and of those of a prefix that it shares, weighed by
    their sums, PARTS of them at a time."""
    row, own_head = tl.program_id(0), tl.program_id(1)
    if row >= tl.load(live):
        return
    head, query = own_head // GROUP, row * GROUP + own_head % GROUP
    tile = tl.load(rows + row * 3 + 2)
    tile += (query - tl.load(tiles + tile * 6 + 1)) // BLOCK
    if tl.load(items + tl.load(tiles + tile * 6 + 3) * 4 + 3) < 0:
        return
    dv = tl.arange(0, BLOCK_DV)
    high = tl.full([], -float("inf"), tl.float32)
    total = tl.full([], 0.0, tl.float32)
    result = tl.zeros([BLOCK_DV], tl.float32)
    for _ in tl.static_range(2):
        there = tile >= 0
        within = query - tl.load(tiles + tile * 6 + 1, mask=there, other=0)
        count = tl.load(tiles + tile * 6 + 4, mask=there, other=0)
        part = tl.load(items + tl.load(tiles + tile * 6 + 3, mask=there, other=0) * 4 + 3)
        for first in tl.range(0, count, PARTS):
            index = first + tl.arange(0, PARTS)
            place = ((part + index) * KV_HEADS + head).to(tl.int64) * BLOCK + within
            here = tl.load(sums + place, mask=index < count, other=-float("inf"))
            above = tl.maximum(high, tl.max(here, 0))
            base = tl.where(above == -float("inf"), 0.0, above)
            fade, share = tl.exp2(high - base), tl.exp2(here - base)
            parts = tl.load(
                partial + place[:, None] * DV + dv[None, :],
                mask=(index < count)[:, None] & (dv < DV)[None, :], other=0.0,
            )  # fmt: skip
            result = result * fade + tl.sum(parts * share[:, None], 0)
            seen = tl.load(sums + sums_size + place, mask=index < count, other=0.0)
            total = total * fade + tl.sum(seen * share, 0)
            high = above
        tile = tl.load(tiles + tile * 6 + 5, mask=there, other=-1)
        begin = tl.load(tiles + tile * 6 + 1, mask=tile >= 0, other=0)
        tile = tl.where(tile >= 0, tile + (query - begin) // BLOCK, -1)
    to = out + (row.to(tl.int64) * (KV_HEADS * GROUP) + own_head) * DV + dv
    tl.store(to, (result / total).to(out.dtype.element_ty), mask=dv < DV)
