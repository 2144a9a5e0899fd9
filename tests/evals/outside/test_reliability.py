"""What posteriors are worth is measured on the suites' own cases."""

import json
from dataclasses import replace

import pytest
import typer
from typer.testing import CliRunner

from evals.outside import reliability
from evals.outside.reliability import Laid, bins, lay, summary, thresholds
from tests.evals.outside.conftest import SKETCH, agent

FOUND = [
    Laid("a", 0.9999, True, False, True, 1.0),
    Laid("b", 0.96, False, False, True, 2.0),
    Laid("c", 0.97, False, True, False, 2.0),
    Laid("d", 0.2, False, False, False, 3.0),
]


@pytest.fixture
def app(monkeypatch) -> typer.Typer:
    monkeypatch.setattr(reliability, "SUITES", ("agents_alone",))
    made = typer.Typer()
    made.command()(reliability.main)
    return made


def test_a_case_is_laid_and_judged(write):
    write("agents", agent(1, SKETCH), agent(2, "nothing", format="udiff", habit=None))
    (case,) = reliability.sketches("agents_alone", "dev")
    laid = lay(case)
    assert laid is not None
    assert laid.right
    assert not laid.objected
    assert 0.5 < laid.posterior <= 1.0


def test_an_update_that_is_refused_has_no_posterior(write):
    write("agents", agent(1, "nothing of it stands there\n"))
    (case,) = reliability.sketches("agents_alone", "dev")
    assert lay(case) is None


def test_texts_above_a_threshold_are_counted_without_those_that_a_check_objects_to():
    table = {row[0]: row[1:] for row in thresholds(FOUND)}
    assert table["0.999"][0] == "1"
    assert table["0.950"][0] == "2"
    assert table["0.950"][2].startswith("1 (")
    assert table["0.000"][:2] == ["3", "75.0 %"]
    assert summary(FOUND, 2)["right among three"] == 2
    assert summary(FOUND, 2)["sketches"] == 6
    assert summary(FOUND, 0)["calibration error"] == pytest.approx((0.2 + 0.96 + 0.0001) / 3, abs=1e-4)


def test_a_bin_has_how_often_its_texts_are_right():
    assert bins(FOUND) == [(1, 0.2, 0.0), (1, 0.96, 0.0), (1, 0.9999, 1.0)]
    ends = [replace(FOUND[0], posterior=1.0, right=True), replace(FOUND[0], posterior=0.995, right=False)]
    assert bins(ends) == [(2, 0.9975, 0.5)]


def test_the_command_writes_figures_and_a_plot_and_refuses_unknown_halves(write, app, tmp_path):
    write("agents", agent(1, SKETCH))
    figures, plot = tmp_path / "found.json", tmp_path / "found.svg"
    done = CliRunner().invoke(app, ["--json", str(figures), "--plot", str(plot)])
    assert done.exit_code == 0, done.output
    assert "agents_alone: sketches 1, refused 0, right 1" in done.output
    assert json.loads(figures.read_text())["agents_alone"]["right"] == 1
    assert plot.read_text().count("<svg")
    assert CliRunner().invoke(app, ["--split", "train"]).exit_code == 2
    for option in ("--plot", "--json"):
        refused = CliRunner().invoke(app, [option, str(tmp_path / "no" / "file")])
        assert refused.exit_code == 2
        assert "no folder" in " ".join(refused.output.split())
    assert CliRunner().invoke(app, ["--suite", "other"]).exit_code == 2
