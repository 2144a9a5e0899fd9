"""The load figures are arithmetic over what clients saw."""

from __future__ import annotations

import pytest

from evals.load import figures, headline
from evals.serving import TimedRequest, serving
from fastedit.errors import ModelUnavailable


def test_figures_tell_busy_from_failed_and_compare_clients():
    quick = [TimedRequest("ok", 10.0, 4.0, 8.0, 2, 100), TimedRequest("busy", 1.0)]
    slow = [TimedRequest("ok", 30.0, 6.0, 27.0, 3, 200), TimedRequest("failed", 3.0)]
    row = figures([quick, quick, slow], 2.0)
    assert (row["requests"], row["busy"], row["errors"], row["passes"]) == (6, 2, 1, 7)
    assert row["overhead_ms_p50"] == 2.0
    assert row["edits_per_s"] == 1.5
    assert row["chars_per_s"] == 200.0
    assert row["fairness"] == 3.0


def test_the_headline_takes_latency_from_one_client_and_fairness_from_the_most():
    alone = figures([[TimedRequest("ok", 10.0, 4.0, 8.0)]], 1.0)
    many = figures([[TimedRequest("ok", 10.0, 5.0, 8.0)], [TimedRequest("failed", 30.0)]], 1.0)
    assert headline({"1": alone, "64": many}) == {
        "first_hunk_ms_p50": 4.0,
        "overhead_ms_p50": 2.0,
        "errors": 1,
        "fairness": 1.5,
    }


def test_a_server_that_does_not_start_says_why_in_one_line():
    with (
        pytest.raises(ModelUnavailable, match=r"did not start: .*nowhere: no such model"),
        serving("nowhere"),
    ):
        pass
