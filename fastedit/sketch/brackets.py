"""How many brackets of a text are not where they should be, by spelling alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fastedit.sketch.names import code_of
from fastedit.source.outline import indent_width, is_comment

_BRACKET = re.compile(r"[()\[\]{}]")
_CONDITION = re.compile(r"\s*#(?:(?P<opens>if|ifdef|ifndef)|endif)\b")
_PAIRS = {")": "(", "]": "[", "}": "{"}


def is_balanced(line: str) -> bool:
    """Whether a line closes what it opens, so that no bracket of another line depends on it."""
    return misplaced_brackets([line]) == 0


def misplaced_brackets(lines: Sequence[str], pieces: Sequence[int | None] = ()) -> int:
    """How many brackets close another kind, close nothing, are not closed, or begin a line at another depth than the
    line has that opens them. The preprocessor's conditions are brackets too.

    `pieces` tells of each line which piece of new code it is in, if any: two brackets of one piece are as their author
    wrote them, and never misplaced.
    """
    opened: list[tuple[str, int]] = []
    conditions = misplaced = 0
    for row, line in enumerate(lines):
        if condition := _CONDITION.match(line):
            conditions += 1 if condition["opens"] else -1
            misplaced += conditions < 0
            conditions = max(conditions, 0)
        if not _BRACKET.search(line) or is_comment(line):
            continue
        code = code_of(line)
        begins = len(code) - len(code.lstrip())
        for found in _BRACKET.finditer(code):
            if found[0] not in _PAIRS:
                opened.append((found[0], row))
            elif not opened:
                misplaced += 1
            else:
                kind, above = opened.pop()
                if pieces and pieces[above] is not None and pieces[above] == pieces[row]:
                    continue
                at_head = found.start() == begins and above != row
                misplaced += kind != _PAIRS[found[0]] or (
                    at_head and indent_width(lines[above]) != indent_width(line)
                )
    return misplaced + len(opened) + conditions
