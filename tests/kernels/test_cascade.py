"""Prefixes that requests share, read once for all of their rows."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from fastedit_kernels.packing import send
from fastedit_kernels.tree_attention import tree_attention
from fastedit_kernels.tree_attention.plan import Heads, PassPlan, block_for, capacity, cut_for, plan_arrays
from fastedit_kernels.tree_attention.shared import ALONE, Shared, shared_prefixes

from tests.kernels.helpers import DEVICE, batch_of, needs_triton, poisoned

SLOW = pytest.mark.slow
HEADS = Heads(28, 4, 128)
# A file of 3 pages in three requests, one by itself, and another file of 2 pages in two.
SIZES = [(250, 1, 5), (193, 1, 0), (300, 9, 2), (70, 1, 3), (129, 1, 1), (200, 2, 0)]
COMMON = [3, 3, 0, 0, 2]


def runs(shared: Shared) -> list[tuple[int, int, int]]:
    return list(zip(*(part.tolist() for part in shared), strict=True))


def read(arrays) -> int:
    """Slots that all programs read, of one KV head."""
    return int((arrays["items"][:, 2] - arrays["items"][:, 1]).sum())


@needs_triton
@pytest.mark.parametrize(("heads", "kv_heads", "d"), [(6, 2, 63), pytest.param(2, 2, 16, marks=SLOW)])
@pytest.mark.parametrize(
    ("blocks", "programs", "window"),
    [
        ((16,), 5, None),  # the prefix of a run in several tiles
        ((64,), 5, 100),  # and in one
        *(
            pytest.param((16, 64), programs, window, marks=SLOW)
            for programs in (1, 5, 1000)
            for window in (None, 1, 100)
        ),
    ],
)
def test_rows_that_share_a_prefix_get_what_the_reference_gives_each(
    heads, kv_heads, d, blocks, programs, window
):
    from fastedit_kernels.tree_attention.triton import tree_attention as kernel

    torch.manual_seed(d)
    batch, pages = batch_of(random.Random(d), SIZES, COMMON)
    shape = Heads(heads, kv_heads, d)
    shared = shared_prefixes(batch, shape.group, 128)
    assert runs(shared) == [(0, 3, 3), (4, 6, 2)]
    k, v = (poisoned(batch, pages, kv_heads, d).to(DEVICE) for _ in range(2))
    q = torch.randn(batch.rows, heads, d, device=DEVICE)
    for block in blocks:
        arrays, parts = plan_arrays(batch, shape, block, programs, shared=shared)
        plan = PassPlan.of(block, parts, send(arrays, DEVICE))
        out = kernel(q, k, v, plan, scale=d**-0.5, window=window)
        expected = tree_attention(q.double(), k.double(), v.double(), batch, scale=d**-0.5, window=window)
        assert (out.double() - expected).norm() < 2e-6 * expected.norm()


def test_each_slot_that_a_row_sees_is_read_by_its_own_tile_or_by_that_of_its_prefix():
    batch, _ = batch_of(random.Random(0), SIZES, COMMON)
    block, shared = 64, Shared(np.array([0, 4]), np.array([3, 6]), np.array([3, 2]))
    arrays, parts = plan_arrays(batch, HEADS, block, 99, shared=shared)
    tiles, items = arrays["tiles"].tolist(), arrays["items"]
    for row, request in enumerate(batch.of_row.tolist()):
        span, within = batch.spans[request], row - batch.starts[request]
        tile, slots = int(arrays["rows"][row, 2]), []
        while tile >= 0:
            tile += (row * HEADS.group - tiles[tile][1]) // block
            _, first, stop, item, count, prefix = tiles[tile]
            assert first <= row * HEADS.group < stop
            mine = items[item : item + count]
            slots += [slot for _, begin, end, _ in mine.tolist() for slot in range(begin, end)]
            tile = prefix
        seen = span.prefix + (within + 1 if within < span.trunk else span.rows)
        assert sorted(slots)[:seen] == list(range(seen))
    assert sorted(items[:, 3][items[:, 3] >= 0].tolist()) == list(range(parts))
    rooms = capacity(batch.rows, len(batch.spans), arrays["table"].shape[1], HEADS, block, {None: 99})
    for name, room in rooms.items():
        assert all(np.array(arrays[name].shape) <= room), name


def test_no_plan_outgrows_its_room_however_requests_share_and_however_few_rows_they_have():
    rng = random.Random(1)
    for _ in range(40):
        sizes = [(rng.randrange(128, 600), 1, rng.randrange(0, 9)) for _ in range(rng.randrange(1, 17))]
        common = [rng.choice([0, 0, 1, 2, 2]) for _ in sizes[1:]]
        batch, _ = batch_of(rng, sizes, common)
        block, shared = cut_for(batch, HEADS, 2)
        arrays, parts = plan_arrays(batch, HEADS, block, 132, shared=shared)
        rooms = capacity(batch.rows, 64, arrays["table"].shape[1], HEADS, block, {None: 132})
        for name, room in rooms.items():
            assert all(np.array(arrays[name].shape) <= room), name
        assert parts <= rooms["items"][0]


def test_a_shared_prefix_is_planned_only_where_fewer_bytes_are_read():
    many = [(8192, 1, 0)] * 16
    batch, _ = batch_of(random.Random(2), many, [128] * 15)
    block, shared = cut_for(batch, HEADS, 2)
    assert (block, runs(shared)) == (128, [(0, 16, 128)])
    together, _ = plan_arrays(batch, HEADS, block, 132, shared=shared)
    alone, _ = plan_arrays(batch, HEADS, block_for(1, HEADS), 396)
    assert 10 * read(together) < read(alone)
    # A few pages of many, tiles that one request fills alone, and one request.
    for sizes, common in (([(8192, 1, 0)] * 4, [2] * 3), ([(8192, 1, 63)] * 4, [128] * 3), (many[:1], [])):
        batch, _ = batch_of(random.Random(2), sizes, common)
        assert cut_for(batch, HEADS, 2)[1] is ALONE


def test_of_nested_prefixes_the_level_is_chosen_that_saves_most():
    sizes = [(700, 1, 0)] * 5
    deep, _ = batch_of(random.Random(3), sizes, [9, 1, 9, 1])
    assert runs(shared_prefixes(deep, 7, 128)) == [(0, 2, 9), (2, 4, 9)]
    wide, _ = batch_of(random.Random(3), sizes, [9, 8, 9, 8])
    assert runs(shared_prefixes(wide, 7, 128)) == [(0, 5, 8)]


def test_only_committed_pages_are_shared():
    """Whatever lies in the table's last page: rows in flight are a request's own."""
    batch, _ = batch_of(random.Random(4), [(150, 1, 9)] * 3, [3, 3])
    assert runs(shared_prefixes(batch, 1, 128)) == [(0, 3, 2)]


def test_where_every_layer_has_a_window_each_request_reads_its_own():
    batch, _ = batch_of(random.Random(5), [(2000, 1, 0)] * 8, [31] * 7)
    assert cut_for(batch, HEADS, 2, windowed=True)[1] is ALONE
    assert cut_for(batch, HEADS, 2)[1] is not ALONE
