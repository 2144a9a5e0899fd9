"""Texts that are filled in before anything reads them in their language, as those of Jinja, Go, Helm and ERB."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_TAG = re.compile(r"\{\{[^{}]*+\}\}|\{%[^%]*+%\}|<%[^%]*+%>")
_MARK = "\0"
_FILLINGS = ("X", "0")


def reads_filled(lines: Sequence[str], reads: Callable[[tuple[str, ...]], bool]) -> bool:
    """Whether a text has tags of a template, and reads with a word or a number for each of them; a line of nothing but
    tags decides about others."""
    text = "\n".join(lines)
    marked = _TAG.sub(lambda tag: _MARK + "\n" * tag[0].count("\n"), text)
    if marked == text:
        return False
    rows = ["" if _MARK in row and not row.strip(f" \t{_MARK}") else row for row in marked.split("\n")]
    return any(reads(tuple(row.replace(_MARK, filling) for row in rows)) for filling in _FILLINGS)
