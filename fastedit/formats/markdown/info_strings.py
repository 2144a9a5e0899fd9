"""What the info strings of code fences call languages."""

from __future__ import annotations

from fastedit.source.fences import first_word
from fastedit.source.languages import TEXT, Language, languages, named


def said(language: Language) -> frozenset[str]:
    """What fences call a language."""
    suffixes = (each.removeprefix(".") for each in language.suffixes)
    return frozenset({language.name, *language.editor_names, *language.interpreters, *suffixes})


# What fences call a text of commands, also for shells that are no language here, and one that is nothing but text.
# Aider tells models to suggest commands in such: `shell_starts` in its `editblock_coder.py`.
SHELLS = frozenset[str]().union(*(said(each) for each in languages() if each.commands)) | {
    "bat",
    "batch",
    "cmd",
    "csh",
    "fish",
    "ps1",
    "pwsh",
    "tcsh",
}
PLAIN = said(named(TEXT))
DIFFS = frozenset({"diff", "patch", "udiff"})
_NAMES = frozenset[str]().union(*map(said, languages())) | SHELLS


def names_a_language(word: str) -> bool:
    return word.lower() in _NAMES


def says_commands(info: str) -> bool:
    """Whether a fence says that it holds commands."""
    return first_word(info) in SHELLS


def is_no_code(info: str) -> bool:
    """Whether a fence says that it holds commands or plain text."""
    return first_word(info) in SHELLS | PLAIN
