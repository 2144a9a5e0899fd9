"""The alignment model is measured on the same cases as the engine."""

from typer.testing import CliRunner

from evals.outside import alignment, suites
from evals.outside.alignment import Laid, lay, rows
from tests.evals.outside.conftest import SKETCH, agent


def test_a_case_is_laid_and_judged(write):
    write("agents", agent(1, SKETCH), agent(2, "nothing", format="udiff", habit=None))
    (case,) = alignment.sketches("agents_alone", "dev")
    laid = lay(case)
    assert laid.right
    assert 0.5 < laid.posterior <= 1.0


def test_texts_above_a_posterior_are_counted_with_the_wrong_ones():
    found = [Laid(0.9999, True, 1.0), Laid(0.96, False, 1.0), Laid(0.2, False, 1.0)]
    table = {row[0]: row[1:] for row in rows(found)}
    assert table["0.999"][0] == "1"
    assert table["0.950"][0] == "2"
    assert table["0.950"][2].startswith("1 (")
    assert table["0.000"][:2] == ["3", "100.0 %"]


def test_the_command_measures_both_and_refuses_unknown_halves(write, monkeypatch):
    import typer

    write("agents", agent(1, SKETCH))
    monkeypatch.setattr(alignment, "SUITES", ("agents_alone",))
    app = typer.Typer()
    app.command()(alignment.main)
    done = CliRunner().invoke(app, [])
    assert done.exit_code == 0, done.output
    assert "agents_alone: cases 1, right, engine 1" in done.output
    assert CliRunner().invoke(app, ["--split", "train"]).exit_code == 2
    assert "agents_alone" in suites.BY_NAME
