from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from fastedit_kernels.packing import send
from fastedit_kernels.tree_attention import tree_attention
from fastedit_kernels.tree_attention.plan import Heads, PassPlan, block_for, capacity, plan_arrays
from fastedit_kernels.tree_attention.shared import ALONE

from tests.kernels.helpers import DEVICE, batch_of, needs_triton, poisoned

SLOW = pytest.mark.slow
PROMPT, LONG, RAGGED = [(0, 70, 0)], [(700, 1, 90)], [(130, 1, 40), (0, 9, 0), (63, 1, 0), (200, 30, 12)]


def planned(batch, heads, programs, block=None, shared=ALONE):
    block = block or block_for(max(span.rows for span in batch.spans), heads)
    arrays, parts = plan_arrays(batch, heads, block, programs, shared=shared)
    return PassPlan.of(block, parts, send(arrays, DEVICE))


def close(out, expected, dtype):
    """Against the reference in float64, by the norm."""
    error = (out.double() - expected).norm() / expected.norm()
    assert error < {torch.float32: 2e-6, torch.float16: 1e-3, torch.bfloat16: 6e-3}[dtype], float(error)


@needs_triton
@pytest.mark.parametrize("window", [None, 50], ids=["full", "window"])
# One program leaves nothing to join, of which the interpreter makes a program for each head of each row.
@pytest.mark.parametrize("programs", [1, pytest.param(12, marks=SLOW)])
@pytest.mark.parametrize(
    ("sizes", "heads", "kv_heads", "d"),
    [
        pytest.param(PROMPT, 4, 2, 64, marks=SLOW),
        (LONG, 7, 1, 128),
        pytest.param(RAGGED, 4, 4, 80, marks=SLOW),
        (RAGGED, 6, 2, 63),
        pytest.param(LONG, 2, 1, 256, marks=SLOW),
    ],
)
def test_the_kernel_gives_what_the_reference_gives(sizes, heads, kv_heads, d, programs, window):
    from fastedit_kernels.tree_attention.triton import tree_attention as kernel

    torch.manual_seed(d)
    # In float32 the largest tile takes minutes to compile.
    dtype = torch.bfloat16 if DEVICE.type == "cuda" and d == 256 else torch.float32
    batch, pages = batch_of(random.Random(d), sizes)
    k, v = (poisoned(batch, pages, kv_heads, d, dtype).to(DEVICE) for _ in range(2))
    q = torch.randn(batch.rows, heads, d, device=DEVICE).to(dtype)
    shape = Heads(heads, kv_heads, d)
    out = kernel(q, k, v, planned(batch, shape, programs), scale=d**-0.5, window=window)
    expected = tree_attention(q.double(), k.double(), v.double(), batch, scale=d**-0.5, window=window)
    close(out, expected, dtype)


@needs_triton
def test_half_precision_stays_within_its_own_rounding():
    from fastedit_kernels.tree_attention.triton import tree_attention as kernel

    torch.manual_seed(0)
    # Triton's interpreter multiplies the bits of bfloat16 as if they were integers.
    dtype = torch.bfloat16 if DEVICE.type == "cuda" else torch.float16
    batch, pages = batch_of(random.Random(0), RAGGED[2:])
    k, v = (poisoned(batch, pages, 1, 64, dtype).to(DEVICE) for _ in range(2))
    q = torch.randn(batch.rows, 2, 64, device=DEVICE).to(dtype)
    out = kernel(q, k, v, planned(batch, Heads(2, 1, 64), 8), scale=0.125)
    assert out.dtype == dtype
    close(out, tree_attention(q.double(), k.double(), v.double(), batch, scale=0.125), dtype)


@needs_triton
@pytest.mark.parametrize("programs", [pytest.param(1, marks=SLOW), 3, pytest.param(1000, marks=SLOW)])
@pytest.mark.parametrize("block", [16, 64])
def test_how_the_work_is_cut_does_not_change_the_result(block, programs):
    from fastedit_kernels.tree_attention.triton import tree_attention as kernel

    torch.manual_seed(1)
    batch, pages = batch_of(random.Random(1), [(600, 2, 30), (40, 1, 3)])
    k, v = (poisoned(batch, pages, 2, 24).to(DEVICE) for _ in range(2))
    q = torch.randn(batch.rows, 4, 24, device=DEVICE)
    plan = planned(batch, Heads(4, 2, 24), programs, block)
    out = kernel(q, k, v, plan, scale=0.2)
    close(out, tree_attention(q.double(), k.double(), v.double(), batch, scale=0.2), torch.float32)


@needs_triton
@pytest.mark.parametrize(
    ("programs", "window"),
    [(8, None), (1000, 90), pytest.param(8, 90, marks=SLOW), pytest.param(1000, None, marks=SLOW)],
)
def test_an_item_may_begin_and_end_amid_the_keys_of_an_iteration(programs, window):
    from fastedit_kernels.tree_attention.triton import tree_attention as kernel

    torch.manual_seed(3)
    # An iteration of half precision takes a page of keys, of which a cut leaves a half.
    batch, pages = batch_of(random.Random(7), [(1000, 1, 20), (0, 90, 0), (433, 1, 3)])
    k, v = (poisoned(batch, pages, 1, 32, torch.float16).to(DEVICE) for _ in range(2))
    q = torch.randn(batch.rows, 2, 32, device=DEVICE).half()
    plan = planned(batch, Heads(2, 1, 32), programs, 16)
    assert (plan.items[:, 1] % 64 != 0).any()
    expected = tree_attention(q.double(), k.double(), v.double(), batch, scale=0.2, window=window)
    close(kernel(q, k, v, plan, scale=0.2, window=window), expected, torch.float16)


@needs_triton
def test_a_tree_may_have_512_nodes():
    from fastedit_kernels.tree_attention.triton import tree_attention as kernel

    torch.manual_seed(2)
    batch, pages = batch_of(random.Random(2), [(10, 1, 512)])
    k, v = (poisoned(batch, pages, 1, 16).to(DEVICE) for _ in range(2))
    q = torch.randn(batch.rows, 1, 16, device=DEVICE)
    out = kernel(q, k, v, planned(batch, Heads(1, 1, 16), 1), scale=0.25)
    close(out, tree_attention(q.double(), k.double(), v.double(), batch, scale=0.25), torch.float32)


@pytest.mark.parametrize("programs", [1, 17, 264])
@pytest.mark.parametrize("sizes", [PROMPT, LONG, RAGGED, [(16384, 1, 63)], [(5, 512, 0), (0, 1, 0)]])
def test_every_slot_that_a_tile_sees_is_in_one_item_of_it(sizes, programs):
    heads = Heads(28, 4, 128)
    batch, _ = batch_of(random.Random(3), sizes)
    block = block_for(max(span.rows for span in batch.spans), heads)
    arrays, parts = plan_arrays(batch, heads, block, programs)
    tiles, items = arrays["tiles"], arrays["items"]
    assert [q for _, first, stop, *_ in tiles.tolist() for q in range(first, stop)] == [
        *range(batch.rows * heads.group)
    ]
    for number, (request, _, stop, first, count, _) in enumerate(tiles.tolist()):
        mine, span = items[items[:, 0] == number], batch.spans[request]
        assert mine[:, 1].tolist() == [0, *mine[:-1, 2]]
        row = (stop - 1) // heads.group - batch.starts[request]
        assert mine[-1, 2] == (span.prefix + row + 1 if row < span.trunk else span.end)
        assert items[first : first + count].tolist() == mine.tolist()
        assert (mine[:, 3] >= 0).all() == (count > 1)
    assert sorted(items[:, 3][items[:, 3] >= 0].tolist()) == list(range(parts))
    rooms = capacity(batch.rows, len(batch.spans), arrays["table"].shape[1], heads, block, {None: programs})
    for name, room in rooms.items():
        assert all(np.array(arrays[name].shape) <= room), name
