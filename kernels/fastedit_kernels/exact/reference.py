"""In plain torch, for CPUs.

Three things make a row's numbers depend on its company there, and each is taken away. Products choose their blocking by
the number of rows: here every product has the same number, filled up with zeros. Vectorised functions treat the end of
an array in another way than its middle, and where that is depends on how many threads there are: numpy's do not.
Attention sums over slots, and a drafted token lies in another slot than the same token in a chain: here it sums over
positions, split by split from the first on.

That a row's place among the others does not change a product of fixed size is a property of the library that
multiplies; `fastedit.model.exact` checks it where the model is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from fastedit_kernels.exact.splits import BLOCK, SPLIT, RowBlock, Slots, Splits
from fastedit_kernels.fused import reference
from fastedit_kernels.fused.reference import add_norm

__all__ = ["ROWS", "add_norm", "attention", "gate", "linear", "rope_write", "turns"]

ROWS = 32  # of every product: as fast as the library's own choice from 100 rows on

Floats = NDArray[np.float32]


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x [rows, k] times weight [n, k] -> [rows, n] in x's dtype; the bias is added to what has been rounded."""
    out = x.new_empty(len(x), len(weight))
    padded = x.new_zeros(ROWS, x.shape[1])
    for start in range(0, len(x), ROWS):
        block = x[start : start + ROWS]
        if len(block) < ROWS:
            padded[: len(block)] = block
            out[start:] = torch.mm(padded, weight.t())[: len(block)]
        else:
            torch.mm(block, weight.t(), out=out[start : start + ROWS])
    return out if bias is None else out + bias


def gate(gate_up: Tensor) -> Tensor:
    """[rows, 2 * width] -> silu of the first half times the second."""
    left, right = gate_up.chunk(2, dim=-1)
    return (left.float() / (1.0 + _each(np.exp, -left.float()))).to(left.dtype) * right


def turns(positions: Tensor, frequencies: Tensor) -> tuple[Tensor, Tensor]:
    """Cosine and sine float32 [rows, d / 2] of RoPE's angles."""
    angles = positions[:, None].float() * frequencies
    return _each(np.cos, angles), _each(np.sin, angles)


def _turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """As `reference.turned`, each product and sum rounded by itself."""
    left, right = x[..., ::2], x[..., 1::2]
    cos, sin = cos[:, None], sin[:, None]
    return torch.stack([left * cos - right * sin, right * cos + left * sin], dim=-1).flatten(-2)


rope_write = partial(reference.rope_write, turn=_turned)


def attention(
    q: Tensor, k: Tensor, v: Tensor, splits: Splits, *, scale: float, window: int | None = None
) -> Tensor:
    """As `tree_attention`; keys and values of any float type are taken as float32.

    q [rows, heads, d]; k and v [slots, kv_heads, d] -> [rows, heads, dv] in q's dtype.
    """
    parts, start = [], 0
    for request in splits.requests:
        shared = _Operands.of(k, v, request.shared[None])
        for group in request.groups:
            queries = q[start + group[0].rows.start : start + group[0].rows.stop].float()
            found = [
                _attend(queries, _operands(k, v, shared, block), block, scale, window)
                for block in group
                if block.stop > block.first
            ]
            parts.append(_join(*(torch.cat(part) for part in zip(*found, strict=True))))
        start += request.rows
    return torch.cat(parts).to(q.dtype)


class _Operands(NamedTuple):
    """keys and values [1 or rows, splits, kv_heads, SPLIT, d or dv], float32."""

    keys: Tensor
    values: Tensor

    @classmethod
    def of(cls, k: Tensor, v: Tensor, slots: Slots) -> _Operands:
        where = torch.from_numpy(slots.reshape(-1))
        keys, values = (s[where].float().view(len(slots), -1, SPLIT, *s.shape[1:]) for s in (k, v))
        return cls(keys.transpose(2, 3).contiguous(), values.transpose(2, 3).contiguous())


def _operands(k: Tensor, v: Tensor, shared: _Operands, block: RowBlock) -> _Operands:
    if block.own is not None:
        return _Operands.of(k, v, block.own)
    return _Operands(shared.keys[:, : block.stop], shared.values[:, : block.stop])


def _attend(
    q: Tensor, operands: _Operands, block: RowBlock, scale: float, window: int | None
) -> tuple[Tensor, Tensor, Tensor]:
    """For each split of the block: the highest score [splits, rows, heads], the sum of the weights, and the weighted
    values [.., dv]."""
    keys, values = operands
    count, kv_heads, _, d = keys.shape[1:]
    queries = q.view(len(q), kv_heads, -1, d).expand(count, -1, -1, -1, -1)
    scores = _take(
        torch.bmm(_put(queries, block), keys.reshape(-1, SPLIT, d).transpose(1, 2)), block, queries.shape[:-1]
    )
    scores.mul_(scale).masked_fill_(_hidden(block, window), -torch.inf)
    high = scores.amax(-1)
    weights = _each(np.exp, scores - high.clamp_min(torch.finfo().min)[..., None])
    products = torch.bmm(_put(weights, block), values.reshape(-1, *values.shape[3:]))
    result = _take(products, block, queries.shape[:-1])
    return high.flatten(2), weights.sum(-1).flatten(2), result.flatten(2, 3)


def _put(part: Tensor, block: RowBlock) -> Tensor:
    """[splits, rows, kv_heads, group, x] -> [products, BLOCK * group, x]: the rows of a block in one product where they
    share keys, else each in one of its own, and zeros."""
    splits, rows, kv_heads, group, size = part.shape
    if block.together:
        full = part.new_zeros(splits, kv_heads, BLOCK, group, size)
        full[:, :, :rows] = part.transpose(1, 2)
    else:
        full = part.new_zeros(rows, splits, kv_heads, BLOCK, group, size)
        full[:, :, :, 0] = part.transpose(0, 1)
    return full.view(-1, BLOCK * group, size)


def _take(products: Tensor, block: RowBlock, sizes: Sequence[int]) -> Tensor:
    """The way back, [*sizes, x] with sizes (splits, rows, kv_heads, group)."""
    splits, rows, kv_heads, group = sizes
    if block.together:
        full = products.view(splits, kv_heads, BLOCK, group, -1)
        return full[:, :, :rows].transpose(1, 2).contiguous()
    full = products.view(rows, splits, kv_heads, BLOCK, group, -1)
    return full[:, :, :, 0].transpose(0, 1).contiguous()


def _hidden(block: RowBlock, window: int | None) -> Tensor:
    """bool [splits, rows, 1, 1, SPLIT]: which positions each row does not see."""
    here = block.positions[:, None, None, None]
    there = np.arange(block.first * SPLIT, block.stop * SPLIT).reshape(-1, 1, 1, 1, SPLIT)
    hidden = there > here
    if window is not None:
        hidden |= here - there >= window
    return torch.from_numpy(hidden)


def _join(high: Tensor, total: Tensor, result: Tensor) -> Tensor:
    """Splits in the order of their positions; those of which a row sees nothing add zeros."""
    share = _each(np.exp, high - high.amax(0))
    weight = reduce(torch.add, (share * total).unbind(0))
    return reduce(torch.add, (share[..., None] * result).unbind(0)) / weight[..., None]


def _each(function: Callable[[Floats], Floats], x: Tensor) -> Tensor:
    """numpy's function of float32 numbers, which is the same for a number wherever it stands in the array."""
    return torch.from_numpy(function(x.contiguous().numpy()))
