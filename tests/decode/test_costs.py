from __future__ import annotations

import time

import pytest
import torch

from fastedit.decode import costs
from fastedit.decode.costs import ROUNDS, ROWS, measure, pass_costs
from fastedit.draft.budget import CostTable
from fastedit.model.graphs import CAPTURING
from tests.decode.helpers import target

TABLE = CostTable((1, 64), (2.0, 9.0))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(costs.platformdirs, "user_cache_dir", lambda name: str(tmp_path / name))
    return tmp_path / "fastedit" / "costs"


def test_more_rows_never_look_cheaper():
    table = measure(target())
    assert table.rows == ROWS[: len(table.rows)]
    assert list(table.ms) == sorted(table.ms)
    assert table.ms[0] > 0


def test_what_else_keeps_the_processor_does_not_make_rows_look_dear(monkeypatch):
    model = target()
    forward = model.forward

    def delayed(*args: object) -> object:
        time.sleep(0.07)
        return forward(*args)

    monkeypatch.setattr(model, "forward", delayed)
    monkeypatch.setattr(costs, "SLOW_MS", 60.0)
    monkeypatch.setattr(costs, "REPEATS", 2)
    assert measure(model).rows == ROWS


def test_a_table_is_measured_by_the_first_processes_and_then_kept(folder, monkeypatch):
    model = target()
    monkeypatch.setattr(costs, "measure", lambda target: TABLE)
    for _ in range(ROUNDS):
        assert pass_costs(model) == TABLE
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(costs, "measure", lambda target: pytest.fail("measured again"))
    assert pass_costs(model) == TABLE


def test_each_model_and_each_number_of_processes_has_a_table_of_its_own(folder, monkeypatch):
    models = [target("qwen3"), target("llama")]
    monkeypatch.setattr(costs, "measure", lambda target: TABLE)
    for model in models:
        pass_costs(model)
    for name, value in {"WORLD_SIZE": "2", "RANK": "0", "LOCAL_RANK": "0"}.items():
        monkeypatch.setenv(name, value)
    pass_costs(models[0])
    assert len(list(folder.iterdir())) == 3


def test_a_busy_machine_spoils_a_table_only_until_it_is_measured_again(folder, monkeypatch):
    model = target()
    for table in (CostTable((1, 4), (90.0, 600.0)), TABLE):
        monkeypatch.setattr(costs, "measure", lambda target, table=table: table)
        found = pass_costs(model)
    assert (found.rows, found.ms) == ((1, 4, 64), (2.0, 600.0, 600.0))
    monkeypatch.setattr(costs, "measure", lambda target: CostTable((1, 4, 64), (3.0, 4.0, 8.0)))
    assert pass_costs(model).ms == (2.0, 4.0, 8.0)


@pytest.mark.parametrize("content", ["", "[]", '{"rows": [1]}', '{"rows": [2, 1], "ms": [1, 2]}'])
def test_a_damaged_table_is_measured_again(folder, monkeypatch, content):
    model = target()
    monkeypatch.setattr(costs, "measure", lambda target: TABLE)
    pass_costs(model)
    (file,) = folder.iterdir()
    file.write_text(content)
    assert pass_costs(model) == TABLE
    assert file.read_text() != content


def test_a_cache_folder_that_cannot_be_written_is_no_error(folder, monkeypatch):
    monkeypatch.setattr(costs, "measure", lambda target: TABLE)
    folder.parent.parent.joinpath("fastedit").write_text("a file where the folder should be")
    assert pass_costs(target()) == TABLE


def test_a_measurement_waits_for_the_device_only_while_no_thread_captures_a_graph(monkeypatch):
    """A wait for the whole device would break the capture."""
    model, waits = target(), list[bool]()
    model.device = torch.device("cuda")
    monkeypatch.setattr(model, "forward", lambda rows: None)
    monkeypatch.setattr(torch.accelerator, "synchronize", lambda: waits.append(CAPTURING.locked()))
    costs._time(model, model.new_cache(), 1)
    assert waits == [True]
    assert not CAPTURING.locked()
