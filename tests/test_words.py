"""Documents and messages use the project's words: docs/glossary.md has them, and which others they replace."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
# The log quotes old names.
EXEMPT = {"log.md"}
DOCUMENTS = [
    path
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/*.md")))
    if path != GLOSSARY and path.name not in EXEMPT
]
NOT_PROSE = re.compile(
    r"^```.*?^```$"  # code
    r"|`[^`\n]+`"
    r"|\]\([^)]*\)"  # where a link leads
    r"|<!-- (?:from|figures from) .*?<!-- end of .*? -->",  # made by a program
    re.DOTALL | re.MULTILINE,
)


def rejected() -> dict[str, str]:
    """The words of the table's second column, each with the first column's."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", GLOSSARY.read_text().split("| we write |")[1], re.MULTILINE)
    return {word: instead for instead, words in rows for word in words.split(", ")}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_uses_the_words_of_the_glossary(path):
    prose = NOT_PROSE.sub(lambda found: "\n" * found[0].count("\n"), path.read_text())
    found = [
        f"line {number}: write {instead!r}, not {word!r}"
        for number, line in enumerate(prose.splitlines(), 1)
        for word, instead in rejected().items()
        if re.search(rf"\b{word}\b", line, re.IGNORECASE)
    ]
    assert not found, "\n".join(found)


def test_the_glossary_rejects_words():
    assert rejected()["wishes"] == "edit request, instruction"


def messages(path: Path) -> list[tuple[int, str]]:
    """The texts of a module that someone may read, each with its line: strings with a blank in them, no docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in docstrings and " " in node.value
    ]


def test_a_message_uses_the_words_of_the_glossary():
    words = re.compile(rf"\b(?:{'|'.join(rejected())})\b", re.IGNORECASE)
    quoted = re.compile(rf"""["'].*{words.pattern}""", re.IGNORECASE)
    modules = [path for folder in ("fastedit", "lsp", "kernels") for path in (ROOT / folder).rglob("*.py")]
    found = [
        f"{path.relative_to(ROOT)}:{line}: write {rejected()[word.lower()]!r}, not {word!r}"
        for path in modules
        # What a strong model is asked stays as it was measured.
        if path.parent != ROOT / "fastedit" / "plan" and quoted.search(path.read_text("utf-8"))
        for line, text in messages(path)
        for word in words.findall(text)
    ]
    assert not found, "\n".join(found)
