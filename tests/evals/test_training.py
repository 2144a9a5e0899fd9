"""The log of a training run becomes a table and a plot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from evals.training import main, panels

ROWS = [
    {
        "step": step,
        "tokens": step * 4000,
        "minutes": step / 30,
        "loss": 1 / step,
        "accuracy": 0.9,
        "novel_accuracy": 0.8,
        "exact": step / 100,
        "machine": "a CPU",
    }
    for step in (10, 20, 30)
]


def write(folder: Path, rows: list[dict[str, object]]) -> None:
    (folder / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_loss_and_shares_are_drawn_over_the_tokens_seen(tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install matplotlib")
    write(tmp_path, [{"step": 5, "tokens": 20_000, "loss": 1.0}, *ROWS])
    main(tmp_path, tmp_path / "training.svg")
    assert "<svg" in (tmp_path / "training.svg").read_text()
    said = capsys.readouterr().out
    assert "120,000" in said
    assert "20,000 " not in said.replace("120,000", ""), "a row of an older log has no shares"
    loss, shares = panels(ROWS)
    assert loss.xs == pytest.approx([0.04, 0.08, 0.12])
    assert shares.lines["whole answers right"] == [0.1, 0.2, 0.3]


def test_a_folder_without_a_log_is_refused_by_name(tmp_path):
    with pytest.raises(typer.BadParameter, match=r"holds no log\.jsonl"):
        main(tmp_path)
    write(tmp_path, [{"step": 5}])
    with pytest.raises(typer.BadParameter, match="no rows with accuracy"):
        main(tmp_path)
