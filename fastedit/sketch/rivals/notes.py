"""Comments of a sketch above new code that a path leaves out, though they may be of that code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.rivals.base import Kind, Laid, Sign, idle_markers

ABOVE_NEW: Final = Sign("a comment above new code is taken to say that lines go")


def notes_in(path: Sequence[PathStep]) -> list[int]:
    """The comments of the sketch that a path takes to say that lines go."""
    return [step.sketch for step in path if step.layer is Layer.GONE and step.sketch is not None]


def _told(laid: Laid) -> dict[str, float]:
    left_out = {*notes_in(laid.path), *idle_markers(laid.file, laid.path)}
    return {} if laid.leading.isdisjoint(left_out) else {ABOVE_NEW.name: 1.0}


# The words of such a comment tell alone whether it is one: `Alignment` looks at the text that has it.
NOTES: Final = Kind(
    "Is a comment above new code part of it, or does it say that lines go?",
    (ABOVE_NEW,),
    _told,
)
