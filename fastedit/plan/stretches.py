"""An edit of more lines than one question shows, as several: each of a stretch, cut where definitions begin or end.

The file's head, imports and outline, comes first in all of them, so that a server's prompt cache holds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from fastedit.locate.filemap import FileMap, file_map
from fastedit.locate.region import Region
from fastedit.locate.windows import describe
from fastedit.plan.base import DocumentTask, Way, tokens_of
from fastedit.plan.context import is_whole, places_budget
from fastedit.request import LineRange

LEAST: Final = 1000  # tokens of a file, below which a smaller question is of no use


def stretches(task: DocumentTask, way: Way) -> tuple[DocumentTask, ...]:
    """The questions that a task takes: itself where one shows all of its regions, as it mostly does, and for
    operations, which name their places themselves."""
    budget = places_budget(task)
    held = sum(tokens_of(task.text_of(region)) for region in task.regions)
    if way == "operations" or is_whole(task) or held <= budget:
        return (task,)
    groups: list[list[Region]] = []
    room = 0
    for region in _cut(task, budget):
        size = tokens_of(task.text_of(region))
        if not groups or size > room:
            groups.append([])
            room = budget
        groups[-1].append(region)
        room -= size
    return tuple(
        replace(task, regions=tuple(group), stretch=LineRange(group[0].start, group[-1].stop))
        for group in groups
    )


def smaller(task: DocumentTask, held: int) -> DocumentTask | None:
    """The task with half of `held` tokens of the file in a question, None where that would be too few to tell it by."""
    budget = min(task.budget, held) // 2
    return replace(task, budget=budget) if budget >= LEAST else None


def _cut(task: DocumentTask, budget: int) -> Iterator[Region]:
    """The regions, those that are too long in parts."""
    structure = file_map(task.document)
    for region in task.regions:
        parts = list(_parts(structure, LineRange(region.start, region.stop), budget))
        if len(parts) == 1:
            yield region
        else:
            yield from (
                Region(each.start, each.stop, describe(structure, each), region.certain) for each in parts
            )


def _parts(structure: FileMap, lines: LineRange, budget: int) -> Iterator[LineRange]:
    """Lines in parts within the budget, each as long as can be."""
    start = stop = lines.start
    for unit in _units(structure, lines, budget):
        if start < stop and _tokens(structure, LineRange(start, unit.stop)) > budget:
            yield LineRange(start, stop)
            start = unit.start
        stop = unit.stop
    yield LineRange(start, stop)


def _units(structure: FileMap, lines: LineRange, budget: int) -> Iterator[LineRange]:
    """Lines in parts within the budget that should stay whole: definitions, else paragraphs, else halves."""
    if len(lines) == 1 or _tokens(structure, lines) <= budget:
        yield lines
        return
    for start, stop in pairwise([lines.start, *_borders(structure, lines), lines.stop]):
        yield from _units(structure, LineRange(start, stop), budget)


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


def _tokens(structure: FileMap, lines: LineRange) -> int:
    return tokens_of("\n".join(structure.lines[lines.start : lines.stop]))
