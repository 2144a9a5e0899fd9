"""Markdown code fences in the lines of a message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

OPENING = re.compile(r"\s*(?P<mark>`{3,}|~{3,})(?P<info>[^`]*)")


@dataclass(frozen=True, slots=True)
class Fence:
    """A code fence. `lines` includes both marks; without a closing mark it runs to the end of the message."""

    lines: range
    info: str
    closed: bool

    @property
    def inside(self) -> range:
        return self.lines[1:-1] if self.closed else self.lines[1:]


def fences(lines: Sequence[str]) -> list[Fence]:
    """The code fences in order. A fence inside another one is text of the outer one, as in CommonMark."""
    found = []
    start = 0
    while start < len(lines):
        fence = fence_at(lines, start)
        if fence is not None:
            found.append(fence)
        start = start + 1 if fence is None else fence.lines.stop
    return found


def fence_at(lines: Sequence[str], start: int) -> Fence | None:
    """The fence that a line opens."""
    opening = OPENING.fullmatch(lines[start])
    if opening is None:
        return None
    closing = _closing(lines, start + 1, opening["mark"])
    stop = len(lines) if closing is None else closing + 1
    return Fence(range(start, stop), opening["info"].strip(), closing is not None)


def outermost(lines: Sequence[str]) -> Fence | None:
    """The fence from the first mark of all to the last, or one that is not closed, if the marks inside of it pair up:
    that of a text that has fences of its own."""
    marks = [at for at, line in enumerate(lines) if OPENING.fullmatch(line)]
    opening = OPENING.fullmatch(lines[marks[0]]) if marks else None
    if opening is None:
        return None
    info = opening["info"].strip()
    closed = Fence(range(marks[0], marks[-1] + 1), info, closed=True)
    left_open = Fence(range(marks[0], len(lines)), info, closed=False)
    for found in [closed, left_open] if _closes(lines[marks[-1]], opening["mark"]) else [left_open]:
        if all(fence.closed for fence in fences([lines[at] for at in found.inside])):
            return found
    return None


def _closing(lines: Sequence[str], start: int, mark: str) -> int | None:
    return next((index for index in range(start, len(lines)) if _closes(lines[index], mark)), None)


def _closes(line: str, mark: str) -> bool:
    text = line.strip()
    return len(text) >= len(mark) and set(text) == {mark[0]}
