"""A file in parts that tell something each: definitions, paragraphs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fastedit.locate.filemap import FileMap
from fastedit.plan.base import tokens_of
from fastedit.request import LineRange


def units(structure: FileMap, lines: LineRange, budget: int) -> Iterator[LineRange]:
    """Lines in parts within the budget that should stay whole: definitions, else paragraphs, else halves."""
    if len(lines) == 1 or tokens_in(structure, lines) <= budget:
        yield lines
        return
    for start, stop in pairwise([lines.start, *_borders(structure, lines), lines.stop]):
        yield from units(structure, LineRange(start, stop), budget)


def _borders(structure: FileMap, lines: LineRange) -> list[int]:
    """Where lines are best cut, at least once."""
    found: set[int] = set()
    covered = lines.start
    for item in structure.definitions:
        inside = covered <= item.start and item.stop <= lines.stop and len(item) < len(lines)
        if inside:  # those within it come later, if it is too long itself
            found |= {item.start, item.stop}
            covered = item.stop
    blank = (line + 1 for line in range(lines.start, lines.stop) if not structure.lines[line].strip())
    borders = found - {lines.start, lines.stop} or {line for line in blank if line < lines.stop}
    return sorted(borders) or [(lines.start + lines.stop) // 2]


def tokens_in(structure: FileMap, lines: LineRange) -> int:
    return tokens_of("\n".join(structure.lines[lines.start : lines.stop]))
