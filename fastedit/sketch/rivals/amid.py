"""Comments of the file amid new code of a sketch: they may be of that code as well."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from fastedit.sketch.paths.lattice import HIDES, Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.reading import target_of
from fastedit.sketch.rivals.base import MOST, Kind, Laid, Sign, once
from fastedit.sketch.rivals.replaced import is_version
from fastedit.sketch.rivals.siblings import entry_at

AMID: Final = Sign("a comment of the file comes to stand amid new code", 0.0)


def _told(laid: Laid) -> dict[str, float]:
    return once(AMID, _amid(laid))


def _as_new(laid: Laid, relaid: Relaid) -> Iterator[list[PathStep] | None]:
    """The likeliest paths in which such a comment and what it leads are new, and the file's stay."""
    return (relaid.with_new(lines, (rows,)) for lines, rows in islice(_amid(laid), MOST))


def _amid(laid: Laid) -> Iterator[tuple[range, range]]:
    """The lines of the sketch and of the file from each such comment, with nothing but new code up to what is hidden
    above, to the end of what it leads: neither the same line nor one with its name, its key or all of its words."""
    file, sketch, inked = laid.file, laid.sketch, laid.inked
    shown = {step.sketch: step.lines.start for step in inked if step.layer is Layer.MATCH}
    last = -1  # step that is not over new code
    for at, step in enumerate(inked):
        if step.layer is Layer.NEW:
            continue
        before, last = last, at
        top = step.sketch
        if last - before == 1 or (before >= 0 and inked[before].layer not in HIDES) or top not in shown:
            continue
        assert top is not None
        line, row = sketch.led_to(top), file.led_to(step.lines.start)
        if not sketch.comments(top) or sketch.comments(line) or file.comments(row):
            continue
        sides = ((file, row), (sketch, line))
        names = {side.heads.get(place) or target_of(side.texts[place]) for side, place in sides}
        is_same = len(names - {None}) == len(names) == 1 or is_version(file.texts[row], sketch.texts[line])
        if not is_same and shown.get(line, row) == row:
            ends = entry_at(sketch, line).stop, entry_at(file, row).stop
            yield range(top, ends[0]), range(step.lines.start, ends[1])


AMID_NEW: Final = Kind(
    "Is a comment amid new code the file's, or that code's own?", (AMID,), _told, _as_new, of_best=True
)
