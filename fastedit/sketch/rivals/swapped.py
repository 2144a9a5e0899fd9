"""Lines that a sketch shows in another order than the file, which a path has twice: where they come, and right next to
what is shown, where they were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from fastedit.sketch.paths.lattice import HIDES, Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.brackets import is_balanced
from fastedit.sketch.read.reading import BARE, Outline
from fastedit.sketch.rivals.base import Kind, Laid, Sign

STAYS_BESIDE: Final = Sign("a line that the update shows once would stand there twice", -3.0)


def _told(laid: Laid) -> dict[str, float]:
    return {STAYS_BESIDE.name: 1.0} if _staying_beside(laid) else {}


def _moved(laid: Laid, relaid: Relaid) -> Iterator[list[PathStep] | None]:
    """The path in which they move."""
    if beside := _staying_beside(laid):
        yield relaid.moved(laid.path, beside)


def _staying_beside(laid: Laid) -> dict[int, int]:
    """The lines of the sketch that come and stand right next to what it shows there, by line of the sketch that of the
    file: sketch and file have each of them once."""
    file, sketch = laid.file, laid.sketch
    runs = [list(steps) for _, steps in groupby(laid.inked, lambda step: step.layer in HIDES)]
    found = dict[int, int]()
    for at, run in enumerate(runs):
        if run[0].layer in HIDES:
            continue
        if at:
            found |= _coming(file, sketch, run, reversed(runs[at - 1][-1].lines))
        if at + 1 < len(runs):
            below = next((step.lines for step in runs[at + 1] if step.lines), range(0))
            found |= _coming(file, sketch, run[::-1], below)
    return found


def _coming(
    file: Outline, sketch: Outline, run: Sequence[PathStep], hidden: Iterable[int]
) -> Iterator[tuple[int, int]]:
    """Those of the hidden lines, the nearest first, up to the first that does not come in this run, whose step that is
    nearest to them is the first."""
    near = next((step for step in run if step.layer is Layer.MATCH), None)
    if near is None or near.sketch is None:
        return
    deeper = file.widths[near.lines.start] - sketch.widths[near.sketch]
    come = dict[tuple[str, int], int]()
    outmost = sketch.widths[near.sketch]
    for step in run:
        if step.sketch is None:
            continue
        # A line deeper than one between is in another block.
        outmost = min(outmost, sketch.widths[step.sketch])
        if (
            step.layer is Layer.NEW
            and sketch.widths[step.sketch] == outmost
            and _is_whole(sketch, step.sketch)
        ):
            come[sketch.stripped[step.sketch], outmost + deeper] = step.sketch
    for row in hidden:
        text = file.stripped[row]
        if not text:
            continue
        line = come.get((text, file.widths[row]))
        if line is None or file.counts[text] > 1 or sketch.counts[text] > 1 or not _is_whole(file, row):
            return
        yield line, row


def _is_whole(side: Outline, line: int) -> bool:
    """Whether a line says something by itself: it is no comment and begins no definition, opens no bracket and has
    nothing of its own below it."""
    if side.ink[line] <= BARE or side.comments(line) or side.begins(line):
        return False
    return is_balanced(side.texts[line], side.language.paired) and not side.deeper(line)


SWAPPED: Final = Kind(
    "Does a line come, and stay next to what is shown as well, or does it move?",
    (STAYS_BESIDE,),
    _told,
    _moved,
)
