"""New comments and decorators above what is shown, where the file has others that the sketch does not show: which it
may have in their place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import islice, takewhile
from typing import Final

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.rivals.base import MOST, Kind, Laid, Sign, once
from fastedit.source.outline import is_closer

NEXT_TO_ANOTHER: Final = Sign(
    "a comment or decorator comes next to one that stays",
    said="a new comment or decorator comes next to one of the file",
)


def _told(laid: Laid) -> dict[str, float]:
    return once(NEXT_TO_ANOTHER, _in_place(laid.file, laid.sketch, laid.path))


def _others(laid: Laid, _: Relaid) -> Iterator[list[PathStep]]:
    return islice(_in_place(laid.file, laid.sketch, laid.path), MOST)


def _in_place(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> Iterator[list[PathStep]]:
    """For each run of comments and decorators that a path adds right below hidden ones, above a line that is shown, a
    path without the hidden ones of these kinds."""
    for at, step in enumerate(path):
        if step.layer not in (Layer.KEEP, Layer.LEAP):
            continue
        new = list(takewhile(lambda one: one.layer is Layer.NEW, path[at + 1 :]))
        stop = at + 1 + len(new)
        if not new or stop == len(path) or path[stop].layer is not Layer.MATCH:
            continue
        shown, row, place = path[stop].sketch, path[stop].lines.start, step.lines.stop
        if shown is None or row != place:
            continue
        lines = {one.sketch for one in new}
        heading = takewhile(lines.__contains__, _leading(sketch, shown))
        kinds = {sketch.is_decorator(sketch.texts[line]) for line in heading if sketch.leads(line)}
        gone = [line for line in _leading(file, row, kinds) if line in step.lines]
        if gone:
            rest = range(step.lines.start, gone[-1])
            yield [
                *path[:at],
                *([step._replace(lines=rest)] if rest else []),
                *(PathStep(Layer.GONE, None, range(line, line + 1)) for line in reversed(gone)),
                *(one._replace(lines=range(place, place)) for one in new),
                *path[stop:],
            ]


def _leading(outline: Outline, row: int, kinds: Set[bool] = frozenset((False, True))) -> Iterator[int]:
    """The lines of the comments and decorators right above a line, from below, up to one of another kind: `kinds` say
    whether they are decorators."""
    width = outline.widths[row]
    while row:
        last = row - 1
        above = outline.parents[last] if is_closer(outline.texts[last]) else None
        row = last if above is None else above
        if outline.widths[row] != width or not outline.leads(row):
            return
        if outline.is_decorator(outline.texts[row]) not in kinds:
            return
        yield from range(last, row - 1, -1)


HEADINGS: Final = Kind(
    "Does a comment or decorator come next to one that is not shown, or in its place?",
    (NEXT_TO_ANOTHER,),
    _told,
    _others,
)
