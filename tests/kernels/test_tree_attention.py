from __future__ import annotations

import math
import random

import pytest
import torch
from fastedit_kernels.tree_attention import Span, tree_attention


def random_tree(rng: random.Random, rows: int) -> tuple[torch.Tensor, list[int]]:
    """Who sees whom, and each row's depth."""
    sees, depths = torch.eye(rows, dtype=torch.bool), []
    for row in range(rows):
        parent = rng.randrange(-1, row)
        depths.append(0 if parent < 0 else depths[parent] + 1)
        if parent >= 0:
            sees[row] |= sees[parent]
    return sees, depths


def one_by_one(q, k, v, spans, scale, window=None):
    """Row by row and head by head over a list of the slots seen, in float64."""
    q, k, v = q.double(), k.double(), v.double()
    group = q.shape[1] // k.shape[0]
    out = torch.zeros(q.shape[0], q.shape[1], v.shape[2], dtype=torch.float64)
    for span in spans:
        for row in range(span.start, span.stop):
            i = row - span.start
            seen = [(s, s) for s in range(span.prefix)]
            seen += [(span.prefix + j, p) for j, p in enumerate(span.positions.tolist()) if span.sees[i, j]]
            near = [span.base + s for s, p in seen if window is None or int(span.positions[i]) - p < window]
            for head in range(q.shape[1]):
                weights = [
                    math.exp(scale * score) for score in (k[head // group, near] @ q[row, head]).tolist()
                ]
                weights = torch.tensor(weights, dtype=torch.float64) / sum(weights)
                out[row, head] = weights @ v[head // group, near]
    return out


def poisoned(kv_heads: int, slots: int, size: int, spans: list[Span], dtype: torch.dtype) -> torch.Tensor:
    """Random where a span has slots, NaN everywhere else."""
    store = torch.full((kv_heads, slots, size), torch.nan, dtype=dtype)
    for span in spans:
        end = span.base + span.prefix + span.stop - span.start
        store[:, span.base : end] = torch.randn(kv_heads, end - span.base, size).to(dtype)
    return store


def spans_of(rng: random.Random, sizes: list[tuple[int, int]]) -> tuple[list[Span], int]:
    spans, start, base = [], 0, 3
    for prefix, rows in sizes:
        sees, depths = random_tree(rng, rows)
        positions = torch.tensor([prefix + depth for depth in depths])
        spans.append(Span(sees, positions, prefix, start=start, base=base))
        start, base = start + rows, base + prefix + rows + 5
    return spans, base


@pytest.mark.parametrize("window", [None, 1, 4])
@pytest.mark.parametrize(("heads", "kv_heads", "size"), [(1, 1, 8), (4, 2, 60), (6, 2, 63)])
@pytest.mark.parametrize("sizes", [[(0, 1)], [(63, 1)], [(0, 9)], [(31, 13)], [(5, 4), (0, 7), (17, 1)]])
def test_rows_see_their_prefix_and_their_ancestors_only(sizes, heads, kv_heads, size, window):
    torch.manual_seed(heads * size)
    spans, slots = spans_of(random.Random(repr(sizes)), sizes)
    k = poisoned(kv_heads, slots, size, spans, torch.float32)
    v = poisoned(kv_heads, slots, size + 1, spans, torch.float32)
    q = torch.randn(spans[-1].stop, heads, size)
    out = tree_attention(q, k, v, spans, scale=0.3, window=window)
    expected = one_by_one(q, k, v, spans, 0.3, window)
    assert out.dtype == torch.float32
    torch.testing.assert_close(out.double(), expected, atol=2e-6, rtol=2e-6)


def test_sums_are_formed_in_the_type_of_the_keys():
    torch.manual_seed(0)
    spans, slots = spans_of(random.Random(0), [(20, 6)])
    k = poisoned(2, slots, 16, spans, torch.float32)
    v = poisoned(2, slots, 16, spans, torch.float32)
    q = torch.randn(6, 4, 16).bfloat16()
    out = tree_attention(q, k, v, spans, scale=0.25)
    assert out.dtype == torch.bfloat16
    assert torch.equal(out, tree_attention(q.float(), k, v, spans, scale=0.25).bfloat16())


def test_a_sibling_does_not_change_what_a_row_attends_to():
    torch.manual_seed(0)
    span = Span(torch.tensor([[1, 0, 0], [1, 1, 0], [1, 0, 1]]).bool(), torch.tensor([4, 5, 5]), 4)
    q, k, v = torch.randn(3, 2, 8), torch.randn(1, 7, 8), torch.randn(1, 7, 8)
    before = tree_attention(q, k, v, [span], scale=1.0)
    k[:, 5], v[:, 5] = 9.0, 9.0
    after = tree_attention(q, k, v, [span], scale=1.0)
    assert torch.equal(before[[0, 2]], after[[0, 2]])
    assert not torch.equal(before[1], after[1])
