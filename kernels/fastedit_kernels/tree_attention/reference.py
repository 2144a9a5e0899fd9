"""Tree attention in plain torch: what every other version of the kernel is compared with."""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from fastedit_kernels.tree_attention.span import Span

BLOCK = 128  # rows; smaller blocks skip more of what is unseen, larger ones have less overhead


def tree_attention(
    q: Tensor, k: Tensor, v: Tensor, spans: Sequence[Span], *, scale: float, window: int | None = None
) -> Tensor:
    """Each row attends to its request's committed prefix and to its ancestors in flight, itself included.

    q [rows, heads, d]; k [kv_heads, slots, d] and v [kv_heads, slots, dv] hold every request's slots; heads
    is a multiple of kv_heads. The spans cover the rows in order. Returns [rows, heads, dv] in q's dtype; sums
    are formed in k's dtype. Bound by operations: 2 * rows * heads * slots * (d + dv); no copy of k or v is
    made.
    """
    assert spans[0].start == 0
    assert spans[-1].stop == len(q)
    queries = q.to(k.dtype)
    parts = [_attend(queries, k, v, span, scale, window) for span in spans]
    return (parts[0] if len(parts) == 1 else torch.cat(parts)).to(q.dtype)


def _attend(q: Tensor, k: Tensor, v: Tensor, span: Span, scale: float, window: int | None) -> Tensor:
    """Blocks of rows, each over the slots up to its own: rows are in order, so the rest of a long prompt is unseen."""
    bias = span.bias(k.dtype, window)
    blocks = []
    for start in range(span.start, span.stop, BLOCK):
        stop = min(start + BLOCK, span.stop)
        seen = span.prefix + stop - span.start
        slots = slice(span.base, span.base + seen)
        # Heads that share keys go into the batch: torch then reads the keys in place and fuses the softmax.
        queries = q[start:stop].view(stop - start, len(k), -1, q.shape[2]).permute(2, 1, 0, 3)
        shared = (len(queries), -1, -1, -1)
        out = F.scaled_dot_product_attention(
            queries,
            k[:, slots].expand(shared),
            v[:, slots].expand(shared),
            attn_mask=None if bias is None else bias[start - span.start : stop - span.start, :seen],
            scale=scale,
        )
        blocks.append(out.permute(2, 1, 0, 3).flatten(1, 2))
    return blocks[0] if len(blocks) == 1 else torch.cat(blocks)
