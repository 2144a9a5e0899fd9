"""What an update is taken for, line by line, and why not otherwise."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from fastedit.cli.app import app
from tests.cli.caches import CACHES

ONE = "class Pages:\n    # ...\n    def read(self):\n        return None\n"


@pytest.fixture
def explained(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(CACHES)

    def run(update: str, *more: str):
        (tmp_path / "update").write_text(update)
        return CliRunner().invoke(app, ["explain", "a.py", "-u", "update", *more])

    return run


def test_each_line_of_an_update_is_told_with_what_it_is_taken_for(explained):
    said = explained("# ... existing code ...\n" + CACHES.splitlines()[-1] + "\nx = 1\n").stdout
    assert said.startswith("reading 1 of ")
    assert "update line 1 is a marker\n    it keeps lines 1-" in said
    assert f"update line 2 is line {len(CACHES.splitlines())}\n" in said
    assert "update line 3 is new, after line" in said


def test_two_readings_are_told_with_the_line_on_which_they_part(explained):
    run = explained("    def load(self):\n        return None\n")
    assert run.exit_code == 0
    assert "reading 2 of " in run.stdout
    assert "reading 1 rather than 2, which diverges from it at line " in run.stdout


def test_an_update_of_which_nothing_stands_in_the_file_is_refused(explained):
    run = explained("def other():\n    pass\n")
    assert run.exit_code == 4
    assert "no line of the update stands in it" in run.stderr


def test_the_newest_edit_is_explained_on_the_file_as_it_was_before(explained, tmp_path, monkeypatch):
    monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path / "state"))
    update = "# ... existing code ...\n" + CACHES.splitlines()[-1] + "\nx = 1\n"
    wanted = explained(update).stdout
    assert CliRunner().invoke(app, ["apply", "a.py", "-u", "update", "--write", "--force"]).exit_code == 0
    assert CliRunner().invoke(app, ["explain"]).stdout == wanted


def test_without_an_edit_or_with_half_of_the_arguments_the_way_out_is_told(explained, tmp_path, monkeypatch):
    monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path / "state"))
    nothing = CliRunner().invoke(app, ["explain"])
    assert nothing.exit_code == 4
    assert "name a file and its --update" in nothing.stderr
    half = CliRunner().invoke(app, ["explain", "a.py"])
    assert half.exit_code == 2
    assert "give both" in half.stderr
