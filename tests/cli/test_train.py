"""`fastedit train` passes everything on to the training system."""

from __future__ import annotations

import subprocess
import sys


def train(*arguments: str) -> subprocess.CompletedProcess[str]:
    code = "from fastedit.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "train", *arguments], capture_output=True, text=True, check=False
    )


def test_its_help_is_the_training_systems_own():
    shown = train("--help")
    assert shown.returncode == 0
    assert all(name in shown.stdout for name in ("fastedit train", "finetune", "evaluate", "export"))
    assert "\nUsage: fastedit train" in f"\n{shown.stdout}"  # as plain as the help of the other commands
    assert "-h, --help" in shown.stdout
    assert "completion" not in shown.stdout


def test_options_and_exit_codes_are_those_of_its_commands(tmp_path):
    refused = train("finetune", "--model", str(tmp_path), "--out", str(tmp_path / "out"))
    assert refused.returncode == 2
    assert refused.stderr.strip().endswith("nothing to learn from; give --edits, --corpus or both")
