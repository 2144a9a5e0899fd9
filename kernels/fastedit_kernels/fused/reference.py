"""The same in plain torch."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

BLOCK = 128  # rows that stay in a processor's cache from the first step of a norm to the last


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x [rows, k] times weight [n, k] -> [rows, n]. The weight may be packed for a processor's products."""
    if weight.is_mkldnn:
        out: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
        return out
    return F.linear(x, weight, bias)


def turns(positions: Tensor, frequencies: Tensor) -> tuple[Tensor, Tensor]:
    """Cosine and sine float32 [rows, d / 2] of RoPE's angles."""
    angles = positions[:, None].float() * frequencies
    return angles.cos(), angles.sin()


def add_norm(
    x: Tensor, delta: Tensor | None, weight: Tensor, eps: float, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    """x float32 [rows, width] plus delta, and its RMS norm times weight (float32 [width]) in `dtype`."""
    total = x if delta is None else torch.empty_like(x)
    normed = torch.empty(x.shape, dtype=dtype, device=x.device)
    for start in range(0, len(x), BLOCK):
        rows = slice(start, start + BLOCK)
        here = x[rows] if delta is None else torch.add(x[rows], delta[rows], out=total[rows])
        size = torch.linalg.vector_norm(here, dim=-1, keepdim=True)
        scale = (size * size / x.shape[-1] + eps).rsqrt()
        normed[rows] = (here * scale).mul_(weight)
    return total, normed


def gate(gate_up: Tensor) -> Tensor:
    """[rows, 2 * width] -> silu of the first half times the second."""
    left, right = gate_up.chunk(2, dim=-1)
    return F.silu(left) * right


def turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """x float32 [rows, heads, d], the pairs (2i, 2i + 1) of each head turned by RoPE's angles: one product of complex
    numbers, a fifth of the time that halves of a head take, each of which is too short for a processor's vectors."""
    pairs = torch.view_as_complex(x.view(*x.shape[:-1], -1, 2)) * torch.complex(cos, sin)[:, None]
    return torch.view_as_real(pairs).flatten(-2)


def rope_write(
    qkv: Tensor,
    cos: Tensor,
    sin: Tensor,
    head_norm: Tensor | None,
    eps: float,
    slots: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    turn: Callable[[Tensor, Tensor, Tensor], Tensor] = turned,
) -> Tensor:
    """Split qkv [rows, (heads + 2 * kv_heads) * d], turn q and k by their positions, write k and v, return q.

    `cos` and `sin` float32 [rows, d / 2]; numbers that turn together lie side by side, where most checkpoints have them
    half a head apart. `head_norm` float32 [heads + kv_heads, d] is the weight of an RMS norm of each head of q and k
    before the turn. keys and values [slots, kv_heads, d] get row i at slots[i]. q has their dtype.
    """
    kv_heads, d = keys.shape[1:]
    heads = qkv.shape[1] // d - 2 * kv_heads
    split = qkv.view(len(qkv), -1, d)
    qk, v = split[:, : heads + kv_heads].float(), split[:, heads + kv_heads :]
    if head_norm is not None:
        qk = F.rms_norm(qk, (d,), eps=eps) * head_norm
    qk = turn(qk, cos, sin).to(keys.dtype)
    keys.index_copy_(0, slots, qk[:, heads:])
    values.index_copy_(0, slots, v.to(values.dtype))
    return qk[:, :heads]
