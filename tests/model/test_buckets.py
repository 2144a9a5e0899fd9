"""For how many rows graphs are kept, on devices that take as long as each test says."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from fastedit_kernels.tree_attention.plan import Heads, block_for, heights

from fastedit.model.buckets import (
    LEAST,
    MOST,
    SLACK,
    TIMED,
    TRIES,
    Buckets,
    buckets_of,
    seconds_in,
    seconds_of,
)
from tests.model.room import Room

ROW = 1 << 10  # bytes of its logits
PLENTY = 1 << 40
RIDGE = 184  # of an H200
CURVES: dict[str, Callable[[int], float]] = {
    "roofline": lambda rows: max(1.0, rows / RIDGE),
    "smooth": lambda rows: math.hypot(1.0, rows / RIDGE),
    "row by row": float,
}


def times(curve: Callable[[int], float]) -> list[float]:
    return [curve(rows) for rows in TIMED]


@pytest.mark.parametrize("step", [16, 64])
@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
def test_no_pass_takes_much_longer_in_its_graph_than_its_own_rows_would(curve, step):
    found = buckets_of((), times(curve), step, ROW, PLENTY)

    def cost(rows: int) -> float:
        return float(np.interp(-(-rows // step) * step, TIMED, times(curve)))

    for rows in range(1, MOST + 1):
        room, _ = found.graph_for(rows, rows)
        assert rows <= room
        assert room % step == 0
        assert cost(room) <= SLACK * cost(rows) or room == step
    assert found.rows[-1] == MOST


def test_rows_that_cost_nothing_share_a_graph_but_for_those_of_smaller_tiles():
    flat = buckets_of((2, 4, 9), times(lambda rows: 1.0), 16, ROW, PLENTY)
    assert flat == Buckets((2, 4, 9, MOST), flat=MOST)
    roofline = buckets_of((2, 4, 9), times(CURVES["roofline"]), 16, ROW, PLENTY)
    assert roofline.rows[:3] == (2, 4, 9)
    assert 128 <= roofline.flat == roofline.rows[3] <= SLACK * RIDGE


def test_a_tile_as_high_as_the_rows_that_cost_nothing_has_no_graph_of_its_own():
    found = buckets_of((16, 32, 64), times(float), 16, ROW, PLENTY)
    assert found.rows[:2] == (16, 32)
    assert len(set(found.rows)) == len(found.rows)


def test_a_longer_product_that_was_timed_as_a_shorter_one_counts_as_no_shorter():
    noisy = [1.0, 1.3, 1.0, 1.3, 1.3, 1.3]
    assert buckets_of((), noisy, 16, ROW, PLENTY).rows == (16, MOST)


def test_where_memory_is_short_the_largest_graphs_are_left_out():
    every = buckets_of((2, 4, 9), times(CURVES["roofline"]), 16, ROW, PLENTY)
    for count in range(1, len(every.rows) + 1):
        memory = ROW * every.rows[count - 1]  # what all graphs write to has room for the logits of any
        found = buckets_of((2, 4, 9), times(CURVES["roofline"]), 16, ROW, memory)
        assert found == every._replace(rows=every.rows[:count])
        assert found.graph_for(found.rows[-1] + 1, 1) is None
    assert buckets_of((2, 4, 9), times(CURVES["roofline"]), 16, ROW, 0).rows == (2,)


def test_a_graph_holds_the_rows_with_logits_and_all_rows_where_many_want_them():
    found = Buckets((9, 64, 384), flat=64)
    assert [found.graph_for(51, wanted) for wanted in (0, 1, 51)] == [(64, 0), (64, 64), (64, 64)]
    assert [found.graph_for(300, wanted) for wanted in (0, 64, 65)] == [(384, 0), (384, 64), (384, 384)]
    assert found.graph_for(9, 1) == (9, 9)
    assert found.graph_for(385, 1) is None


@pytest.mark.parametrize(
    "heads", [Heads(32, 32, 128), Heads(32, 8, 128), Heads(28, 4, 128), Heads(64, 4, 128), Heads(8, 1, 256)]
)
def test_every_pass_finds_its_graph_among_those_captured_at_load(heads):
    buckets = buckets_of(heights(heads), times(CURVES["roofline"]), 16, ROW, PLENTY)

    def block(rows: int) -> int:
        return block_for(rows, heads)

    samples = buckets.samples(block)
    captured = {(buckets.graph_for(sum(counts), wanted), block(max(counts))) for counts, wanted in samples}
    assert len(samples) == len(captured)
    for rows in range(1, MOST + 1):
        # Of one request, or of several that read one prefix; each has a row that decides.
        for most in {*range(1, min(rows, 64) + 1), rows}:
            for wanted in {1 + rows - most, rows - most // 2, rows}:
                assert (buckets.graph_for(rows, wanted), block(most)) in captured


def test_the_largest_graphs_are_captured_first_and_by_the_shortest_passes_that_need_them():
    buckets = Buckets((2, 4, 16, MOST), flat=16)
    samples = list(buckets.samples(lambda rows: 16))
    rooms = [buckets.graph_for(sum(counts), wanted) for counts, wanted in samples]
    assert rooms == [(MOST, 0), (MOST, MOST), (MOST, 16), (16, 16), (4, 4), (2, 2)]
    assert samples[1:] == [((17,), 17), ((17,), 1), ((5,), 1), ((3,), 1), ((1,), 1)]


def test_products_that_cannot_be_timed_count_by_their_rows_and_one_line_says_so(caplog):
    def full(rows: int) -> float:
        raise torch.OutOfMemoryError("CUDA out of memory\nby 3 MiB")

    assert seconds_of(lambda rows: 2.0 * rows) == [2.0 * rows for rows in TIMED]
    assert not caplog.messages
    assert seconds_of(full) == TIMED
    (line,) = caplog.messages
    assert line.endswith("than may be needed: OutOfMemoryError: CUDA out of memory")


def test_a_product_is_timed_by_the_fastest_replay_of_a_graph_that_holds_several(monkeypatch):
    room, milliseconds, runs = Room(), iter([8.0, 4.0, 6.0]), list[int]()

    class Event:
        def __init__(self, *, enable_timing: bool) -> None:
            assert enable_timing

        def record(self) -> None:
            self.after = len(runs)

        def synchronize(self) -> None:
            pass

        def elapsed_time(self, end: Event) -> float:
            self.between = end.after - self.after
            assert self.between == 4
            return next(milliseconds)

    monkeypatch.setattr(torch.cuda, "Event", Event)
    assert seconds_in(room, lambda: runs.append(LEAST)) == pytest.approx(1e-3)
    assert (room.captures, room.replays) == (1, TRIES)
