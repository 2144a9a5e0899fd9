from __future__ import annotations

import json
import os
import subprocess

import pytest

from fastedit.console import argument
from fastedit.files.transaction import commit
from fastedit.source.hunks import Hunk
from tests.files.dying import HALF, killed_at
from tests.files.trees import OLD, effects, everything_in, files_in, grow


def test_undo_without_a_path_takes_back_the_last_edit_and_says_which(path, script, fastedit):
    before = path.read_bytes()
    fastedit("apply", path, "-i", "shout", "--write")
    run = fastedit("undo")
    assert run.exit_code == 0
    assert run.stdout == f"restored {path} as it was before edit 1: shout\n"
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "name", ["a b.txt", "it's.txt", "a\nb's.txt", "a\\\x1b1.txt", "\udcff.txt", "-é.txt"]
)
def test_the_way_back_that_is_printed_is_one_that_a_shell_takes(name):
    said = argument(name)
    assert said.isprintable()
    found = subprocess.run(["bash", "-c", f"printf %s {said}"], capture_output=True, check=True).stdout
    assert os.path.normpath(os.fsdecode(found)) == name


@pytest.fixture
def tree(tmp_path, monkeypatch):
    root = tmp_path / "tree"
    root.mkdir()
    monkeypatch.chdir(grow(root))
    return root


def test_an_edit_of_many_files_is_one_line_of_the_log(tree, fastedit):
    commit(tree, effects(), "move things", 7)
    (line,) = fastedit("log").stdout.splitlines()
    assert line.endswith(f"7 hunks    {tree}/a.py and 6 more files  move things")
    (entry,) = map(json.loads, fastedit("log", "--json").stdout.splitlines())
    assert len(entry["files"]) == 7
    assert entry["files"][1]["before_sha256"] is None


def test_undo_by_one_file_takes_back_the_whole_edit_and_says_so(tree, fastedit):
    commit(tree, effects(), "move things", 7)
    run = fastedit("undo", "src/moved.py")
    first, *files = run.stdout.splitlines()
    assert first == f"restored {tree}/a.py and 6 more files, which edit 1 changed together: move things"
    assert f"  {tree}/src/b.py" in files
    assert f"  {tree}/src/new/deep/c.py (removed)" in files
    assert len(files) == 7
    assert files_in(tree) == OLD


def test_undo_of_a_file_that_the_edit_created_says_that_it_was_removed(tree, fastedit):
    commit(tree, effects()[1:2], "add c", 1)
    assert fastedit("undo").stdout == f"removed {tree}/src/new/deep/c.py, which edit 1 created: add c\n"
    assert files_in(tree) == OLD


@pytest.mark.parametrize("command", [("log",), ("undo",), ("apply", "a.py", "-u", "run.sh", "--diff")])
def test_the_next_command_rolls_back_what_a_crash_left_half_done(tree, script, fastedit, command):
    assert killed_at(HALF, lambda: commit(tree, effects(), "move things", 7))
    assert files_in(tree) != OLD
    run = fastedit(*command)
    assert files_in(tree) == OLD
    assert "fastedit: rolled back edit 1, which was interrupted: move things\n" in run.stderr
    assert not [name for name in os.listdir(tree) if name.startswith(".fastedit-")]


@pytest.mark.parametrize("args", [(), ("a.txt",), ("nowhere.txt",)])
def test_nothing_to_undo_is_said_with_exit_code_4(path, fastedit, args):
    run = fastedit("undo", *args)
    assert run.exit_code == 4
    assert "no edit left to undo (`fastedit log` lists what was written)" in run.stderr


def test_a_file_changed_since_is_not_restored(path, script, fastedit):
    fastedit("apply", path, "-i", "shout", "--write")
    path.write_bytes(b"by hand")
    run = fastedit("undo", path)
    assert run.exit_code == 4
    assert "changed after edit 1" in run.stderr
    assert "PATH" not in run.stderr
    assert path.read_bytes() == b"by hand"
    assert fastedit("undo").stderr.endswith("; `fastedit undo PATH` undoes that of another file\n")


def test_an_empty_log_says_so_to_people_alone(fastedit):
    run = fastedit("log", "--json")
    assert (run.exit_code, run.stdout, run.stderr) == (0, "", "fastedit: nothing was written yet\n")


def test_the_log_lists_edits_for_people_and_for_programs(path, script, fastedit):
    fastedit("apply", path, "-i", "shout \x1b[31m", "--write")
    fastedit("undo")
    fastedit("apply", path, "-u", "-", "--write", stdin=b"# ...\nTWO\n# ...\n")
    newest, oldest = fastedit("log").stdout.splitlines()
    assert "written" in newest
    assert newest.endswith(f"1 hunk     {path}  +TWO")
    assert "undone" in oldest
    assert oldest.endswith("shout \u241b[31m")
    (entry,) = map(json.loads, fastedit("log", "--json", "--limit", "1").stdout.splitlines())
    assert (entry["id"], entry["files"][0]["path"], entry["status"]) == (3, str(path), "written")


def test_a_broken_journal_is_one_line(path, fastedit, monkeypatch):
    monkeypatch.setenv("FASTEDIT_STATE", str(path))
    for command in ("undo", "log"):
        run = fastedit(command)
        assert run.exit_code == 4
        assert run.stderr.count("\n") == 1
        assert "FASTEDIT_STATE" in run.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("undo", "a.txt"),
        ("apply", "{}", "-i", "x", "--output", "b.txt"),
        ("apply", "-", "--stdin-filename", "a.py", "-i", "x"),
        ("apply", "a.txt", "b.txt", "-i", "x"),
        ("apply", "-u", "{}"),
        ("mcp",),
    ],
)
def test_a_removed_current_folder_is_one_line(path, tmp_path, script, fastedit, monkeypatch, args):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    run = fastedit(*(arg.format(path) for arg in args))
    assert run.exit_code == 4
    assert "the current folder was removed; change to another one" in run.stderr
    assert run.stderr.count("\n") == 1


def test_redo_makes_the_edits_again_in_the_order_they_were_made(path, script, fastedit):
    states = [path.read_bytes()]
    for word in ("shout", "call"):
        script.hunks = (Hunk(1, 2, (word,)),)
        fastedit("apply", path, "-i", word, "--write")
        states.append(path.read_bytes())
    for _ in range(2):  # what was made again can be undone again
        assert [fastedit("undo").exit_code for _ in states[1:]] == [0, 0]
        assert path.read_bytes() == states[0]
        assert fastedit("redo").stdout == f"redid edit 1 of {path}: shout\n"
        assert path.read_bytes() == states[1]
        assert fastedit("redo", path).exit_code == 0
        assert path.read_bytes() == states[2]
        assert [json.loads(line)["status"] for line in fastedit("log", "--json").stdout.splitlines()] == [
            "written",
            "written",
        ]
    run = fastedit("redo")
    assert run.exit_code == 4
    assert f"{path.parent}: no undone edit to redo" in run.stderr


def test_a_new_edit_ends_what_redo_makes_again_but_for_a_file_that_is_named(path, tmp_path, script, fastedit):
    other = tmp_path / "b.txt"
    other.write_bytes(path.read_bytes())
    fastedit("apply", path, "-i", "rejected", "--write")
    fastedit("undo")
    before = path.read_bytes()
    fastedit("apply", other, "-i", "wanted", "--write")
    run = fastedit("redo")
    assert run.exit_code == 4
    assert run.stderr == (
        f"fastedit: no undone edit to redo after edit 3 of {other}; for edit 1: fastedit redo {path}\n"
    )
    assert path.read_bytes() == before
    assert fastedit("redo", path).exit_code == 0


def test_an_undone_edit_of_a_file_that_was_edited_since_is_none_to_redo(path, script, fastedit):
    fastedit("apply", path, "-i", "rejected", "--write")
    fastedit("undo")
    fastedit("apply", path, "-i", "wanted", "--write")
    for named in ((), (path,)):
        run = fastedit("redo", *named)
        assert (run.exit_code, run.stderr) == (
            4,
            f"fastedit: no undone edit to redo after edit 3 of {path}\n",
        )


@pytest.mark.parametrize(
    ("command", "what"), [("undo", "edit left to undo"), ("redo", "undone edit to redo")]
)
def test_without_a_path_no_edit_of_another_project_is_touched(
    path, tmp_path, script, fastedit, monkeypatch, command, what
):
    fastedit("apply", path, "-i", "shout", "--write")
    if command == "redo":
        fastedit("undo")
    left, other = path.read_bytes(), tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    for flags in ([], ["--diff"]):
        run = fastedit(command, *flags)
        assert (run.exit_code, run.stdout) == (4, "")
        assert f"{other}: no {what}; the newest elsewhere: fastedit {command} {path}\n" in run.stderr
    assert path.read_bytes() == left
    (tmp_path / ".git").mkdir()
    assert fastedit(command).exit_code == 0, "both are of one repository now"
    assert path.read_bytes() != left


def test_the_newest_edit_elsewhere_is_named_as_a_shell_takes_it(
    path, tmp_path, script, fastedit, monkeypatch
):
    spaced = path.rename(tmp_path / "a b.txt")
    fastedit("apply", spaced, "-i", "shout", "--write")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert fastedit("undo").stderr.endswith(f"the newest elsewhere: fastedit undo '{spaced}'\n")


def test_an_edit_is_told_by_what_it_adds(path, script, fastedit):
    script.hunks = (Hunk(1, 2, ("", "TWO", "2")),)
    fastedit("apply", path, "-u", "-", "--write", stdin=b"two")
    assert fastedit("undo").stdout.endswith(" before edit 1: +TWO and 1 more line\n")


def test_redo_brings_back_all_files_of_an_edit_with_their_modes(tree, fastedit):
    commit(tree, effects(), "move things", 7)
    after = everything_in(tree)
    fastedit("undo")
    assert fastedit("redo").exit_code == 0
    assert everything_in(tree) == after


def test_a_file_changed_after_undo_is_not_edited_again(path, script, fastedit):
    fastedit("apply", path, "-i", "shout", "--write")
    fastedit("undo")
    path.write_bytes(b"by hand")
    run = fastedit("redo", path)
    assert run.exit_code == 4
    assert "a.txt: changed after edit 1 was undone; take later changes back first" in run.stderr
    assert path.read_bytes() == b"by hand"


def test_undo_and_redo_show_what_they_would_do_as_a_diff_that_git_applies(tree, fastedit):
    commit(tree, effects(), "move things", 7)
    after = files_in(tree)
    subprocess.run(["git", "init", "--quiet", tree.parent], check=True)
    for command, wanted in (("undo", OLD), ("redo", after)):
        diff = fastedit(command, "--diff").stdout_bytes
        before = files_in(tree)
        subprocess.run(["git", "apply"], input=diff, check=True, cwd=tree)
        assert files_in(tree) == wanted != before
        subprocess.run(["git", "apply", "--reverse"], input=diff, check=True, cwd=tree)
        assert fastedit(command).exit_code == 0


def test_undo_and_redo_tell_a_program_which_edit_it_was(path, script, fastedit):
    fastedit("apply", path, "-i", "shout", "--write")
    for command, status in (("undo", "undone"), ("redo", "written")):
        told = json.loads(fastedit(command, "--json").stdout)
        assert (told["id"], told["status"], told["instruction"]) == (1, status, "shout")
        (entry,) = map(json.loads, fastedit("log", "--json").stdout.splitlines())
        assert told == entry
    assert json.loads(fastedit("redo", "--json").stdout)["error"]["code"] == "input_refused"
