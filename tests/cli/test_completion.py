from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-c", "from fastedit.cli import main; main()"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_each_shell_gets_a_script_for_the_command(shell, fastedit):
    run = fastedit("completion", shell)
    assert run.exit_code == 0
    assert "_FASTEDIT_COMPLETE" in run.stdout


def test_an_unknown_shell_is_refused_with_those_that_there_are(fastedit):
    run = fastedit("completion", "tcsh")
    assert run.exit_code == 2
    assert "'bash', 'zsh', 'fish', 'powershell'" in run.stderr


def test_commands_and_options_are_completed():
    for words, found in (
        ("fastedit un", {"undo"}),
        ("fastedit apply --sym", {"--symbol"}),
        ("fastedit op ren", {"rename", "rename-key"}),
        ("fastedit ops ren", {"rename", "rename-key"}),
        ("fastedit rule FE101", {"FE101"}),
        ("fastedit apply --ignore FE104", {"FE104"}),
        ("fastedit apply --format s", {"search_replace", "str_replace", "sketch"}),
        ("fastedit apply --language py", {"python"}),
        ("fastedit config set mo", {"model"}),
        ("fastedit op rename ren", set()),  # the shell's own files
    ):
        asked = {
            "_FASTEDIT_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(words.count(" ")),
        }
        run = subprocess.run(COMMAND, capture_output=True, text=True, env=os.environ | asked, check=False)
        assert set(run.stdout.split()) == found, run.stderr


def test_what_can_be_set_is_completed_though_the_configuration_is_broken(tmp_path):
    (tmp_path / "config.toml").write_text("[profiles\n")
    asked = {
        "_FASTEDIT_COMPLETE": "complete_bash",
        "COMP_WORDS": "fastedit config set mo",
        "COMP_CWORD": "3",
        "FASTEDIT_CONFIG": str(tmp_path / "config.toml"),
    }
    run = subprocess.run(COMMAND, capture_output=True, text=True, env=os.environ | asked, check=False)
    assert (run.stdout.split(), run.stderr) == (["model"], "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_takes_its_script(fastedit):
    script = fastedit("completion", "bash").stdout + "\ncomplete -p fastedit\n"
    run = subprocess.run(["bash", "--norc", "-e"], input=script, capture_output=True, text=True, check=True)
    assert "fastedit" in run.stdout
