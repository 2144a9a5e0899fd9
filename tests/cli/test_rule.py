from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from fastedit.cli.app import app

runner = CliRunner()


def test_the_rules_are_listed_by_code():
    lines = runner.invoke(app, ["rule"]).stdout.splitlines()
    codes = [line.split()[0] for line in lines]
    assert codes == sorted(codes)
    assert codes[0] == "FE101"


def test_one_rule_is_explained_in_markdown_and_in_json():
    assert runner.invoke(app, ["rule", "FE104"]).stdout.startswith("# FE104\n")
    said = json.loads(runner.invoke(app, ["rule", "fe104", "--json"]).stdout)
    assert said["code"] == "FE104"
    assert said["can_be_ignored"]


def test_a_rule_that_there_is_not_is_refused_with_those_that_exist():
    result = runner.invoke(app, ["rule", "FE999"])
    assert result.exit_code == 2
    assert "is none of FE101" in result.stderr


@pytest.mark.parametrize(("code", "said"), [("FE999", "is none of FE101"), ("FE101", "cannot be ignored")])
def test_a_code_that_cannot_be_ignored_is_refused_before_anything_is_read(tmp_path, code, said):
    file = tmp_path / "a.py"
    file.write_text("x = 1\n")
    result = runner.invoke(app, ["apply", str(file), "-u", "update.txt", "--ignore", code])
    assert result.exit_code == 2
    assert said in result.stderr
    assert file.read_text() == "x = 1\n"


def test_an_ignored_rule_lets_the_edit_pass(tmp_path):
    file = tmp_path / "a.cfg"
    file.write_text("x = 1\ny = 2\n")
    update = tmp_path / "update.txt"
    update.write_text("x = 1\n>>>>>>> theirs\ny = 2\n")
    edit = ["apply", str(file), "-u", str(update), "--policy", "merge", "--write"]
    assert runner.invoke(app, edit).exit_code == 3
    assert runner.invoke(app, [*edit, "--ignore", "FE104"]).exit_code == 0
    assert ">>>>>>> theirs" in file.read_text()


def test_an_ignored_rule_lets_a_change_of_several_files_pass(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cfg").write_text("x = 1\ny = 2\n")
    (tmp_path / "update.txt").write_text("a.cfg\n```\nx = 1\n>>>>>>> theirs\ny = 2\n```\n")
    edit = ["apply", "-u", "update.txt", "--policy", "merge", "--write"]
    assert runner.invoke(app, edit).exit_code == 3
    assert runner.invoke(app, [*edit, "--ignore", "FE104"]).exit_code == 0
    assert ">>>>>>> theirs" in (tmp_path / "a.cfg").read_text()
