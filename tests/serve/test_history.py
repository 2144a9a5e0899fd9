"""What the status page knows of the past hour, with a clock that the tests set."""

from __future__ import annotations

from fastedit.result import Receipt
from fastedit.serve.telemetry.history import KEPT, STEP_S, LoadHistory


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def test_what_ends_in_the_same_ten_seconds_is_one_interval():
    clock = Clock()
    history = LoadHistory(clock)
    history.ended("ok", 0.004)
    clock.now += STEP_S - 1
    history.ended("suspect", 0.004)
    clock.now += 1
    history.ended("ok", 2.0)
    assert [dict(interval.edits) for interval in history.since(0)] == [{"ok": 1, "suspect": 1}, {"ok": 1}]
    assert [interval.start for interval in history.since(0)] == [1_000_000, 1_000_000 + STEP_S]
    assert [interval.start for interval in history.since(1_000_001)] == [1_000_000 + STEP_S]


def test_only_an_hour_is_kept_however_busy_or_idle_the_server_is():
    clock = Clock()
    history = LoadHistory(clock)
    for _ in range(2 * KEPT):
        history.ended("ok", 0.1)
        clock.now += STEP_S
    assert len(history.since(0)) == KEPT
    clock.now += 2 * KEPT * STEP_S
    assert history.since(0) == []


def test_a_duration_is_counted_at_most_a_fifth_above_itself():
    history = LoadHistory(Clock())
    for ms in (0.0, 0.3, 4.0, 5.0, 117.2, 2000.0):
        history.ended("ok", ms / 1000)
    (interval,) = history.since(0)
    bounds = sorted(interval.durations)
    assert bounds[0] == 0.125
    for bound, ms in zip(bounds[1:], (0.3, 4.0, 5.0, 117.2, 2000.0), strict=True):
        assert 0.999 * ms <= bound <= 1.2 * ms


def test_receipts_and_the_peak_in_flight_are_added_up():
    history = LoadHistory(Clock())
    history.began(1)
    history.began(3)
    history.began(2)
    receipt = Receipt(
        passes=2, output_tokens=9, drafted={"a": 5, "b": 3}, accepted={"a": 4}, rewritten_chars=30
    )
    history.spent(receipt)
    history.spent(receipt)
    (interval,) = history.since(0)
    assert interval.peak == 3
    assert (interval.passes, interval.output_tokens, interval.rewritten_chars) == (4, 18, 60)
    assert (interval.drafted, interval.accepted) == (16, 8)


def test_a_clock_that_is_set_back_keeps_the_intervals_in_order():
    clock = Clock()
    history = LoadHistory(clock)
    history.ended("ok", 0.1)
    clock.now -= 100
    history.ended("ok", 0.1)
    (interval,) = history.since(0)
    assert interval.edits == {"ok": 2}
