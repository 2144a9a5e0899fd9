"""The lines of a preprocessor, and its conditions, which say what lines of a text there are."""

from __future__ import annotations

import re
from collections.abc import Iterable

CONDITION = re.compile(r"\s*#\s*(?P<word>(?P<opens>if(?:n?def)?)|el\w+|endif)\b")
DIRECTIVE = re.compile(
    rf"(?:{CONDITION.pattern}|\s*#\s*(?:define|undef|include|pragma|error|warning|region|endregion)\b)"
)


def unmatched(lines: Iterable[str]) -> list[str]:
    """The conditions whose `if` or `endif` is not among these lines: `if`, `else` or `endif` for each."""
    found = list[str]()
    for match in filter(None, map(CONDITION.match, lines)):
        word = "if" if match["opens"] else "endif" if match["word"] == "endif" else "else"
        if found[-1:] != ["if"] or word == "if":
            found.append(word)
        elif word == "endif":
            found.pop()
    return found
