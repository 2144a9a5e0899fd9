"""How many brackets of a text are not where they should be, by spelling alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from fastedit.sketch.read.names import code_of
from fastedit.source.outline import indent_width, is_comment
from fastedit.source.preprocessor import unmatched

ALL: Final = "()[]{}"
_BRACKET = re.compile(r"[()\[\]{}]")
_PAIRS = {")": "(", "]": "[", "}": "{"}


def is_balanced(line: str, kinds: str = ALL) -> bool:
    """Whether a line closes what it opens of these brackets, so that none of another line depends on it."""
    return misplaced_brackets([line], kinds=kinds) == 0


def depth_change(line: str, kinds: str = ALL) -> int:
    """How many more of these brackets a line opens than it closes."""
    return sum(-1 if bracket in _PAIRS else 1 for bracket, _ in _brackets(line, kinds))


@lru_cache(maxsize=1 << 16)
def innermost_open(line: str) -> str:
    """The bracket that a line opened last of those that it leaves open; none where it closes as many."""
    opened: list[str] = []
    for bracket, _ in _brackets(line, ALL):
        if bracket not in _PAIRS:
            opened.append(bracket)
        elif opened:
            opened.pop()
    return opened[-1] if opened else ""


def misplaced_brackets(lines: Sequence[str], pieces: Sequence[int | None] = (), kinds: str = ALL) -> int:
    """How many of these brackets close another kind, close nothing, are not closed, or begin a line at another depth
    than the line has that opens them. The preprocessor's conditions are brackets too.

    `pieces` tells of each line which piece of new code it is in, if any: two brackets of one piece are as their author
    wrote them, and never misplaced.
    """
    opened: list[tuple[str, int]] = []
    # After a blank, it is a comment of another language.
    directives = (line for line in lines if "#" in line and line.lstrip()[1:2].isalpha())
    misplaced = sum(word != "else" for word in unmatched(directives))
    for row, line in enumerate(lines):
        for bracket, at_head in _brackets(line, kinds):
            if bracket not in _PAIRS:
                opened.append((bracket, row))
            elif not opened:
                misplaced += 1
            else:
                kind, above = opened.pop()
                if pieces and pieces[above] is not None and pieces[above] == pieces[row]:
                    continue
                misplaced += kind != _PAIRS[bracket] or (
                    at_head and above != row and indent_width(lines[above]) != indent_width(line)
                )
    return misplaced + len(opened)


@lru_cache(maxsize=1 << 16)  # most lines of a text are the file's, and those of every other reading too
def _brackets(line: str, kinds: str) -> tuple[tuple[str, bool], ...]:
    """Those brackets of a line of code that are of these kinds, each with whether the line begins with it."""
    if not _BRACKET.search(line) or is_comment(line):
        return ()
    code = code_of(line)
    begins = len(code) - len(code.lstrip())
    found = (one for one in _BRACKET.finditer(code) if one[0] in kinds)
    return tuple((one[0], one.start() == begins) for one in found)
