"""`fastedit apply` without PATH, and updates in other formats than a sketch with it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fastedit.files import transaction
from fastedit.files.journal import Journal
from fastedit.formats.files.sketches import NAME as SKETCH
from fastedit.formats.registry import FORMATS as REGISTERED
from tests.cli.caches import CACHES, IN_MEMORY, ON_DISK, UPDATE
from tests.cli.terminal import terminal
from tests.files.trees import files_in

OLD = {
    "a.py": b"a = 1\nb = 2\n",
    "dos.txt": b"one\r\ntwo\r\n",
    "src/old.py": b"old = 1\n",
    "gone.md": b"gone\n",
}
NEW = {
    "a.py": b"a = 1\nb = 3\n",
    "dos.txt": b"ONE\r\ntwo\r\n",
    "src/moved.py": b"old = 2\n",
    "src/new/c.py": b"c = 1\n",
}
ENVELOPE = """I changed these files:

*** Begin Patch
*** Update File: a.py
@@
 a = 1
-b = 2
+b = 3
*** Update File: ./dos.txt
@@
-one
+ONE
 two
*** Add File: src/new/c.py
+c = 1
*** Update File: src/old.py
*** Move to: src/moved.py
@@
-old = 1
+old = 2
*** Delete File: gone.md
*** End Patch
"""
DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3\n"
BLOCK = "<<<<<<< SEARCH\nb = 2\n=======\nb = 3\n>>>>>>> REPLACE\n"
ABSENT = "x.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
UNPLACED = "dos.txt\n<<<<<<< SEARCH\none\ntwo!\n=======\n1\n>>>>>>> REPLACE\n"


@pytest.fixture
def root(tmp_path, monkeypatch):
    root = tmp_path / "root"
    for name, data in OLD.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def apply(fastedit, tmp_path):
    def run(message: str, *args: object):
        (tmp_path / "change").write_text(message)
        return fastedit("apply", "-u", tmp_path / "change", *args)

    return run


@pytest.mark.parametrize("how", ["--write", "--check"])
def test_a_file_that_cannot_be_written_leaves_all_others_too_and_is_said_in_place_of_ok(root, apply, how):
    (root / "dos.txt").chmod(0o444)
    run = apply(ENVELOPE, how)
    assert run.exit_code == 4
    assert run.stderr == "fastedit: nothing was written: dos.txt: is read-only; make it writable first\n"
    assert (root / "a.py").read_bytes() == OLD["a.py"]


def test_a_change_is_written_as_one_and_undone_as_one(root, apply, fastedit):
    run = apply(ENVELOPE, "--write")
    assert run.exit_code == 0, run.output
    assert run.stdout == ""
    assert run.stderr.splitlines() == [
        "fastedit: ok: 5 files +4 -4 · v4a",
        "fastedit: wrote 5 files; `fastedit undo a.py` takes them back",
    ]
    assert files_in(root) == NEW
    with Journal.open() as journal:
        (entry,) = journal.entries()
    assert entry.hunks == 5
    assert entry.instruction.startswith("edit a.py, edit dos.txt, create src/new/c.py, rename src/old.py to")
    assert fastedit("undo").exit_code == 0
    assert files_in(root) == OLD
    assert not (root / "src" / "new").exists()


@pytest.mark.parametrize("name", ["a.py", "src/moved.py", "src/old.py", "gone.md", "src/new/c.py"])
def test_undo_of_any_of_the_files_takes_the_change_back(root, apply, fastedit, name):
    apply(ENVELOPE, "--write")
    assert fastedit("undo", name).exit_code == 0
    assert files_in(root) == OLD


def test_a_pipe_gets_one_diff_that_git_and_fastedit_apply(root, tmp_path, apply, fastedit):
    run = apply(ENVELOPE)
    assert run.exit_code == 0
    assert files_in(root) == OLD
    assert run.stdout_bytes == apply(ENVELOPE, "--diff").stdout_bytes
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", root, copy], check=True)
    subprocess.run(["git", "apply", "-"], input=run.stdout_bytes, cwd=copy, check=True)
    assert files_in(copy) == NEW
    assert fastedit("apply", "-u", "-", "--write", stdin=run.stdout_bytes).exit_code == 0
    assert files_in(root) == NEW


def test_check_says_what_would_become_of_each_file_and_hunk(root, apply):
    run = apply(ENVELOPE, "--check")
    assert run.exit_code == 0
    assert run.stdout.splitlines() == [
        "edit a.py",
        "  hunk 1: exact at lines 1-2",
        "edit dos.txt",
        "  hunk 1: exact at lines 1-2",
        "create src/new/c.py",
        "rename src/old.py to src/moved.py",
        "  hunk 1: exact at line 1",
        "delete gone.md",
    ]
    assert files_in(root) == OLD


def test_check_of_what_cannot_be_done_has_the_reason_and_the_nearest_lines(root, apply):
    run = apply(DIFF + "\n" + UNPLACED + "\n" + ABSENT, "--check")
    assert run.exit_code == 4
    said = run.stdout.splitlines()
    assert said[:3] == ["edit a.py", "  hunk 1: exact at lines 1-2", "refused dos.txt"]
    assert said[3].startswith("  hunk 1: its old text is not in the file: ")
    assert "    2 | two" in said
    assert said[-1] == "refused x.py: no such file; check the path"


def test_check_finds_what_only_the_folder_knows(root, apply):
    os.symlink("a.py", root / "link.py")
    run = apply("*** Begin Patch\n*** Delete File: link.py\n*** End Patch\n", "--check")
    assert run.exit_code == 4
    assert "link.py: is a symbolic link; name the file that it points to" in run.stderr


def test_one_file_that_cannot_be_changed_holds_all_back(root, apply):
    run = apply(DIFF + "\n" + ABSENT, "--write")
    assert run.exit_code == 4
    assert run.stderr.splitlines() == [
        "fastedit: refused: 2 files +1 -1 · udiff, search_replace",
        "fastedit: nothing was written: x.py: no such file; check the path (--partial takes the other files)",
    ]
    assert files_in(root) == OLD


def test_a_pipe_gets_no_half_of_a_change(root, apply):
    run = apply(DIFF + "\n" + ABSENT)
    assert (run.exit_code, run.stdout) == (4, "")


def test_partial_says_which_file_is_held_back_for_the_name_of_another(root, apply):
    moved = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n-nothing\n+x\n"
    rest = "*** Add File: a.py\n+new\n*** Delete File: gone.md\n*** End Patch\n"
    run = apply(moved + rest, "--write", "--partial")
    assert run.exit_code == 4
    assert "left 2 of 3 files as they were: a.py: hunk 1: its old text is not in the file" in run.stderr
    assert "; a.py: held back, as it takes or leaves the name of such a file" in run.stderr
    assert files_in(root) == {name: data for name, data in OLD.items() if name != "gone.md"}


def test_a_note_on_the_whole_change_is_told_by_check_too(root, apply):
    mode = "diff --git a/a.py b/a.py\nold mode 100644\nnew mode 100755\n"
    gone = "diff --git a/gone.md b/gone.md\ndeleted file mode 100644\n"
    run = apply(mode + gone, "--check")
    assert run.stdout.endswith("note: a.py keeps its file mode, where the diff has 100755; use chmod\n")


def test_a_file_that_is_deleted_or_renamed_alone_is_told_so(root, apply):
    gone = "diff --git a/gone.md b/gone.md\ndeleted file mode 100644\n"
    moved = "diff --git a/a.py b/b.py\nrename from a.py\nrename to b.py\n"
    for change, said in ((gone, "deleted gone.md"), (moved, "renamed a.py to b.py")):
        assert f"fastedit: {said}; `fastedit undo" in apply(change, "--write").stderr


def test_partial_writes_the_others_and_says_what_was_left(root, apply, fastedit):
    run = apply(DIFF + "\n" + ABSENT, "--write", "--partial")
    assert "in part: 2 files +1 -1 · " in run.stderr
    assert run.exit_code == 4
    assert run.stderr.splitlines()[1:] == [
        "fastedit: wrote a.py; `fastedit undo a.py` takes it back",
        "fastedit: left 1 of 2 files as they were: x.py: no such file; check the path",
    ]
    assert files_in(root) == OLD | {"a.py": NEW["a.py"]}


def test_partial_does_not_say_that_it_wrote_what_it_only_shows(root, apply):
    run = apply(DIFF + "\n" + ABSENT, "--partial")
    assert run.stdout.startswith("diff --git a/a.py b/a.py\n")
    assert "fastedit: would leave 1 of 2 files as they were: " in run.stderr
    assert files_in(root) == OLD


def test_paths_start_from_the_root_and_undo_is_told_from_here(root, tmp_path, apply, fastedit, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = apply(DIFF, "--root", "root", "--write")
    assert run.exit_code == 0
    assert "`fastedit undo root/a.py` takes it back" in run.stderr
    assert (root / "a.py").read_bytes() == NEW["a.py"]


def test_absolute_paths_below_the_root_are_taken_as_agents_write_them(root, tmp_path, apply, monkeypatch):
    link = tmp_path / "link"
    link.symlink_to(root)
    monkeypatch.setenv("PWD", str(link))
    for folder in (root, link):
        run = apply(f"{folder}/a.py\n{BLOCK}", "--diff")
        assert run.exit_code == 0, run.output
        assert "+++ b/a.py\n" in run.stdout


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../out.py", "paths with .. are refused"),
        ("/etc/out.py", "absolute paths are refused"),
        ("out/x.py", "leads out of"),
        ("out.py/x.py", "out.py is a file, not a folder"),
    ],
)
def test_no_path_leads_out_of_the_root(root, tmp_path, apply, path, said):
    os.symlink(tmp_path, root / "out")
    (root / "out.py").write_text("")
    run = apply(f"*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch\n", "--write", "--partial")
    assert run.exit_code == 4
    assert said in run.stderr
    assert not (tmp_path / "x.py").exists()


def test_a_root_that_is_no_folder_is_refused(root, apply):
    run = apply(DIFF, "--root", "nowhere")
    assert run.exit_code == 4
    assert "nowhere: is not a folder" in run.stderr


def test_the_line_ends_with_the_options_that_are_a_way_out(root, apply):
    rename = json.dumps({"operations": [{"path": "dos.txt", "op": "rename", "target": "one", "new": "two"}]})
    assert apply(rename, "--write").stderr.endswith("give its language (--language)\n")
    sketch = "a.py\n```python\nprint(zzz)\n```\n"
    run = apply(sketch, "--write")
    assert (run.exit_code, "(--" in run.stderr) == (4, False)  # --symbol and --lines are for one file


def test_a_reading_of_one_of_several_files_is_shown_and_chosen_by_its_name(root, apply):
    (root / "b.py").write_text(CACHES)
    message = f"b.py\n```python\n{UPDATE}```\n\n```diff\n{DIFF}```\n"
    run = apply(message, "--write")
    assert (run.exit_code, files_in(root)["a.py"]) == (3, OLD["a.py"])
    assert "reading 2 of 2, " in run.stderr
    [told] = re.findall(
        r"\(--choose (b\.py=2@[0-9a-f]{8}) takes another reading, --force these\)", run.stderr
    )
    run = apply(message, "--write", "--choose", told)
    assert run.exit_code == 0, run.stderr
    assert ((root / "b.py").read_text() in (IN_MEMORY, ON_DISK), (root / "a.py").read_bytes()) == (
        True,
        NEW["a.py"],
    )


@pytest.mark.parametrize(
    ("choice", "code", "said"),
    [
        ("2", 2, "--choose 2: names no file; write PATH=2"),
        ("a.py=2", 2, "a.py: the message has no sketch of it, so there is no reading to choose"),
        ("b.py=two", 4, "b.py: two: is no number; name a reading by its own, such as 2"),
        ("b.py=9", 4, "b.py: there is no reading 9: the update has 2"),
        ("b.py=2@0", 4, "b.py: is not the file that reading 2 was shown for; look at its readings again"),
    ],
)
def test_a_choice_that_no_sketch_has_changes_nothing(root, apply, choice, code, said):
    (root / "b.py").write_text(CACHES)
    message = f"b.py\n```python\n{UPDATE}```\n\n```diff\n{DIFF}```\n"
    run = apply(message, "--write", "--choose", choice)
    assert (run.exit_code, said in run.stderr) == (code, True), run.stderr
    assert (root / "a.py").read_bytes() == OLD["a.py"]


def test_readings_are_those_of_one_sketch_of_a_file(root, apply):
    (root / "b.py").write_text(CACHES)
    sketch = f"b.py\n```python\n{UPDATE}```\n"
    run = apply(f"{sketch}\n{sketch}", "--write", "--choose", "b.py=1")
    assert "readings are those of one sketch; send the others of this file on their own" in run.stderr


def test_json_holds_the_whole_answer(root, apply):
    run = apply(DIFF + "\n" + UNPLACED, "--json")
    answer = json.loads(run.stdout)
    assert run.exit_code == 4
    assert (answer["status"], answer["formats"], answer["written"]) == (
        "suspect",
        ["udiff", "search_replace"],
        False,
    )
    changed, refused = answer["files"]
    assert (changed["path"], changed["to"], changed["action"], changed["status"]) == (
        "a.py",
        "a.py",
        "edit",
        "ok",
    )
    assert changed["hunks"] == [{"start": 1, "stop": 2, "lines": ["b = 3"]}]
    assert changed["reports"][0] == {
        "number": 1,
        "step": "exact",
        "lines": [{"start": 0, "stop": 2}],
        "problem": "",
        "nearest": [],
    }
    assert (refused["status"], refused["reports"][0]["step"]) == ("refused", "unplaced")
    assert refused["problem"].startswith("hunk 1: its old text is not in the file")
    assert answer["reasons"] == [f"dos.txt: {refused['problem']}"]
    assert answer["diff"].startswith("diff --git a/a.py b/a.py\n")


def test_json_beside_check_is_all_that_is_printed(root, apply):
    run = apply(DIFF + "\n" + UNPLACED, "--json", "--check")
    assert json.loads(run.stdout)["written"] is False


def test_json_beside_write_says_that_it_was_written(root, apply):
    run = apply(ENVELOPE, "--json", "--write")
    assert json.loads(run.stdout)["written"] is True
    assert files_in(root) == NEW


def test_a_suspect_file_is_held_back_unless_forced(root, apply):
    (root / "a.py").write_text("if a:\n    b = 2\n")
    message = f"a.py\n{BLOCK}".replace("b = 2", "  b = 2").replace("b = 3", "  b = (")
    run = apply(message, "--write")
    assert run.exit_code == 3
    assert "fastedit: suspect, nothing was written: a.py: " in run.stderr
    assert "(--force takes it anyway)" in run.stderr
    piped = apply(message, "--diff")
    assert (piped.exit_code, piped.stdout) == (3, "")
    assert "+    b = (" in apply(message, "--diff", "--force").stdout
    run = apply(message, "--write", "--force")
    assert run.exit_code == 0
    assert "delivered anyway: a.py: " in run.stderr
    assert (root / "a.py").read_text() == "if a:\n    b = (\n"


def test_a_change_that_stands_already_is_unchanged(root, apply):
    apply(DIFF, "--write")
    run = apply(DIFF, "--write")
    assert run.exit_code == 0
    note, said = run.stderr.splitlines()
    assert "note: a.py: hunk 1: its new text is there already, at line" in note
    assert said == "fastedit: unchanged: 1 file +0 -0 · udiff"
    assert apply(DIFF, "--check").stdout.startswith("unchanged a.py\n")


def test_a_change_of_other_lines_while_the_change_is_made_stays(root, apply, monkeypatch):
    (root / "a.py").write_text("a = 1\nb = 2\nc = 3\n")
    inner = transaction.commit

    def first_by_hand(*args):
        monkeypatch.setattr(transaction, "commit", inner)
        (root / "a.py").write_text("a = 1\nb = 2\nc = 4\n# more\n")
        return inner(*args)

    monkeypatch.setattr(transaction, "commit", first_by_hand)
    run = apply("a.py\n<<<<<<< SEARCH\nb = 2\n=======\nb = 8\n>>>>>>> REPLACE\n", "--write", "--json")
    assert (run.exit_code, json.loads(run.stdout)["written"]) == (0, True)
    assert (root / "a.py").read_text() == "a = 1\nb = 8\nc = 4\n# more\n"


def test_a_file_that_changes_while_the_change_is_made_is_not_written(root, apply, monkeypatch):
    from fastedit.files import plan

    def sneaked(*args):
        (root / "a.py").write_bytes(b"by hand\n")
        return plan.make_plan(*args)

    monkeypatch.setattr("fastedit.files.transaction.make_plan", sneaked)
    run = apply(ENVELOPE, "--write")
    assert run.exit_code == 4
    assert "a.py: changed on disk since it was read; apply the edit again" in run.stderr
    assert files_in(root) == OLD | {"a.py": b"by hand\n"}


def test_a_name_above_a_block_is_that_of_a_file_below_the_root(root, apply):
    (root / "gradlew").write_text("b = 2\n")
    assert apply(f"**gradlew**\n{BLOCK}", "--write").exit_code == 0
    assert (root / "gradlew").read_text() == "b = 3\n"


def test_an_edit_that_names_no_file_is_told_how_to_name_it(root, apply, tmp_path):
    run = apply(BLOCK, "--write")
    assert run.exit_code == 4
    assert (
        f"the edit names no file; name the file: fastedit apply FILE -u {tmp_path / 'change'}" in run.stderr
    )


def test_an_unreadable_message_is_refused(root, apply):
    run = apply("*** Begin Patch\n*** Update File: a.py\n@@\n-b = 2\n")
    assert run.exit_code == 4
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "PATH is missing; name the file, or give a change that names its files with --update"),
        (("-i", "rename a to b"), "PATH is missing"),
        (("-u", "-", "--symbol", "f"), "--symbol is for one file; name it: fastedit apply FILE --symbol"),
        (("-u", "-", "--output", "b"), "--output is for one file"),
        (("-u", "-", "--diff", "--check"), "--diff and --check exclude each other"),
        (("-u", "-", "--json", "--diff"), "--json and --diff both want standard output"),
        (("a.py", "-u", "-", "--root", "."), "--root is for a change that names its files"),
        (("a.py", "-u", "-", "--partial"), "leave PATH or --partial out"),
        (("-u", "-", "--format", "xml"), "there is no format xml; the formats are invoke, search_replace,"),
    ],
)
def test_options_that_contradict_each_other_are_a_usage_error(root, fastedit, args, said):
    run = fastedit("apply", *args, stdin=DIFF.encode())
    assert run.exit_code == 2
    assert said in run.stderr
    assert files_in(root) == OLD


def test_a_format_that_is_insisted_on_is_the_only_one_read(root, apply):
    assert apply(DIFF, "--format", "udiff").exit_code == 0
    run = apply(DIFF, "--format", "v4a")
    assert run.exit_code == 4
    assert "v4a: the message has no such edit, it looks like udiff" in run.stderr


FORMATS = {
    "search_replace": BLOCK,
    "udiff": DIFF,
    "v4a": "*** Begin Patch\n*** Update File: a.py\n@@\n-b = 2\n+b = 3\n*** End Patch\n",
    "str_replace": json.dumps({"old_string": "b = 2", "new_string": "b = 3"}),
    "workspace_edit": json.dumps(
        {
            "changes": {
                "file:///src/a.py": [
                    {
                        "range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 5}},
                        "newText": "3",
                    }
                ]
            }
        }
    ),
    "whole": "a.py\n```python\na = 1\nb = 3\n```\n",
    "sketch": "# ... existing code ...\nb = 3\n",
}


@pytest.mark.parametrize("format", FORMATS)
def test_one_file_is_edited_in_every_format(root, apply, tmp_path, fastedit, format):
    (tmp_path / "change").write_text(FORMATS[format])
    for insisted in ((), ("--format", format)):
        run = fastedit("apply", "a.py", "-u", tmp_path / "change", "--diff", *insisted)
        assert run.exit_code == 0, run.output
        assert "-b = 2\n+b = 3\n" in run.stdout


def test_an_edit_for_another_file_is_refused(root, tmp_path, fastedit):
    run = fastedit("apply", "dos.txt", "-u", "-", "--write", stdin=DIFF.encode())
    assert run.exit_code == 4
    assert "the edit is for a.py, not for dos.txt" in run.stderr


def test_an_edit_of_many_files_for_one_is_refused_with_the_way_out(root, tmp_path, fastedit):
    message = "*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n"
    run = fastedit("apply", "a.py", "-u", "-", "--write", stdin=message.encode())
    assert run.exit_code == 4
    assert "apply it as one of several files (without PATH)" in run.stderr


def test_explain_has_nothing_to_say_of_an_edit_that_is_no_sketch(root, fastedit):
    run = fastedit("explain", "a.py", "-u", "-", stdin=DIFF.encode())
    assert run.exit_code == 4
    assert "is not a sketch" in run.stderr


@pytest.mark.parametrize(("answer", "code", "files"), [("y", 0, NEW), ("n", 130, OLD)])
def test_a_person_sees_the_diff_and_is_asked_once(root, tmp_path, answer, code, files):
    (tmp_path / "change").write_text(ENVELOPE)
    with terminal("apply", "-u", tmp_path / "change") as screen:
        screen.wait_for("Write 5 files? [y/N] ")
        screen.press(f"{answer}\n")
        assert screen.wait() == code
    assert "rename to src/moved.py" in screen.seen
    assert screen.seen.count("[y/N]") == 1
    assert files_in(root) == files


def test_a_person_is_asked_nothing_where_all_is_held_back(root, tmp_path):
    (tmp_path / "change").write_text(ABSENT)
    with terminal("apply", "-u", tmp_path / "change") as screen:
        assert screen.wait() == 4
    assert "nothing was written: x.py: no such file" in screen.seen
    assert "[y/N]" not in screen.seen


def test_the_end_of_the_last_line_is_added_and_taken_away(root, apply):
    (root / "k.yml").write_text("k: 1")
    added = "--- a/k.yml\n+++ b/k.yml\n@@ -1 +1 @@\n-k: 1\n\\ No newline at end of file\n+k: 1\n"
    taken = "--- a/k.yml\n+++ b/k.yml\n@@ -1 +1 @@\n-k: 1\n+k: 1\n\\ No newline at end of file\n"
    for message, text in ((added, "k: 1\n"), (taken, "k: 1")):
        run = apply(message, "--diff")
        assert run.exit_code == 0, run.output
        assert run.stdout.split("\n", 3)[3] == message.split("\n", 2)[2].replace(
            "@@ -1 +1 @@", "@@ -1,1 +1,1 @@"
        )
        assert apply(message, "--write").exit_code == 0
        assert (root / "k.yml").read_text() == text


def test_the_diff_of_a_file_in_another_encoding_has_its_bytes(root, apply):
    (root / "l.py").write_bytes("# coding: latin-1\né = 2\n".encode("latin-1"))
    run = apply("l.py\n<<<<<<< SEARCH\né = 2\n=======\nü = 3\n>>>>>>> REPLACE\n")
    assert "-é = 2\n+ü = 3\n".encode("latin-1") in run.stdout_bytes
    assert apply("l.py\n<<<<<<< SEARCH\né = 2\n=======\nд = 3\n>>>>>>> REPLACE\n").exit_code == 4


def test_the_help_names_every_format(fastedit):
    words = " ".join(fastedit("apply", "--help").stdout.split())
    assert f"update: {', '.join(REGISTERED)} or {SKETCH}." in words


def test_the_commands_in_the_documentation_do_what_it_says(tmp_path):
    text = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    commands = re.search(r"## Edits of several files.*?```sh\n(.*?)```", text, re.DOTALL)
    assert commands
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    before_undo, _, undo = commands[1].partition("fastedit undo")
    for script, wanted in (
        (before_undo, {"cache.py": b"from limits import SIZE\n", "limits.py": b"SIZE = 64\n"}),
        (f"fastedit undo{undo}", {"cache.py": b"SIZE = 16\n"}),
    ):
        subprocess.run(
            ["sh", "-e"], input=script.encode(), cwd=tmp_path, env=os.environ | {"PATH": path}, check=True
        )
        assert {name: data for name, data in files_in(tmp_path).items() if name != "answer.md"} == wanted


def test_a_change_shown_as_a_diff_loads_neither_the_journal_nor_torch(tmp_path):
    (tmp_path / "a.py").write_bytes(OLD["a.py"])
    program = (
        "import sys, atexit\n"
        "unneeded = ('sqlite3', 'torch', 'fastedit.english')\n"
        "atexit.register(lambda: print([m for m in unneeded if m in sys.modules]))\n"
        "sys.argv = ['fastedit', 'apply', '-u', '-', '--diff']\n"
        "from fastedit.cli import main\n"
        "main()\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], input=DIFF, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout.endswith("+b = 3\n[]\n")


@pytest.mark.parametrize("folder", [".", ".."])
def test_git_apply_takes_the_diff_of_a_change_below_the_root_of_its_repository(root, apply, folder):
    subprocess.run(["git", "init", "--quiet", root.parent], check=True)
    diff = apply(ENVELOPE, "--diff").stdout_bytes
    subprocess.run(["git", "apply"], input=diff, check=True, cwd=root / folder)
    assert files_in(root) == NEW
