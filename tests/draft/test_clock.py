import pytest

from fastedit.draft.clock import Clock


def test_a_backlog_that_took_less_than_its_rows_one_by_one_says_nothing_of_a_step():
    clock = Clock(lambda rows: None, "cpu")
    clock._first_ms, clock._row_ms = 5.0, 0.1
    clock.observe(1000, 2, 40.0)  # an answer's first proposal, behind its prompt
    assert clock.step_ms == 5.0
    clock.observe(10, 2, 31.0)  # ten milliseconds a step
    assert clock.step_ms == pytest.approx(5.5)
