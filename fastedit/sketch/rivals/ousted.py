"""Entries of data that go between two lines that a sketch shows, for fewer new ones: a piece need not show the others,
so that they may stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Final

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.reading import BLANK, Outline
from fastedit.sketch.rivals.base import MOST, Kind, Laid, Sign, once
from fastedit.sketch.rivals.siblings import words_on

_OUSTED: Final = Sign("entries go for fewer new ones that have no word of theirs")


def _told(laid: Laid) -> dict[str, float]:
    return once(_OUSTED, _with_ousted(laid))


def _others(laid: Laid, _: Relaid) -> Iterator[list[PathStep]]:
    return islice(_with_ousted(laid), MOST)


def _with_ousted(laid: Laid) -> Iterator[list[PathStep]]:
    """For each run of such entries a path in which they stay above the new ones."""
    file, sketch, path = laid.file, laid.sketch, laid.path
    if not (file.language.is_data and sketch.hidden):
        return
    at = 0
    for changes, steps in groupby(path, lambda step: step.layer in (Layer.GONE, Layer.NEW)):
        run, first = list(steps), at
        at += len(run)
        around = [step.layer for step in (*path[first - 1 : first], *path[at : at + 1])]
        if not changes or around != [Layer.MATCH, Layer.MATCH]:
            continue
        gone = [row for step in run if step.layer is Layer.GONE for row in step.lines]
        told = any(step.sketch is not None for step in run if step.layer is Layer.GONE)
        new = [step.sketch for step in run if step.layer is Layer.NEW and step.sketch is not None]
        if not told and _are_fewer(sketch, new, file, gone):
            place = range(gone[-1] + 1, gone[-1] + 1)
            stay = PathStep(Layer.LEAP, None, range(gone[0], gone[-1] + 1))
            yield [*path[:first], stay, *(PathStep(Layer.NEW, line, place) for line in new), *path[at:]]


def _are_fewer(sketch: Outline, new: Sequence[int], file: Outline, gone: Sequence[int]) -> bool:
    """Whether these lines of the sketch are fewer entries, if any, than those of the file that have no word of them."""
    shown, said = _entries(sketch, new), set(words_on(sketch, new))
    return 0 < len(shown) < sum(said.isdisjoint(words_on(file, [row])) for row in _entries(file, gone))


def _entries(text: Outline, rows: Sequence[int]) -> list[int]:
    """The outermost of these lines that begin with a key."""
    width = min((text.widths[row] for row in rows if text.ink[row] != BLANK), default=0)
    return [row for row in rows if text.keyed[row] and text.widths[row] == width and not text.comments(row)]


OUSTED: Final = Kind(
    "Do entries of data go for fewer new ones, or stay above these?",
    (_OUSTED,),
    _told,
    _others,
)
