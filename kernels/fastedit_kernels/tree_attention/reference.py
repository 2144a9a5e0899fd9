"""Tree attention in plain torch: what every other version of the kernel is compared with."""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from fastedit_kernels.tree_attention.span import Span


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
    out = F.scaled_dot_product_attention(
        q[span.start : span.stop].transpose(0, 1)[None],
        k[None, :, span.slots],
        v[None, :, span.slots],
        attn_mask=span.bias(k.dtype, window),
        scale=scale,
        enable_gqa=True,
    )
    return out[0].transpose(0, 1)
