"""Operations over several files, and what standard input is written in."""

from __future__ import annotations

import json

import pytest

OLD = {"a.py": "def load(x):\n    return x\n\n\nload(1)\n", "b.py": "VALUE = 1\n"}
RENAME = {"path": "a.py", "op": "rename", "target": "load", "new": "read"}
IMPORT = {"path": "b.py", "op": "add-import", "module": "os"}
ABSENT = {"path": "b.py", "op": "delete", "target": "store"}
RENAMED = OLD["a.py"].replace("load", "read")
CALLED = "import json\n\n\ndef load(path):\n    return json.load(path)\n"
INSTRUCTION = ["-i", "rename load to read"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in OLD.items():
        (tmp_path / name).write_text(text)
    return lambda: {name: (tmp_path / name).read_text() for name in OLD}


@pytest.fixture
def apply(fastedit):
    def run(operations: list[dict], *flags: str):
        return fastedit("apply", "-u", "-", *flags, stdin=json.dumps({"operations": operations}).encode())

    return run


def test_operations_on_several_files_are_written_as_one_and_undone_as_one(files, apply, fastedit):
    run = apply([RENAME, IMPORT, {"path": "./a.py", "op": "add-import", "module": "sys"}], "--write")
    assert run.exit_code == 0, run.stderr
    assert "wrote 2 files" in run.stderr
    new = files()
    assert new["b.py"] == "import os\n\nVALUE = 1\n"
    assert new["a.py"].startswith("import sys\n")
    assert new["a.py"].endswith(RENAMED)
    assert fastedit("undo", "b.py").exit_code == 0
    assert files() == OLD


def test_one_operation_that_is_refused_holds_all_files_back(files, apply):
    run = apply([RENAME, ABSENT], "--write")
    assert run.exit_code == 4
    assert "b.py: store: is not in this file" in run.stderr
    assert files() == OLD


def test_partial_writes_the_files_whose_operations_can_be_carried_out(files, apply):
    run = apply([RENAME, ABSENT], "--write", "--partial")
    assert run.exit_code == 4
    assert "left 1 of 2 files as they were: b.py: store: is not in this file" in run.stderr
    assert files() == OLD | {"a.py": RENAMED}


def test_what_an_operation_leaves_alone_is_told_with_its_file_and_never_silent(files, apply):
    run = apply([{"path": "a.py", "op": "delete", "target": "load"}, IMPORT], "--write", "--quiet")
    assert run.stderr == "fastedit: left alone: a.py: line 5: still uses `load`: load(1)\n"


def test_check_says_what_would_become_of_each_file(files, apply, tmp_path):
    (tmp_path / "a.py").write_text("# load\n" + OLD["a.py"])
    run = apply([RENAME, IMPORT], "--check")
    assert run.exit_code == 0
    assert run.stdout == (
        "edit a.py\n  note: comments hold `load` too (line 1); the option `comments` renames them\nedit b.py\n"
    )


@pytest.mark.parametrize(
    ("operations", "said"),
    [
        ([RENAME | {"op": "renam"}], "renam: no such operation; did you mean rename?"),
        ([RENAME | {"into": "x"}], "rename: no field `into`"),
        ([RENAME, RENAME | {"new": "get"}], "operation 2 of 2: load: is not in this file"),
        ([RENAME, RENAME], "rename: operation 1 says the same"),
        ([RENAME | {"path": "c.py"}], "c.py: no such file"),
        ([RENAME | {"path": "../c.py"}], "../c.py: paths with .. are refused"),
    ],
)
def test_bad_operations_are_refused_by_name_and_nothing_is_written(files, apply, operations, said):
    run = apply([IMPORT, *operations], "--write")
    assert run.exit_code == 4
    assert said in run.stderr
    assert files() == OLD


def test_a_target_with_several_meanings_is_refused_with_the_line_of_each(files, apply, tmp_path):
    (tmp_path / "b.py").write_text(
        "class A:\n    def load(self): ...\n\n\nclass B:\n    def load(self): ...\n"
    )
    run = apply([RENAME | {"path": "b.py"}])
    assert run.exit_code == 4
    assert "can mean 2 things (line 2: `A.load`; line 6: `B.load`); say which, such as load@2\n" in run.stderr


@pytest.mark.parametrize("flags", [(), ("--stdin-filename", "src/a.py"), ("--language", "python")])
def test_an_instruction_for_standard_input_is_carried_out_in_its_language(fastedit, flags):
    run = fastedit("apply", "-", *INSTRUCTION, *flags, "--output", "-", stdin=CALLED.encode())
    assert (run.exit_code, run.stdout) == (0, CALLED.replace("def load", "def read"))
    assert "model none" in run.stderr


def test_an_operation_on_standard_input_is_refused_where_nothing_tells_its_language(fastedit):
    run = fastedit("op", "rename", "-", "a", "b", stdin=b"a = 1\n")
    assert run.exit_code == 4
    assert "the language of the file is not known; give its language (--language)" in run.stderr
    run = fastedit("op", "rename", "-", "a", "b", "--language", "python", "--output", "-", stdin=b"a = 1\n")
    assert run.stdout == "b = 1\n"


def test_the_diff_of_standard_input_is_that_of_the_file_it_is_called(fastedit):
    run = fastedit("op", "rename", "-", "a", "b", "--stdin-filename", "src/a.py", stdin=b"a = 1\n")
    assert run.stdout.startswith("--- a/src/a.py\n+++ b/src/a.py\n")


@pytest.mark.parametrize("command", [["apply", *INSTRUCTION], ["op", "rename"], ["explain", "-u", "b.py"]])
def test_a_file_has_no_other_name_and_no_unknown_language(files, fastedit, command):
    [name, *words] = command
    given = {"apply": ["a.py", *words], "op": [*words, "a.py", "load", "x"], "explain": ["a.py", *words]}[
        name
    ]
    run = fastedit(name, *given, "--stdin-filename", "b.py")
    assert (run.exit_code, "--stdin-filename names standard input" in run.stderr) == (2, True)
    run = fastedit(name, *given, "--language", "basic")
    assert (
        run.exit_code,
        "language 'basic': there is none of that name; there are c, cpp" in run.stderr,
    ) == (2, True)


def test_the_language_is_that_of_the_files_whose_name_does_not_tell(files, apply, tmp_path):
    (tmp_path / "tool").write_text("load = 1\n")
    run = apply([RENAME, RENAME | {"path": "tool"}], "--write", "--language", "python")
    assert run.exit_code == 0, run.stderr
    assert (tmp_path / "tool").read_text() == "read = 1\n"
    assert files()["a.py"] == RENAMED
    run = apply([RENAME], "--language", "basic")
    assert (run.exit_code, "language 'basic': there is none of" in run.stderr) == (2, True)


def test_json_has_what_the_operations_say(files, fastedit, tmp_path):
    (tmp_path / "ops.json").write_text(json.dumps([{"op": "delete", "target": "load"}]))
    told = json.loads(fastedit("apply", "a.py", "-u", "ops.json", "--json").stdout)
    assert told["status"] == "ok"
    assert told["left"] == [{"line": 5, "text": "load(1)", "why": "still uses `load`"}]
