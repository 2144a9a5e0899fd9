"""Comments of a sketch above new code that a path takes to say that lines go, though they may be of that code."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.rivals.base import Kind, Laid, Sign

ABOVE_NEW: Final = Sign("a comment above new code is taken to say that lines go")


def notes_in(path: Sequence[PathStep]) -> list[int]:
    """The comments of the sketch that a path takes to say that lines go."""
    return [step.sketch for step in path if step.layer is Layer.GONE and step.sketch is not None]


def with_headings(path: Sequence[PathStep], comments: Set[int]) -> list[PathStep]:
    """A path with these comments written above the code that follows them, where it takes them to say that lines go."""
    made, held = list[PathStep](), list[int]()
    for step in path:
        if step.layer is Layer.GONE and step.sketch is not None and step.sketch in comments:
            held.append(step.sketch)
            continue
        if step.layer is not Layer.GONE:
            place = made[-1].lines.stop if made else 0
            made += (PathStep(Layer.NEW, row, range(place, place)) for row in held)
            held = []
        made.append(step)
    return made


def _told(laid: Laid) -> dict[str, float]:
    return {} if laid.leading.isdisjoint(notes_in(laid.path)) else {ABOVE_NEW.name: 1.0}


# The words of such a comment tell alone whether it is one: `Alignment` looks at the text that has it.
NOTES: Final = Kind(
    "Is a comment above new code part of it, or does it say that lines go?",
    (ABOVE_NEW,),
    _told,
)
