"""Calls that stand in texts and comments, as examples in documentation do: the parser knows nothing of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk

_CALL = re.compile(r"[\w$]+(?:[.:][\w$:]+)*(?:\(.*\))?", re.DOTALL)
_DECLARED = re.compile(r"\b(?:def|class|function|func|fn)\s+\Z")


@dataclass(frozen=True, slots=True)
class TextCall:
    """Where its name begins and its parenthesis opens, in characters of the line."""

    row: int
    start: int
    opening: int


def call_in_text(source: Source, said: str) -> TextCall | None:
    """The one call in all of the file that is spelled like this or calls what has this name; None where it is not
    alone.
    """
    if not _CALL.fullmatch(said):
        return None
    spelled = re.escape(said) if said.endswith(")") and not said.endswith("()") else _opened(said)
    pattern = re.compile(rf"(?<![\\\w$.]){spelled}")
    found = [
        TextCall(row, match.start(), line.index("(", match.start()))
        for row, line in enumerate(source.lines)
        if said.partition("(")[0] in line
        for match in pattern.finditer(line)
        if not _DECLARED.search(line[: match.start()])
    ]
    return found[0] if len(found) == 1 and source.holds(found[0].row, found[0].row + 1) else None


def _opened(said: str) -> str:
    return rf"{re.escape(said.removesuffix('()'))}\("


def put_before(source: Source, call: TextCall, word: str) -> Codemod | None:
    """None where the word stands there already."""
    line = source.lines[call.row]
    if line[: call.start].rstrip().endswith(word):
        return None
    return _with(call, f"{line[: call.start]}{word} {line[call.start :]}")


def with_text_callee(source: Source, call: TextCall, new: str) -> Codemod:
    line = source.lines[call.row]
    return _with(call, line[: call.start] + new + line[call.opening :])


def _with(call: TextCall, line: str) -> Codemod:
    return Codemod((Hunk(call.row, call.row + 1, (line,)),))
