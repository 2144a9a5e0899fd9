"""Definitions that a sketch shows on their own and a path puts at the end of a block that has none, though another
block above has definitions at their depth: where indentation alone tells blocks, their depth fits both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.reading import BLANK, Outline
from fastedit.sketch.rivals.base import Kind, Laid, Sign, once

HOMELESS: Final = Sign("a definition comes into a block that has none, where another block has some", -3.0)


class _Homeless(NamedTuple):
    """New lines at these steps of a path, below what step `first - 1` hides; `end` is where the block ends that has
    definitions."""

    first: int
    stop: int
    end: int


def _told(laid: Laid) -> dict[str, float]:
    return once(HOMELESS, _homeless(laid.file, laid.sketch, laid.path))


def _at_home(laid: Laid, _: Relaid) -> Iterator[list[PathStep]]:
    """For each such definition a path that puts it at the end of the block that has some."""
    path = laid.path
    for first, stop, end in _homeless(laid.file, laid.sketch, path):
        hides = path[first - 1]
        if end <= hides.lines.start:
            continue
        new = [step._replace(lines=range(end, end)) for step in path[first:stop]]
        below, last = list(path[stop:]), hides.lines.stop
        mark = [below.pop(0)] if below and below[0].layer is Layer.MARK else []
        layer = Layer.KEEP if mark else Layer.LEAP
        if below and below[0].layer in (Layer.KEEP, Layer.LEAP):
            layer, last = below[0].layer, below.pop(0).lines.stop
        above = hides._replace(lines=range(hides.lines.start, end))
        yield [*path[: first - 1], above, *new, *mark, PathStep(layer, None, range(end, last)), *below]


def _homeless(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> Iterator[_Homeless]:
    if not file.language.is_indented:
        return
    shown = {step.lines.start for step in path if step.layer is Layer.MATCH}
    for first, above in enumerate(path[:-1], 1):
        if above.layer not in (Layer.KEEP, Layer.LEAP) or path[first].layer is not Layer.NEW:
            continue
        new = list(takewhile(lambda step: step.layer is Layer.NEW, path[first:]))
        lines = [step.sketch for step in new if step.sketch is not None and sketch.ink[step.sketch] != BLANK]
        if not lines or sketch.led_to(lines[0]) not in sketch.heads:
            continue
        width = sketch.widths[lines[0]]
        block = _block_at(file, above.lines, width)
        if (
            block is None
            or block in shown
            or any(file.widths[row] == width for row in _heads_in(file, block))
        ):
            continue
        homes = (file.around(row) for row in file.heads if row < block and file.widths[row] == width)
        if homes_above := [home for home in homes if home is not None and home not in shown]:
            end = file.block_end(homes_above[-1])
            yield _Homeless(first, first + len(new), end)


def _block_at(file: Outline, hidden: range, width: int) -> int | None:
    """The line that opens the block to which a line as deep as this belongs below these hidden ones."""
    row = next((row for row in reversed(hidden) if file.ink[row] != BLANK), None)
    while row is not None and file.widths[row] >= width:
        row = file.parents[row]
    return row


def _heads_in(file: Outline, block: int) -> Iterator[int]:
    return (row for row in range(block, file.block_end(block)) if row in file.heads)


HOMES: Final = Kind(
    "Does a definition belong at the end of the last block, or of one that has others at its depth?",
    (HOMELESS,),
    _told,
    _at_home,
)
