"""New comments above what is shown, where the file has others that the sketch does not show: which it may have in their
place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from fastedit.sketch.lattice import Layer, PathStep
from fastedit.sketch.reading import Outline

NEXT_TO_ANOTHER: Final = "a comment comes next to one that stays"


def in_place_of_headings(
    file: Outline, sketch: Outline, path: Sequence[PathStep]
) -> Iterator[list[PathStep]]:
    """For each run of comments that a path adds right below hidden ones, above a line that is shown, a path without
    these."""
    for at, step in enumerate(path):
        if step.layer not in (Layer.KEEP, Layer.LEAP):
            continue
        new = list(takewhile(lambda one: one.layer is Layer.NEW, path[at + 1 :]))
        stop = at + 1 + len(new)
        if not new or stop == len(path) or path[stop].layer is not Layer.MATCH:
            continue
        shown, place = path[stop].sketch, step.lines.stop
        lines = [one.sketch for one in new if one.sketch is not None]
        if (
            shown is None
            or lines != list(range(shown - len(lines), shown))
            or not all(map(sketch.comments, lines))
        ):
            continue
        old = list(takewhile(file.comments, reversed(step.lines)))
        width = file.widths[path[stop].lines.start]
        if path[stop].lines.start == place and old and all(file.widths[row] == width for row in old):
            rest = range(step.lines.start, old[-1])
            gone = (PathStep(Layer.GONE, None, range(row, row + 1)) for row in reversed(old))
            yield [
                *path[:at],
                *([step._replace(lines=rest)] if rest else []),
                *gone,
                *(one._replace(lines=range(place, place)) for one in new),
                *path[stop:],
            ]
