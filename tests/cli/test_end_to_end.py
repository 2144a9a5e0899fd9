"""The command with the real engine and no model; in a process of its own where the test is about processes."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.caches import CACHES, IN_MEMORY, ON_DISK
from tests.cli.caches import UPDATE as TWICE

PROGRAM = (
    "import sys, atexit\n"
    "atexit.register(lambda: print('torch' in sys.modules, file=sys.stderr))\n"
    "from fastedit.cli import main\n"
    "main()\n"
)
SOURCE = (
    b"import os\r\n\r\n\r\ndef load(path):\r\n    return open(path).read()\r\n\r\n\r\n"
    b"def save(path):\r\n\tpass  \r\n"
)
UPDATE = (
    b"# ... existing code ...\ndef load(path):\n    with open(path) as file:\n        return file.read()\n\n\n"
    b"def save(path):\n# ... existing code ...\n"
)
RESULT = SOURCE.replace(
    b"    return open(path).read()\r\n", b"    with open(path) as file:\r\n        return file.read()\r\n"
)


def in_a_process(*args: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", PROGRAM, *map(str, args)]
    return subprocess.run(command, input=stdin, capture_output=True, check=False)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(SOURCE)
    return path


def test_an_update_is_merged_written_and_undone_without_torch(path):
    run = in_a_process("apply", path, "-u", "-", "--policy", "merge", "--write", stdin=UPDATE)
    assert run.returncode == 0, run.stderr
    assert run.stderr.endswith(b"False\n")
    assert path.read_bytes() == RESULT
    assert in_a_process("undo", path).returncode == 0
    assert path.read_bytes() == SOURCE


def test_the_answer_as_json_is_the_same_edit(fastedit, path):
    run = fastedit("apply", path, "-u", "-", "--policy", "merge", "--json", stdin=UPDATE)
    answer = json.loads(run.stdout)
    assert answer["status"] == "ok"
    assert answer["receipt"]["passes"] == 0
    assert path.read_bytes() == SOURCE


def test_an_update_with_two_readings_is_held_back_and_each_can_be_taken_by_number(fastedit, path):
    path.write_text(CACHES)
    held = fastedit("apply", path, "-u", "-", "--json", "--write", stdin=TWICE.encode())
    assert held.exit_code == 3
    assert path.read_text() == CACHES
    answer = json.loads(held.stdout)
    assert answer["receipt"]["passes"] == 0
    [other] = answer["alternatives"]
    assert (other["number"], other["line"]) == (2, 3)
    assert 0 < other["posterior"] <= answer["receipt"]["confidence"]
    texts = []
    for number in (1, 2):
        run = fastedit(
            "apply", path, "-u", "-", "--choose", number, "--json", "--write", stdin=TWICE.encode()
        )
        chosen = json.loads(run.stdout)
        assert (run.exit_code, chosen["status"]) == (0, "ok")
        assert chosen["diff"] == (answer["diff"], other["diff"])[number - 1]
        assert [one["number"] for one in chosen["alternatives"]] == [3 - number]
        texts.append(path.read_text())
        assert fastedit("undo", path).exit_code == 0
    assert set(texts) == {IN_MEMORY, ON_DISK}


def test_an_update_that_fits_nowhere_is_refused_or_held_back(fastedit, path):
    update = (
        b"# ... existing code ...\ndef elsewhere():\n    nothing = 'of the kind'\n# ... existing code ...\n"
    )
    run = fastedit("apply", path, "-u", "-", "--policy", "merge", "--write", stdin=update)
    assert run.exit_code in (3, 4)
    assert path.read_bytes() == SOURCE


def test_an_instruction_that_leaves_something_open_needs_a_model(fastedit, path):
    run = fastedit("apply", path, "-i", "make load faster", "--policy", "merge")
    assert run.exit_code == 2
    assert "merge needs an update" in run.stderr


def test_a_plain_instruction_is_carried_out_before_torch_is_imported(path):
    run = in_a_process("apply", path, "-i", "rename load to read", "--output", "-")
    assert run.returncode == 0
    assert run.stdout == SOURCE.replace(b"load", b"read")
    assert run.stderr.endswith(b"False\n")


@pytest.mark.parametrize("model", ["/" + "x" * 5000, "a.py/b", ""])
def test_a_model_that_is_not_there_ends_with_exit_code_5(fastedit, path, model):
    run = fastedit("apply", path, "-i", "rename load to read", "--model", model, "--policy", "model")
    assert run.exit_code == 5
    [message] = run.stderr.splitlines()
    assert message.startswith(f"fastedit: {model or 'no model in .'}")


def test_a_model_that_is_not_there_is_noticed_before_torch_is_imported(path):
    run = in_a_process("apply", path, "-i", "rename load to read", "--model", "/nowhere", "--policy", "model")
    assert run.returncode == 5
    message, torch = run.stderr.splitlines()
    assert message.startswith(b"fastedit: /nowhere")
    assert torch == b"False"


@pytest.mark.parametrize(
    ("descriptor", "mode"), [(0, "--write"), (1, "--write"), (2, "--write"), (1, "--diff")]
)
def test_a_closed_stream_harms_nothing_and_loses_no_result_without_a_word(path, descriptor, mode):
    update = path.parent / "u"
    update.write_bytes(UPDATE)
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, "apply", str(path), "-u", str(update), "--policy", "merge", mode],
        capture_output=True,
        preexec_fn=lambda: os.close(descriptor),
        check=False,
    )
    if mode == "--diff":
        assert run.returncode == 4
        assert b"standard output: Bad file descriptor; send the result elsewhere\n" in run.stderr
    else:
        assert run.returncode == 0, run.stderr
    assert path.read_bytes() == (RESULT if mode == "--write" else SOURCE)


def test_standard_output_that_takes_nothing_is_one_line(path):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-c", PROGRAM, "apply", str(path), "-u", "-", "--diff"]
        run = subprocess.run(command, input=UPDATE, stdout=full, stderr=subprocess.PIPE, check=False)
    assert run.returncode == 4
    assert run.stderr.splitlines()[0] == (
        b"fastedit: standard output: No space left on device; send the result elsewhere"
    )
    assert b"Traceback" not in run.stderr
    assert path.read_bytes() == SOURCE


@pytest.mark.parametrize("arguments", [("explain", "a.py", "-u", "u"), ("--version",)])
def test_a_text_that_standard_output_does_not_take_is_one_line(path, arguments):
    (path.parent / "u").write_bytes(UPDATE)
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "fastedit", *arguments]
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=path.parent, check=False)
    assert run.returncode == 4
    assert run.stderr == b"fastedit: standard output: No space left on device; send the result elsewhere\n"


def test_modules_of_the_folder_that_is_edited_are_not_run(path):
    for name in ("typer", "numpy", "mcp", "json"):
        (path.parent / f"{name}.py").write_text("print('the project runs'); raise SystemExit(7)\n")
    command = [sys.executable, "-m", "fastedit", "apply", "a.py", "-u", "-", "--diff"]
    where = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    run = subprocess.run(command, input=UPDATE, capture_output=True, cwd=path.parent, env=where, check=False)
    assert (run.returncode, b"the project runs" in run.stdout) == (0, False), run.stderr


def test_standard_input_that_gives_nothing_is_one_line(path):
    with open(path.parent / "b", "wb") as written:
        command = [sys.executable, "-m", "fastedit", "apply", str(path), "-u", "-"]
        run = subprocess.run(command, stdin=written, capture_output=True, check=False)
    assert run.returncode == 4
    assert run.stderr == b"fastedit: standard input: Bad file descriptor; name a file instead of -\n"


@pytest.mark.parametrize("arguments", [("--write",), ("--output", "b.py")])
def test_a_disk_without_room_is_one_line_and_the_file_stays(path, arguments):
    update = path.parent / "u"
    update.write_bytes(UPDATE)
    command = [sys.executable, "-c", PROGRAM, "apply", path.name, "-u", "u", "--policy", "merge", *arguments]
    room = len(SOURCE) // 2
    run = subprocess.run(
        command,
        capture_output=True,
        cwd=path.parent,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        check=False,
    )
    assert run.returncode == 4
    message, _ = run.stderr.splitlines()
    assert message.endswith(b"py: File too large; raise the limit on file sizes")
    assert path.read_bytes() == SOURCE
    assert sorted(os.listdir(path.parent)) == ["a.py", "u"]


def test_a_reader_that_leaves_early_is_no_error_worth_a_word(path):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", PROGRAM, "apply", str(path), "-u", "-", "--diff"]
    run = subprocess.run(command, input=UPDATE, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert run.returncode == 1
    assert run.stderr == b"False\n"


def test_a_command_that_asked_the_model_ends_at_once_with_all_it_had_to_say(path):
    command = [sys.executable, "-m", "fastedit", "apply", str(path), "-i", "tidy load up", "--json"]
    run = subprocess.run(command, capture_output=True, check=False)
    answer = json.loads(run.stdout)
    assert answer["receipt"]["passes"] > 0
    assert run.returncode == (3 if answer["status"] == "suspect" else 0)
    assert path.read_bytes() == SOURCE
