"""A model behind an address from the command line: its faults, Ctrl-C, and the settings that name it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.connect import fake as faults
from tests.connect.conftest import fake, settings
from tests.connect.fake import page, refuses, says, sends

__all__ = ["fake", "settings"]

WISH = ("-i", "rename one to two", "--policy", "model", "--write")


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        (refuses(401, "who?"), 5, "set OPENAI_API_KEY"),
        (refuses(404, "no such model"), 5, "the model's name"),
        (refuses(429, "pay", "insufficient_quota"), 5, "add credit"),
        (
            refuses(400, "9 > 8", "context_length_exceeded"),
            4,
            "limit the edit, or use a model with a longer context (--symbol, --lines, --model)",
        ),
        (page(), 5, "web page"),
        (says({"error": "engine died"}), 5, "engine died"),
        (sends(faults.chunk("begun")), 5, "broke off"),
        (faults.endless, 5, "more than"),
    ],
)
def test_a_servers_fault_is_one_line_and_changes_nothing(fastedit, path, fake, fault, code, said):
    before = path.read_bytes()
    fake.always = fault
    run = fastedit("apply", path, *WISH, "--model", fake.url)
    assert run.exit_code == code
    line = run.stderr.splitlines()[-1]
    assert line.startswith("fastedit: ")
    assert said in line
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("fault", "limit", "said"),
    [
        (faults.silent, "first_token_s = 0.1", "said nothing"),
        (faults.stalls, "silence_s = 0.1", "fell silent"),
    ],
)
def test_a_servers_silence_is_one_line_and_changes_nothing(
    fastedit, path, fake, settings, fault, limit, said
):
    settings.write_text(limit)
    before = path.read_bytes()
    fake.always = fault
    run = fastedit("apply", path, *WISH, "--model", fake.url)
    assert run.exit_code == 5
    assert said in run.stderr.splitlines()[-1]
    assert path.read_bytes() == before


def test_an_answer_over_its_limit_is_one_line_and_changes_nothing(fastedit, path, fake):
    before = path.read_bytes()
    fake.says, fake.finish = "<updated-code>\none", "length"
    run = fastedit("apply", path, *WISH, "--model", fake.url)
    assert run.exit_code == 5
    assert "cut off" in run.stderr.splitlines()[-1]
    assert path.read_bytes() == before


@pytest.mark.parametrize("fault", [faults.silent, faults.stalls])
def test_ctrl_c_ends_a_command_that_waits_for_a_server_at_once(path, fake, fault):
    fake.always = fault
    # Whoever runs the tests in the background has Ctrl-C ignored, and so have the commands that these start.
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    start += "from fastedit.cli import main; main()"
    command = [sys.executable, "-c", start, "apply", str(path), *WISH, "--model", fake.url]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert fake.stalled.wait(60)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said == "fastedit: cancelled; nothing was written\n"
    assert fake.hung_up.wait(30)


def test_a_model_is_named_by_flag_then_environment_then_file(fastedit, path, script, settings, monkeypatch):
    settings.write_text("model = 'openai:c'\n")
    fastedit("apply", path, "-i", "x", "--diff")
    monkeypatch.setenv("FASTEDIT_MODEL", "openai:b")
    fastedit("apply", path, "-i", "x", "--diff")
    fastedit("apply", path, "-i", "x", "--diff", "--model", "openai:a")
    assert script.models == ["openai:c", "openai:b", "openai:a"]


def test_a_broken_file_of_settings_is_one_line(fastedit, path, settings):
    settings.write_text("modle = 'x'\n")
    run = fastedit("apply", path, "-i", "x")
    assert run.exit_code == 2
    assert run.stderr == f"fastedit: {settings}: there is no setting 'modle'; did you mean model?\n"


def test_the_settings_are_shown_with_their_origin_and_without_keys(fastedit, settings, monkeypatch):
    monkeypatch.setenv("FASTEDIT_MODEL", "http://me:secret@h/v1#m")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    settings.write_text("silence_s = 60\n[profiles.work]\nmodel = 'openai:a'\nkey = 'sk-secret'\n")
    run = fastedit("config")
    assert run.exit_code == 0
    assert run.stdout.splitlines() == [
        'model = "http://****@h/v1#m"  # FASTEDIT_MODEL',
        "first_token_s = 120.0  # default",
        f"silence_s = 60  # {settings}",
        f'profiles.work.model = "openai:a"  # {settings}',
        f'profiles.work.key = "****"  # {settings}',
        'OPENAI_API_KEY = "****"  # environment',
    ]
    lines = [json.loads(line) for line in fastedit("config", "--json").stdout.splitlines()]
    assert lines[2] == {"setting": "silence_s", "value": 60, "origin": str(settings)}
    assert "secret" not in json.dumps(lines)
    fastedit("config", "set", "profiles.work.model", "http://me:secret@h/v1")
    assert fastedit("config", "profiles").stdout == "work  http://****@h/v1\n"


def test_a_setting_is_set_shown_and_removed(fastedit, settings):
    assert fastedit("config", "path").stdout == f"{settings}\n"
    assert fastedit("config", "set", "profiles.work.model", "anthropic:claude-x").exit_code == 0
    assert fastedit("config", "profiles").stdout == "work  anthropic:claude-x\n"
    assert fastedit("config", "set", "profiles.work.model", "").exit_code == 2
    assert fastedit("config", "set", "profiles.work", "").exit_code == 0
    assert fastedit("config", "profiles").stdout == ""
    run = fastedit("config", "set", "modle", "x")
    assert run.exit_code == 2
    assert "did you mean model?" in run.stderr


def test_an_edit_by_a_server_imports_neither_torch_nor_an_sdk_nor_what_reads_sketches_and_commands(
    path, fake
):
    path.write_text("one\ntwo\n")
    program = (
        "import atexit, sys\n"
        "unneeded = ('torch', 'transformers', 'openai', 'tomlkit', 'numpy', 'lark')\n"
        "atexit.register(lambda: print([m for m in unneeded if m in sys.modules]))\n"
        f"sys.argv = ['fastedit', 'apply', {str(path)!r}, '-i', 'shout', '--write', '--model', {fake.url!r}]\n"
        "from fastedit.cli import main\n"
        "main()\n"
    )
    fake.says = "<<<<<<< SEARCH\none\n=======\nTWO\n>>>>>>> REPLACE\n"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=dict(os.environ)
    )
    assert run.stdout == "[]\n", run.stderr
    assert path.read_text() == "TWO\ntwo\n"
