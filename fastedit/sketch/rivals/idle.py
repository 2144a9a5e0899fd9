"""Entries that change next to a marker that stands for nothing there: it may stand for the old ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from fastedit.sketch.paths.lattice import HIDES, Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.reading import target_of
from fastedit.sketch.rivals.base import MOST, Kind, Laid, Sign, idle_markers, once
from fastedit.sketch.rivals.siblings import entry_at, takes_other_words, upwards

_IDLE: Final = Sign("an entry changes next to a marker that stands for nothing", -3.0)


def _told(laid: Laid) -> dict[str, float]:
    return once(_IDLE, _changed(laid))


def _as_new(laid: Laid, relaid: Relaid) -> Iterator[list[PathStep] | None]:
    """The likeliest paths in which such an entry is new, and the old one stays."""
    return (relaid.with_new(new, (old,)) for old, new in islice(_changed(laid), MOST))


def _changed(laid: Laid) -> Iterator[tuple[range, range]]:
    """The lines of the file and of the sketch of each entry right next to such a marker that begins alike in both, but
    with neither a name nor a key, and takes other words."""
    file, sketch, inked = laid.file, laid.sketch, laid.inked
    shown = {step.sketch: step.lines.start for step in inked if step.layer is Layer.MATCH}
    idle = set(idle_markers(file, laid.path))
    for above, step, below in zip(inked, inked[1:], inked[2:], strict=False):
        if step.sketch not in idle or not HIDES.isdisjoint((above.layer, below.layer)):
            continue
        heads = () if above.sketch is None else upwards(sketch, above.sketch)
        for top in (below.sketch, *heads):
            row = shown.get(top)
            if top is None or row is None or row in file.heads or target_of(file.texts[row]):
                continue
            old, new = entry_at(file, row), entry_at(sketch, top)
            if len(new) > 1 and step.sketch not in new and takes_other_words(file, old, sketch, new):
                yield old, new


IDLE: Final = Kind(
    "Does an entry change next to a marker that stands for nothing, or is it new and the old one hidden?",
    (_IDLE,),
    _told,
    _as_new,
    of_best=True,
)
