from __future__ import annotations

import pytest

from evals.gpu_plan import balance_of, host_time, saving_of


@pytest.mark.parametrize("batch", [1, 4, 16, 32])
@pytest.mark.parametrize("rows", [1, 16, 64, 512])
@pytest.mark.parametrize("context", [1 << 10, 1 << 13, 1 << 14, 1 << 17])
def test_no_program_has_much_more_to_read_than_the_others(batch, rows, context):
    if batch * rows <= 2048:
        assert balance_of(batch, rows, context).balance >= 0.9


def test_a_window_is_what_programs_share_out_where_every_layer_has_it():
    everything, window = balance_of(1, 64, 1 << 17), balance_of(1, 64, 1 << 17, window=4096)
    assert window.balance >= 0.9
    assert window.longest < everything.longest / 20


@pytest.mark.parametrize("rows", [1, 5, 17])
def test_a_prefix_is_shared_where_fewer_bytes_are_moved_and_by_no_program_much_more_than_by_others(rows):
    found = saving_of(32, rows, 1 << 13)
    assert found.together < found.alone / 2 if rows < 17 else found.together == found.alone
    assert found.balance >= 0.9


def test_the_host_time_of_each_step_is_told():
    found = host_time(2)
    assert found.total == found.plan + found.forest + found.send > 0
