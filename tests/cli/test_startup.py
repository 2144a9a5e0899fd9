from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fastedit import __version__
from fastedit.cli.app import app

HEAVY = ("torch", "transformers", "numpy", "tree_sitter", "tokenizers", "rich", "sqlite3", "click")


@pytest.mark.parametrize(
    "args", [["--help"], ["apply", "--help"], ["undo", "--help"], ["log", "--help"], ["--version"]]
)
def test_help_and_version_import_nothing_heavy(args):
    program = (
        "import sys, atexit\n"
        f"atexit.register(lambda: print([m for m in {HEAVY} if m in sys.modules], file=sys.stderr))\n"
        f"sys.argv = ['fastedit', *{args}]\n"
        "from fastedit.cli import main\n"
        "main()\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stderr == "[]\n"
    assert run.stdout


def test_an_update_shown_as_a_diff_loads_neither_the_journal_nor_what_reads_sentences(tmp_path):
    file, update = tmp_path / "a.py", tmp_path / "update"
    file.write_text("a = 1\nb = 2\n")
    update.write_text("a = 1\nb = 3\n")
    program = (
        "import sys, atexit\n"
        "unneeded = ('sqlite3', 'fastedit.english', 'fastedit.cli.change')\n"
        "atexit.register(lambda: print([m for m in unneeded if m in sys.modules]))\n"
        f"sys.argv = ['fastedit', 'apply', {str(file)!r}, '-u', {str(update)!r}, '--diff']\n"
        "from fastedit.cli import main\n"
        "main()\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.endswith("+b = 3\n[]\n")


@pytest.mark.parametrize(("given", "found"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_threads_do_not_spin_unless_the_user_says_so(monkeypatch, given, found):
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    if given:
        monkeypatch.setenv("OMP_WAIT_POLICY", given)
    program = (
        "import atexit, os, sys\n"
        "atexit.register(lambda: print(os.environ['OMP_WAIT_POLICY']))\n"
        "sys.argv = ['fastedit', '--version']\n"
        "from fastedit.cli import main\n"
        "main()\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == found


def test_the_version_is_the_packages(fastedit):
    assert fastedit("--version").stdout == f"fastedit {__version__}\n"


def test_without_a_command_the_help_is_shown(fastedit):
    run = fastedit()
    assert run.exit_code == 2
    assert "apply" in run.output


def test_nothing_is_imported_before_ctrl_c_is_answered():
    program = "import sys, fastedit.cli; print(sorted(m for m in sys.modules if m.startswith(('fastedit', 'typer'))))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "['fastedit', 'fastedit.cli']\n"


def test_all_that_the_package_offers_is_there_without_torch():
    program = (
        "import sys; from fastedit import *; print(Engine, Document, Policy, Status, 'torch' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.endswith(" False\n")


def test_what_is_not_installed_is_named_with_a_command_that_installs_it_from_a_clone(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "fastedit.serve.run", raising=False)
    run = CliRunner().invoke(app, ["serve"])
    assert run.exit_code == 2
    assert run.stderr == (
        "fastedit: uvicorn is not installed; run in fastedit's folder: pip install '.[serve]'\n"
    )


def test_only_extras_that_there_are_are_named():
    root = Path(__file__).parents[2]
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    sources = [file.read_text() for part in ("fastedit", "evals") for file in (root / part).rglob("*.py")]
    named = {name for text in sources for name in re.findall(r"""not_installed\(.*["'](\w+)["']\)""", text)}
    assert named <= extras.keys()
    assert {"serve", "lsp", "gpu"} <= named
    assert not [text for text in sources if "fastedit-engine[" in text]
