"""What lies between the matrix products of a Llama-like layer, in Triton. All are bound by the bytes of their rows."""
# mypy: disallow-untyped-defs=False, disallow-incomplete-defs=False, disallow-untyped-decorators=False
# ruff: noqa: ANN001, ANN202

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from fastedit_kernels.fused.reference import linear, turns

__all__ = ["add_norm", "gate", "linear", "rope_write", "turns"]


def add_norm(
    x: Tensor, delta: Tensor | None, weight: Tensor, eps: float, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    rows, width = x.shape
    total = x if delta is None else torch.empty_like(x)
    normed = torch.empty(rows, width, dtype=dtype, device=x.device)
    block = triton.next_power_of_2(width)
    _add_norm[(rows,)](
        x, x if delta is None else delta, weight, total, normed, width, eps,
        ADDS=delta is not None, BLOCK=block, num_warps=8 if block >= 4096 else 4,
    )  # fmt: skip
    return total, normed


def gate(gate_up: Tensor) -> Tensor:
    rows, width = gate_up.shape[0], gate_up.shape[1] // 2
    out = gate_up.new_empty(rows, width)
    _gate[(rows, triton.cdiv(width, 1024))](gate_up, out, width, BLOCK=1024, num_warps=4)
    return out


def rope_write(
    qkv: Tensor,
    cos: Tensor,
    sin: Tensor,
    head_norm: Tensor | None,
    eps: float,
    slots: Tensor,
    keys: Tensor,
    values: Tensor,
) -> Tensor:
    kv_heads, d = keys.shape[1:]
    every = qkv.shape[1] // d
    heads = every - 2 * kv_heads
    q = torch.empty(len(qkv), heads, d, dtype=keys.dtype, device=qkv.device)
    norm = cos if head_norm is None else head_norm
    _rope_write[(len(qkv), triton.cdiv(every, 4))](
        qkv, cos, sin, norm, slots, q, keys, values, eps,
        HEADS=heads, KV_HEADS=kv_heads, D=d, HALF=triton.next_power_of_2(d // 2), NORMS=head_norm is not None,
        EACH=4, num_warps=4,
    )  # fmt: skip
    return q


@triton.jit
def _add_norm(x, delta, weight, total, normed, width, eps, ADDS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * width
    column = tl.arange(0, BLOCK)
    inside = column < width
    here = tl.load(x + row + column, mask=inside, other=0.0)
    if ADDS:
        here += tl.load(delta + row + column, mask=inside, other=0.0).to(tl.float32)
        tl.store(total + row + column, here, mask=inside)
    scale = tl.rsqrt(tl.sum(here * here, 0) / width + eps)
    here = here * scale * tl.load(weight + column, mask=inside, other=0.0)
    tl.store(normed + row + column, here.to(normed.dtype.element_ty), mask=inside)


@triton.jit
def _gate(gate_up, out, width, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < width
    left = tl.load(gate_up + row * 2 * width + column, mask=inside, other=0.0).to(tl.float32)
    right = tl.load(gate_up + row * 2 * width + width + column, mask=inside, other=0.0).to(tl.float32)
    # Rounded between the two steps, as the products of the reference are.
    silu = (left / (1.0 + tl.exp(-left))).to(out.dtype.element_ty).to(tl.float32)
    tl.store(out + row * width + column, (silu * right).to(out.dtype.element_ty), mask=inside)


@triton.jit
def _rope_write(
    qkv, cosines, sines, head_norm, slots, q, keys, values, eps,
    HEADS: tl.constexpr, KV_HEADS: tl.constexpr, D: tl.constexpr, HALF: tl.constexpr,
    NORMS: tl.constexpr, EACH: tl.constexpr,
):  # fmt: skip
    """EACH heads of one row: those of q, then those of k, then those of v."""
    row = tl.program_id(0).to(tl.int64)
    head = tl.program_id(1) * EACH + tl.arange(0, EACH)
    column = tl.arange(0, HALF)
    turned = head < HEADS + KV_HEADS
    inside = (head < HEADS + 2 * KV_HEADS)[:, None] & (column < D // 2)[None, :]
    place = head[:, None, None] * D + (2 * column)[None, :, None] + tl.arange(0, 2)[None, None, :]
    within = inside[:, :, None]
    at = qkv + row * ((HEADS + 2 * KV_HEADS) * D) + place
    left, right = tl.split(tl.load(at, mask=within, other=0.0).to(tl.float32))
    turn = row * (D // 2) + column
    cos = tl.load(cosines + turn, mask=column < D // 2, other=0.0)[None, :]
    sin = tl.load(sines + turn, mask=column < D // 2, other=0.0)[None, :]
    normed_left, normed_right = left, right
    if NORMS:
        scale = tl.rsqrt(tl.sum(left * left + right * right, 1) / D + eps)[:, None]
        some = within & turned[:, None, None]
        weight_left, weight_right = tl.split(tl.load(head_norm + place, mask=some, other=0.0))
        normed_left = left * scale * weight_left
        normed_right = right * scale * weight_right
    new_left = tl.where(turned[:, None], normed_left * cos - normed_right * sin, left)
    new_right = tl.where(turned[:, None], normed_right * cos + normed_left * sin, right)
    new = tl.join(new_left, new_right).to(q.dtype.element_ty)
    slot = tl.load(slots + row).to(tl.int64)
    is_q, is_v = (head < HEADS)[:, None, None], (head >= HEADS + KV_HEADS)[:, None, None]
    tl.store(q + row * HEADS * D + place, new, mask=within & is_q)
    tl.store(keys + (slot * KV_HEADS - HEADS) * D + place, new, mask=within & ~(is_q | is_v))
    tl.store(values + (slot * KV_HEADS - HEADS - KV_HEADS) * D + place, new, mask=within & is_v)
