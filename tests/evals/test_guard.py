"""A planted regression is found, noise and a busy machine are not taken for one."""

from __future__ import annotations

import random

import pytest

from evals.guard import Incomparable, compare


def record(seed: int, *, slower: float = 1.0, busy: float = 1.0, machine: str = "A", edits: int = 30):
    """Timings of made-up edits: every run sees the same ones with noise of its own."""
    sizes = [random.Random(n).uniform(0.5, 2.0) for n in range(edits)]
    noise = random.Random(seed)

    def run(cost: float):
        return [{"seconds": busy * cost * size * noise.uniform(0.95, 1.05)} for size in sizes]

    timings = {"transformers": run(1.0), "fastedit": run(0.1 * slower)}
    return {
        "environment": {"machine": machine},
        "data": {"anchor": "transformers", "edits": {"real": timings}},
    }


def test_a_planted_regression_is_found_also_on_a_machine_that_got_faster():
    for busy in (1.0, 0.5, 3.0):
        [change] = compare(record(1), record(2, slower=1.25, busy=busy))
        assert change.regressed
        assert change.low < 0.8 < change.high


def test_neither_noise_nor_a_busy_machine_nor_a_gain_is_a_regression():
    for other in (record(2), record(3, busy=4.0), record(4, slower=0.7)):
        [change] = compare(record(1), other)
        assert not change.regressed


def test_a_record_of_another_machine_or_of_other_edits_is_never_compared():
    with pytest.raises(Incomparable, match="another machine"):
        compare(record(1), record(2, machine="B"))
    with pytest.raises(Incomparable, match="30 edits then and 20 now"):
        compare(record(1), record(2, edits=20))


def test_records_without_a_common_anchor_or_workload_are_not_compared():
    bare = record(1)
    bare["data"]["anchor"] = "other"
    with pytest.raises(Incomparable, match="no common anchor"):
        compare(record(1), bare)
    other = record(1)
    other["data"]["edits"] = {"long": other["data"]["edits"]["real"]}
    with pytest.raises(Incomparable, match="no workload in common"):
        compare(record(1), other)
