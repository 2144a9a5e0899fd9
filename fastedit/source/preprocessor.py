"""The lines of a preprocessor, and its conditions, which say what lines of a text there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

CONDITION = re.compile(r"\s*#\s*(?P<word>(?P<opens>if(?:n?def)?)|elif\w*|else|endif)\b")
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


def branches(lines: Iterable[str]) -> Iterator[tuple[bool, list[int]]]:
    """Of each line whether it is a condition, and which branch of each `if` is open from there on, the outermost
    first: one list, which changes with the next line."""
    at = list[int]()
    for line in lines:
        found = CONDITION.match(line)
        if found is not None and found["opens"]:
            at.append(0)
        elif found is not None and at:
            branch = at.pop()
            at += [branch + 1] if found["word"] != "endif" else []
        yield found is not None, at
