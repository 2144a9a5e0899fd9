"""Whether what is written is code, and not the edit around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change, short
from fastedit.check.marker import FENCE
from fastedit.source.around import NUMBER, without_copied
from fastedit.source.hunks import Hunk
from fastedit.source.language import notation_in
from fastedit.source.languages import named
from fastedit.source.syntax import has_grammar

_DIFF_LINE = re.compile(r"@@ -\d+(?:,\d+)? \+\d|(?:<{7}|>{7})(?: |$)")
_DIFFS = frozenset({".diff", ".patch", ".rej"})


def _only_code_is_written(change: Change) -> Iterator[str]:
    """Nothing gets into code that an update has around it: the fences of an answer, what makes it a diff, what is
    copied with it."""
    path = change.document.path
    shows_edits = named(notation_in(change.document)).prose or (path and path.suffix.lower() in _DIFFS)
    if shows_edits:
        return
    for said in without_copied(change.new, change.document).said if change.anew else ():
        yield f"{said} would be written into the file"
    for hunk, start in zip(change.hunks, change.starts, strict=True):
        if _is_numbered(hunk, start, change):
            yield f"{short(next(filter(NUMBER.match, hunk.lines)))} begins with the number of its line"
    if change.update is None:
        return
    fenced = has_grammar(change.language) or any(map(FENCE.match, change.old))
    for line in (line for hunk in change.hunks for line in hunk.lines):
        if change.count_after(line.strip()) <= change.count_before(line.strip()):
            continue
        if FENCE.match(line) and not fenced:
            yield "a code fence was written into the file"
        elif _DIFF_LINE.match(line) or _marked(change, line):
            yield f"{short(line)} looks like a line of a diff"
            return


def _is_numbered(hunk: Hunk, start: int, change: Change) -> bool:
    """Whether each new line begins with its number in the file or the result, where no line of the file has one."""
    shown = ((row, line) for row, line in enumerate(hunk.lines, 1) if any(map(str.isalpha, line)))
    numbers = [(row, NUMBER.match(line)) for row, line in shown]
    shifts = {int(number[1]) - row if number else None for row, number in numbers}
    is_told = shifts in ({start}, {hunk.start}) and not (change.is_new or change.anew)
    return is_told and not any(map(NUMBER.match, change.old))


def _marked(change: Change, line: str) -> bool:
    """Whether a line begins with the sign of a diff: that of one of the file's lines, or one that no line there has."""
    if line.startswith("-"):
        return any(map(str.isalnum, line)) and line[1:] in change.old
    return line.startswith("+") and not any(other.startswith("+") for other in change.old)


RULE = Rule(
    code="FE104",
    name="code",
    sentence="No line of a diff, code fence or line number around an answer gets into the code.",
    why="What is left of a diff or a conflict in a file was never meant to be its text.",
    example=(" x = 1\n+@@ -1,2 +1,2 @@"),
    severity="wrong",
    applies_to=("merge", "literal", "strong"),
    check=_only_code_is_written,
)
