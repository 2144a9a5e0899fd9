"""The documents use the project's words: docs/glossary.md has them, and which others they replace."""

from __future__ import annotations

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
