from __future__ import annotations

import math
import random

import numpy as np
import pytest
import torch
from fastedit_kernels.tree_attention import Batch, tree_attention

from tests.kernels.helpers import batch_of, poisoned


def one_by_one(q, k, v, batch, scale, window=None):
    """Row by row and head by head over a list of the slots seen, in float64."""
    q, k, v = q.double(), k.double(), v.double()
    group = q.shape[1] // k.shape[1]
    out = torch.zeros(q.shape[0], q.shape[1], v.shape[2], dtype=torch.float64)
    for start, span in zip(batch.starts.tolist(), batch.spans, strict=False):
        slots, sees = span.slots(0, span.end), span.sees()
        for i, position in enumerate(span.positions.tolist()):
            seen = [(s, s) for s in range(span.prefix)]
            seen += [(span.prefix + j, p) for j, p in enumerate(span.positions.tolist()) if sees[i, j]]
            near = [slots[s] for s, p in seen if window is None or position - p < window]
            for head in range(q.shape[1]):
                scores = (k[near, head // group] @ q[start + i, head]).tolist()
                weights = torch.tensor([math.exp(scale * score) for score in scores], dtype=torch.float64)
                out[start + i, head] = weights / weights.sum() @ v[near, head // group]
    return out


@pytest.mark.parametrize("window", [None, 1, 4])
@pytest.mark.parametrize(("heads", "kv_heads", "size"), [(1, 1, 8), (4, 2, 60), (6, 2, 63)])
@pytest.mark.parametrize(
    "sizes", [[(0, 1, 0)], [(63, 1, 0)], [(0, 3, 6)], [(70, 1, 13)], [(5, 4, 0), (0, 1, 7), (130, 1, 3)]]
)
def test_rows_see_their_prefix_and_their_ancestors_only(sizes, heads, kv_heads, size, window):
    torch.manual_seed(heads * size)
    batch, pages = batch_of(random.Random(repr(sizes)), sizes)
    k, v = poisoned(batch, pages, kv_heads, size), poisoned(batch, pages, kv_heads, size + 1)
    q = torch.randn(batch.rows, heads, size)
    out = tree_attention(q, k, v, batch, scale=0.3, window=window)
    expected = one_by_one(q, k, v, batch, 0.3, window)
    assert out.dtype == torch.float32
    torch.testing.assert_close(out.double(), expected, atol=2e-6, rtol=2e-6)


def test_sums_are_formed_in_the_type_of_the_keys():
    torch.manual_seed(0)
    batch, pages = batch_of(random.Random(0), [(20, 1, 5)])
    k, v = poisoned(batch, pages, 2, 16), poisoned(batch, pages, 2, 16)
    q = torch.randn(6, 4, 16).bfloat16()
    out = tree_attention(q, k, v, batch, scale=0.25)
    assert out.dtype == torch.bfloat16
    assert torch.equal(out, tree_attention(q.float(), k, v, batch, scale=0.25).bfloat16())


def test_pages_in_any_order_give_what_pages_in_order_give():
    torch.manual_seed(0)
    scattered, pages = batch_of(random.Random(0), [(140, 2, 9)])
    (span,) = scattered.spans
    assert (np.diff(span.pages) != 1).any()
    ordered = Batch([type(span)(140, 2, span.positions, span.ancestors, np.arange(pages, dtype=np.int32))])
    k, v, q = torch.randn(pages * 64, 2, 8), torch.randn(pages * 64, 2, 8), torch.randn(11, 2, 8)
    own = span.slots(0, span.end)
    moved = [torch.zeros_like(store).index_copy(0, torch.arange(len(own)), store[own]) for store in (k, v)]
    expected = tree_attention(q, *moved, ordered, scale=1.0)
    assert torch.equal(tree_attention(q, k, v, scattered, scale=1.0), expected)


def test_a_sibling_does_not_change_what_a_row_attends_to():
    torch.manual_seed(0)
    batch, pages = batch_of(random.Random(0), [(4, 1, 0)])
    (span,) = batch.spans
    ancestors = np.array([[0b1], [0b10]], dtype=np.uint64)
    batch = Batch([type(span)(4, 1, np.array([4, 5, 5]), ancestors, span.pages)])
    q, k, v = torch.randn(3, 2, 8), torch.randn(pages * 64, 1, 8), torch.randn(pages * 64, 1, 8)
    before = tree_attention(q, k, v, batch, scale=1.0)
    k[span.slots(5, 6)], v[span.slots(5, 6)] = 9.0, 9.0
    after = tree_attention(q, k, v, batch, scale=1.0)
    assert torch.equal(before[[0, 2]], after[[0, 2]])
    assert not torch.equal(before[1], after[1])
