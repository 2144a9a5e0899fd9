"""Tree attention in plain torch: what every other version of the kernel is compared with."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from fastedit_kernels.tree_attention.span import PAGE, Batch, Span

BLOCK = 128  # rows; smaller blocks skip more of what is unseen, larger ones have less overhead


def tree_attention(
    q: Tensor, k: Tensor, v: Tensor, batch: Batch, *, scale: float, window: int | None = None
) -> Tensor:
    """Each row attends to its request's committed slots and to its ancestors in flight, itself included.

    q [rows, heads, d]; k [slots, kv_heads, d] and v [slots, kv_heads, dv] are stores that hold every request's
    pages; heads is a multiple of kv_heads. Returns [rows, heads, dv] in q's dtype; sums are formed in k's.
    Bound by operations: 2 * rows * heads * slots * (d + dv). A request whose pages lie one after the other
    is read in place, the others are gathered first.
    """
    assert len(q) == batch.rows
    queries = q.to(k.dtype)
    parts = []
    for index, span in enumerate(batch.spans):
        start, stop = batch.starts[index], batch.starts[index + 1]
        bias = batch.bias(index, k, window)
        parts.append(_attend(queries[start:stop], _read(k, span), _read(v, span), bias, scale))
    return (parts[0] if len(parts) == 1 else torch.cat(parts)).to(q.dtype)


def _read(store: Tensor, span: Span) -> Tensor:
    """[end, kv_heads, d]: a request's slots in their order."""
    pages = span.pages[: -(-span.end // PAGE)]
    if (np.diff(pages) == 1).all():
        first = int(pages[0]) * PAGE
        return store[first : first + span.end]
    return store[torch.from_numpy(span.slots(0, span.end)).to(store.device)]


def _attend(q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, scale: float) -> Tensor:
    """Blocks of rows, each over the slots up to its own: rows are in order, so the rest of a long prompt is unseen.

    q [rows, heads, d], k [end, kv_heads, d], bias [rows, end].
    """
    k, v = k.transpose(0, 1), v.transpose(0, 1)
    prefix = k.shape[1] - len(q)
    blocks = []
    for start in range(0, len(q), BLOCK):
        stop = min(start + BLOCK, len(q))
        seen = prefix + stop
        out = F.scaled_dot_product_attention(
            q[None, start:stop].transpose(1, 2),
            k[None, :, :seen],
            v[None, :, :seen],
            attn_mask=None if bias is None else bias[start:stop, :seen],
            scale=scale,
            enable_gqa=True,
        )
        blocks.append(out[0].transpose(0, 1))
    return blocks[0] if len(blocks) == 1 else torch.cat(blocks)
