"""Lines that a sketch shows in another order than the file, which a path has twice: where they come, and right next to
what is shown, where they were; and comments that come and stay in one block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from fastedit.sketch.paths.lattice import HIDES, Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.brackets import is_balanced
from fastedit.sketch.read.reading import BARE, FULL, Outline
from fastedit.sketch.rivals.base import Kind, Laid, Sign, once

STAYS_BESIDE: Final = Sign("a line that the update shows once would stand there twice", -3.0)
_RECURS: Final = Sign("a comment that the update shows once would stand twice in its block", 0.0)
_Pairs = Iterator[tuple[int, int]]
_Come = Mapping[tuple[str, int], int]  # lines of the sketch, by what they say and their depth in the file


def _told(laid: Laid) -> dict[str, float]:
    return once(STAYS_BESIDE, _staying(laid, _beside)) | once(_RECURS, _staying(laid, _recurring))


def _moved(laid: Laid, relaid: Relaid) -> Iterator[list[PathStep] | None]:
    """The path in which they move, and the one in which the comments are those of the file."""
    if beside := _staying(laid, _beside):
        yield relaid.moved(laid.path, beside)
    if recurring := _staying(laid, _recurring):
        yield relaid.laid_at(recurring)


def _staying(laid: Laid, found_in: Callable[[Laid, _Come, Iterable[int]], _Pairs]) -> dict[int, int]:
    """The lines of the sketch that come though they stay among the hidden lines next to what it shows there, by line of
    the sketch that of the file: sketch and file have each of them once."""
    runs = [list(steps) for _, steps in groupby(laid.inked, lambda step: step.layer in HIDES)]
    found = dict[int, int]()
    for at, run in enumerate(runs):
        if run[0].layer in HIDES:
            continue
        if at:
            found |= found_in(laid, _coming(laid, run), reversed(runs[at - 1][-1].lines))
        if at + 1 < len(runs):
            below = next((step.lines for step in runs[at + 1] if step.lines), range(0))
            found |= found_in(laid, _coming(laid, run[::-1]), below)
    return found


def _coming(laid: Laid, run: Sequence[PathStep]) -> _Come:
    """The lines that come in a run whose first step is next to hidden lines, in the block of these."""
    file, sketch = laid.file, laid.sketch
    near = next((step for step in run if step.layer is Layer.MATCH), None)
    come = dict[tuple[str, int], int]()
    if near is None or near.sketch is None:
        return come
    deeper = file.widths[near.lines.start] - sketch.widths[near.sketch]
    outmost = sketch.widths[near.sketch]
    for step in run:
        if step.sketch is None:
            continue
        # A line deeper than one between is in another block.
        outmost = min(outmost, sketch.widths[step.sketch])
        text = sketch.stripped[step.sketch]
        if step.layer is Layer.NEW and sketch.widths[step.sketch] == outmost and sketch.counts[text] == 1:
            come[text, outmost + deeper] = step.sketch
    return come


def _beside(laid: Laid, come: _Come, hidden: Iterable[int]) -> _Pairs:
    """Those of the hidden lines, the nearest first, up to the first that does not come."""
    file, sketch = laid.file, laid.sketch
    for row in hidden:
        text = file.stripped[row]
        if not text:
            continue
        line = come.get((text, file.widths[row]))
        if line is None or file.counts[text] > 1 or not (_is_whole(sketch, line) and _is_whole(file, row)):
            return
        yield line, row


def _recurring(laid: Laid, come: _Come, hidden: Iterable[int]) -> _Pairs:
    """The comments among them, as far as the block of what comes reaches."""
    file = laid.file
    margin = min((width for _, width in come), default=0)
    for row in hidden if come else ():
        text, width = file.stripped[row], file.widths[row]
        if text and width < margin:
            return
        if file.comments(row) and file.ink[row] == FULL and file.counts[text] == 1 and (text, width) in come:
            yield come[text, width], row


def _is_whole(side: Outline, line: int) -> bool:
    """Whether a line says something by itself: it is no comment and begins no definition, opens no bracket and has
    nothing of its own below it."""
    if side.ink[line] <= BARE or side.comments(line) or side.begins(line):
        return False
    return is_balanced(side.texts[line], side.language.paired) and not side.deeper(line)


SWAPPED: Final = Kind(
    "Does a line come, and stay next to what is shown as well, or does it move?",
    (STAYS_BESIDE, _RECURS),
    _told,
    _moved,
    of_best=True,
)
