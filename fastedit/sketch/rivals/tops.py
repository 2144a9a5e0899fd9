"""Where what a sketch begins with belongs: imports above the code, and below what heads a file (a docstring, a licence,
a directive), definitions below the imports, though the sketch says nothing of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.names import import_rows
from fastedit.sketch.read.reading import BLANK, Outline, is_import
from fastedit.sketch.rivals.base import Kind, Laid, Sign

ABOVE: Final = Sign("new code comes above what heads the file")


def _place_below(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> int | None:
    """Where in the file belongs what a path puts above everything: imports before the first one, where something is
    above that, and definitions below the last one. None where nothing else tells."""
    lines = _lines_above(path)
    said = [line for line in lines if sketch.ink[line] != BLANK]
    if any(line in sketch.heads for line in said):
        return import_rows(file).stop or None
    if not said or not all(is_import(sketch.texts[line]) for line in said):
        return None
    if not file.imports or not any(file.ink[: file.imports[0]]):
        return None
    place, above = file.imports[0], file.language.first_module
    while place in file.imports and above in file.stripped[place].split():
        place += 1
    return place


def _lines_above(path: Sequence[PathStep]) -> list[int]:
    """The lines that a sketch begins with and that a path puts above everything, where the file goes on hidden."""
    new = list(takewhile(lambda step: step.layer is Layer.NEW, path))
    if len(new) == len(path) or path[len(new)].layer not in (Layer.MARK, Layer.LEAP):
        return []
    return [step.sketch for step in new if step.sketch is not None]


def _told(laid: Laid) -> dict[str, float]:
    return {} if _place_below(laid.file, laid.sketch, laid.path) is None else {ABOVE.name: 1.0}


def _below_the_top(laid: Laid, _: Relaid) -> Iterator[list[PathStep]]:
    """The path with what it puts above everything where that belongs instead."""
    path, place = laid.path, _place_below(laid.file, laid.sketch, laid.path)
    if place is None:
        return
    count = len(_lines_above(path))
    below = list(path[count:])
    at = next((at for at, step in enumerate(below) if step.lines), None)
    if at is None or below[at].layer not in (Layer.KEEP, Layer.LEAP) or below[at].lines.stop < place:
        return
    rest = range(place, below[at].lines.stop)
    below[at : at + 1] = [below[at]._replace(lines=rest)] if rest else []
    new = [step._replace(lines=range(place, place)) for step in path[:count]]
    yield [PathStep(Layer.LEAP, None, range(place)), *new, *below]


TOPS: Final = Kind(
    "Does new code come above what heads the file (imports, a docstring, a licence), or below it?",
    (ABOVE,),
    _told,
    _below_the_top,
)
