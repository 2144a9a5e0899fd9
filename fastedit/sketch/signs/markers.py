"""What markers hide, and what stays or goes next to them or without a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.reading import FULL, Outline
from fastedit.sketch.rivals.base import idle_markers, is_inked
from fastedit.sketch.signs.unsaid import Gap
from fastedit.sketch.text.written import Written

STAYS: Final = "a comment stays that tells of a removal"


def of_markers(
    file: Outline, sketch: Outline, path: Sequence[PathStep], naming: frozenset[int]
) -> Iterator[str]:
    """What markers hide and what stays without any. Of data without markers much does, and what names what goes hides
    nothing."""
    marked = bool(sketch.hidden) or not file.language.is_data
    shown = [
        step.sketch for step in path if step.sketch is not None and step.layer in (Layer.MATCH, Layer.NEW)
    ]
    for line in idle_markers(file, path):
        # Above or below all code it may well hide nothing.
        if shown and shown[0] < line < shown[-1] and line not in naming:
            yield "a marker hides nothing"
    for step in path[1:-1]:
        if step.layer is Layer.LEAP and marked and is_inked(file, step):
            yield "lines stay unmarked"


def of_removals(path: Sequence[PathStep], removing: frozenset[int]) -> Iterator[str]:
    """Comments that say that lines go and are taken for comments of the code."""
    for shows, steps in groupby(path, lambda step: step.layer in (Layer.MATCH, Layer.NEW)):
        if shows and any(staying(list(steps), removing)):
            yield STAYS


def staying(path: Sequence[PathStep], removing: frozenset[int]) -> Iterator[PathStep]:
    return (step for step in path if step.layer in (Layer.MATCH, Layer.NEW) and step.sketch in removing)


def next_to_markers(file: Outline, gaps: Iterable[Gap], told: frozenset[int]) -> Iterator[str]:
    """Lines that go and neither a note nor anything new in their place says so, but for those that are `told` to go: by
    name, or as the rests of statements."""
    for run, before, after in gaps:
        silent = all(step.sketch is None for step in run)
        goes = any(file.ink[row] == FULL and row not in told for step in run for row in step.lines)
        if silent and goes and not {Layer.KEEP, Layer.MARK}.isdisjoint((before, after)):
            yield "lines go next to a marker"


def of_nothing(written: Written, file: Outline, path: Sequence[PathStep]) -> Iterator[str]:
    """An edit may be applied twice; but one that leaves lines out says something."""
    if written.come or written.gone:
        return
    between = (step for step in path[1:-1] if step.layer is Layer.LEAP)
    if any(is_inked(file, step) for step in between):
        yield "nothing changes, though lines are left out"


def forgotten(
    file: Outline, sketch: Outline, path: Sequence[PathStep], told: frozenset[int]
) -> Iterator[str]:
    """Definitions that go because the sketch does not show them, where others next to them stay though it does not show
    these either; not those `told` to go."""

    def heads(layer: Layer) -> set[int]:
        return {row for step in path if step.layer is layer for row in step.lines if row in file.heads}

    shown = set(sketch.heads.values())
    gone = heads(Layer.GONE) - told
    around = {file.chains[row][:-1] for row in heads(Layer.LEAP)} if gone else set()
    for row in gone:
        if file.chains[row][:-1] in around and file.heads[row] not in shown:
            yield "a definition goes unshown where another stays so"
