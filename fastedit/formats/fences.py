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
        opening = OPENING.fullmatch(lines[start])
        if opening is None:
            start += 1
            continue
        closing = _closing(lines, start + 1, opening["mark"])
        stop = len(lines) if closing is None else closing + 1
        found.append(Fence(range(start, stop), opening["info"].strip(), closing is not None))
        start = stop
    return found


def _closing(lines: Sequence[str], start: int, mark: str) -> int | None:
    for index in range(start, len(lines)):
        text = lines[index].strip()
        if len(text) >= len(mark) and set(text) == {mark[0]}:
            return index
    return None
