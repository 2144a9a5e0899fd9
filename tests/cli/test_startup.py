from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fastedit import __version__
from fastedit.cli.app import app

NO_EDIT_NEEDS = (
    "torch",
    "transformers",
    "tokenizers",
    "pydantic",
    "httpx2",
    "lark",
    "rich",
    "sqlite3",
    "click",
)
FILE = "def f(a):\n    return a\n\n\ndef g(a):\n    return f(a)\n"
SKETCH = "def f(a):\n    return a + 1\n\n# ... existing code ...\n"
BLOCKS = "<<<<<<< SEARCH\n    return a\n=======\n    return a + 1\n>>>>>>> REPLACE\n"


def imported(*args: object) -> set[str]:
    """The modules that a process of these arguments has imported when it ends; it must end well."""
    program = (
        "import sys, atexit\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        f"sys.argv = {['fastedit', *map(str, args)]}\n"
        "from fastedit.cli import main\n"
        "main()\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout
    return set(run.stderr.splitlines()[-1].split())


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "a.py"
    file.write_text(FILE)
    return file


@pytest.mark.parametrize("args", [["--help"], ["--version"]])
def test_the_version_and_the_list_of_commands_import_no_command(args):
    modules = imported(*args)
    assert not modules & {*NO_EDIT_NEEDS, "numpy", "tree_sitter"}
    assert {name for name in modules if name.startswith("fastedit")} == {
        "fastedit",
        "fastedit.cli",
        "fastedit.cli.app",
        "fastedit.cli.completion",
        "fastedit.console",
        "fastedit.errors",
        "fastedit.files",
        "fastedit.files.state",
        "fastedit.help",
        "fastedit.misuse",
    }


@pytest.mark.parametrize("command", ["apply", "op", "undo", "log"])
def test_the_help_of_a_command_imports_no_library_that_edits(command):
    assert not imported(command, "--help") & {*NO_EDIT_NEEDS, "numpy", "tree_sitter"}


@pytest.mark.parametrize(
    ("text", "unneeded"),
    [
        (SKETCH, {"fastedit.formats.resolution.ladder", "fastedit.engine.edits.placed"}),
        (BLOCKS, {"numpy", "fastedit.sketch"}),
    ],
    ids=["sketch", "blocks"],
)
def test_an_update_shown_as_a_diff_imports_what_reads_and_places_it_and_no_more(
    file, tmp_path, text, unneeded
):
    update = tmp_path / "update"
    update.write_text(text)
    others = {
        "fastedit.cli.change",
        "fastedit.connect",
        "fastedit.english",
        "fastedit.engine.changes.again",
        "fastedit.files.write",
        "fastedit.formats.diffs.udiff",
        "fastedit.formats.diffs.v4a",
        "fastedit.formats.files.fence_pairs",
        "fastedit.formats.files.here_documents",
        "fastedit.formats.hashline",
        "fastedit.formats.tools.invoke",
        "fastedit.formats.tools.json_values",
        "fastedit.formats.tools.str_replace",
        "fastedit.locate.search",
        "fastedit.ops",
        "fastedit.prompt",
        "fastedit.source.macros",
    }
    assert not imported("apply", file, "-u", update, "--diff") & {*NO_EDIT_NEEDS, *others, *unneeded}


@pytest.mark.parametrize(
    ("args", "most_modules", "most_dataclasses"),
    [
        (["apply", "a.py", "-u", "sketch", "--diff"], 256, 55),
        (["apply", "a.py", "-u", "blocks", "--diff"], 175, 40),
        (["op", "rename", "a.py", "f", "h", "--diff"], 125, 30),
    ],
    ids=["sketch", "blocks", "op"],
)
def test_an_edit_imports_few_modules_and_makes_few_dataclasses(
    file, tmp_path, monkeypatch, args, most_modules, most_dataclasses
):
    (tmp_path / "sketch").write_text(SKETCH)
    (tmp_path / "blocks").write_text(BLOCKS)
    monkeypatch.chdir(tmp_path)
    modules = {name for name in imported(*args) if name.startswith("fastedit")}
    assert len(modules) <= most_modules
    named = [each for name in modules for each in vars(import_module(name)).values()]
    assert len({each for each in named if isinstance(each, type) and is_dataclass(each)}) <= most_dataclasses


def test_what_the_tools_of_agents_share_with_http_imports_no_web_framework_and_no_array_library():
    shared = ("mcp.operations", "mcp.outcomes", "jobs.pool", "bodies.schemas")
    program = (
        "import sys\n"
        f"import {', '.join(f'fastedit.serve.{name}' for name in shared)}\n"
        "print([name for name in ('fastapi', 'numpy', 'fastedit.draft') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


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
    clients = [*root.glob("vscode-extension/src/**/*.ts"), *root.glob("editors/**/*.rs")]
    assert clients
    assert not [
        text for text in (*sources, *(file.read_text() for file in clients)) if "fastedit-engine[" in text
    ]
