"""`fastedit train` passes everything on to the training system."""

from __future__ import annotations

import subprocess
import sys

import typer

from fastedit.help import first_line
from fastedit.train.__main__ import app
from tests.cli.document import opened


def test_its_help_is_the_training_systems_own(fastedit):
    shown = fastedit("train", "--help")
    assert shown.exit_code == 0
    assert all(name in shown.stdout for name in ("fastedit train", "finetune", "corpus", "export"))
    assert "\nUsage: fastedit train" in f"\n{shown.stdout}"  # as plain as the help of the other commands
    assert "-h, --help" in shown.stdout
    assert "completion" not in shown.stdout


def test_options_and_exit_codes_are_those_of_its_commands(tmp_path, fastedit):
    refused = fastedit("train", "finetune", "--model", tmp_path, "--out", tmp_path / "out")
    assert refused.exit_code == 2
    assert refused.stderr.strip().endswith("nothing to learn from; give --edits, --corpus or both")


def test_a_list_of_its_commands_says_of_each_what_its_own_help_says():
    root = opened(typer.main.get_command(app), "fastedit train")
    for name in root.command.list_commands(root):
        listed = root.command.get_command(root, name)
        assert first_line(listed.help) == first_line(opened(listed, name, root).command.help)


def test_its_help_loads_no_torch():
    code = (
        "import sys, runpy; sys.argv[1:] = ['--help']\n"
        "try: runpy.run_module('fastedit.train', run_name='__main__')\n"
        "except SystemExit: sys.exit('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "finetune" in done.stdout
    assert done.returncode == 0, "torch was imported"
