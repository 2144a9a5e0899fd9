"""Documents say what the records say, and nothing else."""

from __future__ import annotations

import json

import pytest
import typer

from evals.record import RECORDS, load
from evals.report import (
    DOCS,
    END,
    README,
    ROOT,
    START,
    WHOLE,
    block,
    document,
    main,
    readme_block,
    records,
    with_figures,
)
from fastedit.errors import FileUnreadable

OTHERS = sorted({told["document"] for told in RECORDS.values()} - {WHOLE})
PLACE = {"machine": "A, 2 cores", "versions": {"torch": "2.13"}, "commit": "abc1234", "threads": "all"}


def record(**data):
    return {"command": "python -m evals.load", "environment": PLACE, "data": data}


LOAD = record(
    headline={"passes": 3210, "errors": 0}, figures={"64": {"passes": 5, "fairness": 0.25}}, quick=True
)
SHAPES = record(headline={"x transformers": 9.5, "x transformers, prompt lookup": 2.0}, figures={})


def test_every_section_names_its_command_its_machine_and_its_figures():
    text = document({"load": LOAD})
    assert "`python -m evals.load` on A, 2 cores, torch 2.13, commit abc1234. Few cases" in text
    assert "| passes   | 3,210 |" in text
    assert "| 64 |      5 |     0.25 |" in text


def test_what_was_never_measured_is_said_to_be_missing_with_the_way_to_measure_it():
    text = document({}) + "".join(block(name, {}) for name in OTHERS)
    for name, told in RECORDS.items():
        assert f"Not recorded yet: `python -m evals.record {name}` (runs `{told['command']}`)." in text


def test_a_peer_that_is_absent_is_named_and_has_no_row():
    text = document(
        {"shapes": record(headline={"x": 1.5}, figures={}, absent={"vLLM": "vllm is not installed"})}
    )
    assert "Absent: vLLM (vllm is not installed)." in text


def test_the_readmes_figures_are_replaced_by_the_recorded_ones(tmp_path):
    found, path = readme_block({"shapes": SHAPES}), tmp_path / "x.md"
    path.write_text(f"# x\n\n{START}\n| cases | 9 |\n{END}\n\nrest\n")
    assert with_figures(path, found) == f"# x\n\n{found}\n\nrest\n"
    assert "| edits by a local model: times as fast as plain transformers |    9.5 |" in found
    path.write_text("# no place for them\n")
    assert with_figures(path, found) == "# no place for them\n"


def test_the_documents_here_are_those_that_the_records_make():
    found = records()
    blocks = {DOCS / f"{name}.md": block(name, found) for name in OTHERS}
    for path, made in (blocks | {README: readme_block(found)}).items():
        text = path.read_text("utf-8")
        assert START in text, f"{path.name} has a place for its figures"
        assert with_figures(path, made) == text, "run: make report"
    assert (DOCS / f"{WHOLE}.md").read_text("utf-8") == document(found), "run: make report"


def test_make_report_builds_them():
    rules = (ROOT / "Makefile").read_text("utf-8")
    assert "\nreport: $(STAMP)\n\t$(BIN)/python -m evals.report\n" in rules
    assert " report " in next(line for line in rules.splitlines() if line.startswith(".PHONY:"))


def test_a_figure_that_differs_from_its_record_is_told_by_name(tmp_path, capsys):
    (tmp_path / "shapes.json").write_text(json.dumps(SHAPES))
    with pytest.raises(typer.Exit) as ended:
        main(check=True, results=tmp_path)
    assert ended.value.exit_code == 1
    said = capsys.readouterr().err
    assert "docs/benchmarks.md differs from the records; run: make report" in said
    assert "README.md differs from the records" in said


def test_a_file_that_is_no_record_is_named(tmp_path):
    (tmp_path / "load.json").write_text(json.dumps({"headline": {}}))
    with pytest.raises(
        FileUnreadable, match=r"load.json: no record; make it anew with: python -m evals.record load"
    ):
        load("load", tmp_path)
