"""A language is one more file in `fastedit/source/languages`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
LANGUAGE = """\
from fastedit.source.languages.base import Language

LANGUAGE = Language(
    name="added",
    suffixes=(".added",),
    grammar=("tree_sitter_go", "language"),
    definitions={"function_declaration": "function"},
    told_by_text=False,
)
"""
TEXT = "package p\n\nfunc load(x int) {\n}\n\nfunc g() {\n\tload(1)\n}\n"


def _linked(source: Path, to: Path, own: Sequence[str]) -> None:
    """A folder of links, but for its folders that are `own`, one within the other."""
    to.mkdir()
    for entry in source.iterdir():
        if [entry.name] == [*own[:1]]:
            _linked(entry, to / entry.name, own[1:])
        else:
            (to / entry.name).symlink_to(entry)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a package is that has the language too."""
    root = tmp_path_factory.mktemp("added")
    _linked(ROOT / "fastedit", root / "fastedit", ("source", "languages"))
    (root / "fastedit/source/languages/added.py").write_text(LANGUAGE, "utf-8")
    return root


def op(package: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (package / "a.added").write_text(TEXT, "utf-8")
    command = [sys.executable, "-m", "fastedit", "op", words[0], "a.added", *words[1:]]
    return subprocess.run(command, cwd=package, capture_output=True, text=True)


def test_a_definition_is_deleted_in_a_language_without_scopes_and_its_uses_are_shown(package):
    run = op(package, "delete", "load", "--write")
    assert (run.returncode, "may use `load`" in run.stderr) == (0, True), run.stderr
    assert (package / "a.added").read_text("utf-8") == "package p\n\nfunc g() {\n\tload(1)\n}\n"


@pytest.mark.parametrize("words", [("move", "load", "last"), ("wrap", "if x {", "load(1)", "g")])
def test_an_operation_that_asks_what_names_mean_does_not_exist_in_a_language_without_scopes(package, words):
    run = op(package, *words)
    assert f"{words[0]}: does not exist in added" in run.stderr, run.stderr
    assert run.returncode == 4
