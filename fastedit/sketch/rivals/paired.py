"""Paths whose texts leave as many brackets open as the file does, where the likeliest one's does not.

No lattice of lines knows what brackets are open. But a score of `tilt` for each bracket that a step opens, and its
opposite for each that it closes, changes nothing between paths that open equally many. With the tilt for which the sum
over all paths is least, paths open and close equally many in the mean, so that many samples are even. (An exponential
change of measure: S. Asmussen, P. Glynn, Stochastic Simulation, 2007, chapter V.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from fastedit.sketch.paths.lattice import Layer, PathStep, Scores
from fastedit.sketch.read.brackets import depth_change
from fastedit.sketch.read.reading import Outline

_MOST: Final = 10.0  # natural logarithm: tilt
_NARROWED: Final = 6  # times
_GOLDEN: Final = (5**0.5 - 1) / 2


class Opened(NamedTuple):
    """How many more brackets a step leaves open: `new` [m] a sketch line that is new, `gone` [n] a file line that goes,
    `match` [m, n + 1] a file line that a sketch line takes the place of."""

    match: Any
    new: Any
    gone: Any

    @classmethod
    def of(cls, file: Outline, sketch: Outline, says: Any) -> Opened:
        """`says` [m, n] are the sketch lines that say what a file line says, of which the file's is written."""
        paired = file.language.paired
        new = np.array([depth_change(text, paired) for text in sketch.texts])
        gone = -np.array([depth_change(text, paired) for text in file.texts])
        match = new[:, None] + np.append(gone, 0)[None, :]
        match[:, :-1][says] = 0
        return cls(match, new, gone)

    def squeezed(self, places: Any) -> Opened:
        """The same between these places of the file alone, as `lattice.squeezed` has their scores."""
        return Opened(self.match[:, places], self.new, np.add.reduceat(self.gone, places[:-1]))

    def by(self, path: Sequence[PathStep]) -> int:
        """How many more brackets than the file the text of a path leaves open."""
        return sum(self._by(path))

    def _by(self, path: Sequence[PathStep]) -> Iterator[int]:
        for step in path:
            if step.layer is Layer.NEW:
                yield int(self.new[step.sketch])
            elif step.layer is Layer.MATCH:
                yield int(self.match[step.sketch, step.lines.start])
            elif step.layer is Layer.GONE and step.lines:
                yield int(self.gone[step.lines.start : step.lines.stop].sum())

    def tilted(self, given: Scores, tilt: float) -> Scores:
        """Scores by which each bracket that a step opens adds `tilt`."""
        return replace(
            given,
            match=given.match + tilt * self.match,
            new=given.new + tilt * self.new[:, None],
            gone=given.gone + tilt * self.gone[None, :],
        )


def even_tilt(opens: bool, total: Callable[[float], float]) -> float:
    """The tilt with the least sum over all paths, where the likeliest one opens more brackets than the file, or closes
    more. `total` is the logarithm of the sum for a tilt, which is convex."""
    low, high = (-_MOST, 0.0) if opens else (0.0, _MOST)
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = total(left), total(right)
    for _ in range(_NARROWED):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = total(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = total(right)
    return (low + high) / 2
