from __future__ import annotations

import pytest

from fastedit.decode import costs
from fastedit.decode.costs import ROWS, measure, pass_costs
from fastedit.draft.budget import CostTable
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


def test_a_table_is_measured_once_and_kept(folder, monkeypatch):
    model = target()
    monkeypatch.setattr(costs, "measure", lambda target: TABLE)
    assert pass_costs(model) == TABLE
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(costs, "measure", lambda target: pytest.fail("measured again"))
    assert pass_costs(model) == TABLE


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
