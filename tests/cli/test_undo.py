from __future__ import annotations

import json

import pytest


def test_undo_without_a_path_takes_back_the_last_edit_and_says_which(path, script, fastedit):
    before = path.read_bytes()
    fastedit("apply", path, "-i", "shout", "--write")
    run = fastedit("undo")
    assert run.exit_code == 0
    assert run.stdout == f"restored {path} as it was before edit 1: shout\n"
    assert path.read_bytes() == before


@pytest.mark.parametrize("args", [(), ("a.txt",), ("nowhere.txt",)])
def test_nothing_to_undo_is_said_with_exit_code_4(path, fastedit, args):
    run = fastedit("undo", *args)
    assert run.exit_code == 4
    assert "no edit left to undo" in run.stderr


def test_a_file_changed_since_is_not_restored(path, script, fastedit):
    fastedit("apply", path, "-i", "shout", "--write")
    path.write_bytes(b"by hand")
    run = fastedit("undo", path)
    assert run.exit_code == 4
    assert "changed after edit 1" in run.stderr
    assert path.read_bytes() == b"by hand"


def test_the_log_lists_edits_for_people_and_for_programs(path, script, fastedit):
    fastedit("apply", path, "-i", "shout \x1b[31m", "--write")
    fastedit("undo")
    fastedit("apply", path, "-u", "-", "--write", stdin=b"# ...\nTWO\n# ...\n")
    newest, oldest = fastedit("log").stdout.splitlines()
    assert "written" in newest
    assert newest.endswith(f"1 hunk     {path}  TWO")
    assert "undone" in oldest
    assert oldest.endswith("shout \u241b[31m")
    (entry,) = map(json.loads, fastedit("log", "--json", "--limit", "1").stdout.splitlines())
    assert (entry["id"], entry["path"], entry["status"]) == (2, str(path), "written")


def test_a_broken_journal_is_one_line(path, fastedit, monkeypatch):
    monkeypatch.setenv("FASTEDIT_STATE", str(path))
    for command in ("undo", "log"):
        run = fastedit(command)
        assert run.exit_code == 4
        assert run.stderr.count("\n") == 1
        assert "FASTEDIT_STATE" in run.stderr


@pytest.mark.parametrize("args", [("undo", "a.txt"), ("apply", "{}", "-i", "x", "--output", "b.txt")])
def test_a_removed_current_folder_is_one_line(path, tmp_path, script, fastedit, monkeypatch, args):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    run = fastedit(*(arg.format(path) for arg in args))
    assert run.exit_code == 4
    assert "the current folder was removed; change to another one" in run.stderr
    assert run.stderr.count("\n") == 1
