"""What hunks that code alone made of a request say of one region."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fastedit.prompt.base import RegionTask
from fastedit.request import LineRange
from fastedit.source.hunks import Hunk
from fastedit.source.prediction import Prediction


def inside(lines: LineRange, hunks: Sequence[Hunk]) -> Iterator[Hunk]:
    """The hunks that lie within these lines, counted from their first."""
    for hunk in hunks:
        if lines.start <= hunk.start and hunk.stop <= lines.stop:
            yield replace(hunk, start=hunk.start - lines.start, stop=hunk.stop - lines.start)


def foretold(task: RegionTask, lines: LineRange, hunks: Sequence[Hunk]) -> Prediction:
    """What hunks of the document make of a region's lines."""
    return Prediction.unchanged(task.lines).then(list(inside(lines, hunks)))
