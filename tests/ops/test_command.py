from __future__ import annotations

import json
import signal

import pytest
from typer.testing import CliRunner

from fastedit.cli.app import app

TEXT = "def load(x):  # load\n    return x.load()\n\n\nload(1)\n"


@pytest.fixture(autouse=True)
def _alone(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path_factory.mktemp("state")))
    handler = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.py"
    path.write_text(TEXT)
    return path


@pytest.fixture
def fastedit(path):
    def run(*args: str, stdin: str = ""):
        return CliRunner().invoke(app, list(args), input=stdin)

    return run


def test_fields_are_options_too(fastedit):
    run = fastedit(
        "op", "rename", "a.py", "load", "--new=read", "--comments", "--attributes", "all", "--diff"
    )
    assert "+def read(x):  # read\n+    return x.read()" in run.stdout


def test_a_file_is_written_and_taken_back(fastedit, path):
    assert fastedit("op", "rename", "a.py", "load", "read", "--write").exit_code == 0
    assert path.read_text() == TEXT.replace("def load", "def read").replace("\nload", "\nread")
    assert fastedit("undo", "a.py").exit_code == 0
    assert path.read_text() == TEXT


def test_several_operations_are_one_change(fastedit, path):
    operations = [{"op": "rename", "target": "load", "new": "read"}, {"op": "add-import", "module": "os"}]
    assert fastedit("op", "a.py", "--operations", json.dumps(operations), "--write").exit_code == 0
    assert path.read_text().startswith("import os\n\n\ndef read")
    assert fastedit("undo", "a.py").exit_code == 0
    assert path.read_text() == TEXT


def test_operations_are_read_from_standard_input_and_what_they_leave_alone_is_never_silent(fastedit):
    run = fastedit(
        "op", "a.py", "--operations", "-", "--output", "-", "-q", stdin='{"op": "delete", "target": "load"}'
    )
    assert run.stdout == "load(1)\n"
    assert run.stderr == "fastedit: left alone: line 5: still uses `load`: load(1)\n"


@pytest.mark.parametrize("written", [True, False])
def test_what_operations_come_to_is_told_as_json(fastedit, path, written):
    run = fastedit("op", "delete", "a.py", "load", "--json", *["--write"] * written)
    told = json.loads(run.stdout)
    assert (run.exit_code, told["status"], told["written"]) == (0, "ok", written)
    assert [place["line"] for place in told["left"]] == [5]
    assert "-def load(x):" in told["diff"]


@pytest.mark.parametrize(
    ("args", "code"), [(("store", "x"), "target_unresolved"), (("--scope", "x"), "usage")]
)
def test_an_operation_that_is_refused_is_told_as_json_too(fastedit, path, args, code):
    told = json.loads(fastedit("op", "rename", "a.py", *args, "--json").stdout)
    assert told["error"]["code"] == code


@pytest.mark.parametrize(
    ("args", "code", "reason"),
    [
        (["op", "renam", "a.py"], 2, "renam: no such operation; did you mean rename?"),
        (["op", "rename"], 2, "op rename: name the file too"),
        (["op", "renam"], 2, "renam: no such operation; did you mean rename?"),
        (["op", "a.py"], 2, "op a.py: name the operation before the file: fastedit op NAME a.py ..."),
        (["op", "a.py", "rename", "load", "read"], 2, "op a.py: name the operation before the file"),
        (["op", "rename", "a.py", "load"], 2, "field `new` is missing"),
        (["op", "rename", "a.py", "load", "read", "x"], 2, "takes one of known, all"),
        (["op", "delete", "a.py", "load", "x"], 2, "'x' is one value too many"),
        (["op", "rename", "a.py", "load", "read", "--scope", "x"], 2, "no field --scope"),
        (["op", "rename", "a.py", "load", "--new"], 2, "--new needs a value"),
        (["op", "rename", "a.py", "load", "read", "--new", "x"], 2, "field new is given twice"),
        (["op", "rename", "a.py", "load", "read", "--strings=yes"], 2, "takes true or false, not 'yes'"),
        (["op", "rename", "b.py", "load", "read"], 4, "b.py: no such file"),
        (["op", "rename", "a.py", "load", "read", "--write", "--diff"], 2, "exclude each other"),
        (["op", "rename", "a.py", "--operations", "{}"], 2, "with --operations only FILE goes before it"),
        (["op", "a.py", "--operations", "{"], 4, "the operations are not JSON"),
        (["op", "-", "--operations", "-"], 2, "standard input cannot be both"),
        (["ops", "renam"], 2, "renam: no such operation"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(fastedit, path, args, code, reason):
    run = fastedit(*args)
    assert (run.exit_code, run.stderr.count("\n")) == (code, 1)
    assert reason in run.stderr
    assert path.read_text() == TEXT


def test_operations_are_listed_and_described(fastedit):
    listed = fastedit("ops").stdout
    assert "rename " in listed
    described = fastedit("ops", "rename").stdout
    assert "  new: the new name\n" in described
    assert "languages: c, " in described
    assert "example:   fastedit op rename settings.py load read\n" in described
    assert json.loads(fastedit("ops", "rename", "--schema").stdout)["title"] == "Rename"
    assert json.loads(fastedit("ops", "--schema").stdout)["type"] == "array"
