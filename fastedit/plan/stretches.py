"""An edit of more lines than one question shows, as several: each of a stretch, cut where definitions begin or end.

The file's head, imports and outline, comes first in all of them, so that a server's prompt cache holds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from fastedit.locate.filemap import FileMap, file_map
from fastedit.locate.region import Region
from fastedit.locate.windows import describe
from fastedit.plan.base import DocumentTask, Way, tokens_of
from fastedit.plan.context import is_whole
from fastedit.plan.places import places_budget
from fastedit.plan.units import tokens_in, units
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
    for unit in units(structure, lines, budget):
        if start < stop and tokens_in(structure, LineRange(start, unit.stop)) > budget:
            yield LineRange(start, stop)
            start = unit.start
        stop = unit.stop
    yield LineRange(start, stop)
