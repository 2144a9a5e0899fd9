"""The likeliest paths of those that do as they are told: lay a line here, keep another, add a third."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fastedit.sketch.paths.lattice import HIDES, NEVER, Best, Lattice, PathStep, Scores, spread, squeezed
from fastedit.sketch.paths.walks import likeliest, trace


@dataclass(frozen=True)
class Relaid:
    """The paths with these scores. Of a long file only `places` between lines count, if they are given."""

    given: Scores
    places: Any | None = None

    def likeliest(self, given: Scores) -> list[PathStep] | None:
        """The likeliest path by such scores; None where there is none."""
        lattice = Lattice(given if self.places is None else squeezed(given, self.places), Best())
        return None if lattice.total < NEVER / 2 else self.spread(trace(lattice, likeliest))

    def spread(self, path: list[PathStep]) -> list[PathStep]:
        """A path with the places that do not count in between."""
        return path if self.places is None else spread(path, self.places)

    def laid_at(self, places: Mapping[int, int]) -> list[PathStep] | None:
        """The one that lays each of these lines of the sketch onto its line of the file."""
        rows = places.values()
        return self.laid_on(range(min(places), max(places) + 1), range(min(rows), max(rows) + 1), places)

    def laid_on(
        self, shown: range, rows: range, at: Mapping[int, int], whole: bool = False
    ) -> list[PathStep] | None:
        """The one that lays these lines of the sketch onto these of the file, some of them onto the line that `at`
        says, if not onto none; if they are `whole` no others stay."""
        given, places = self.given, self._places
        match, new = given.match.copy(), self._new
        lines = slice(shown.start, shown.stop)
        match[lines, (places < rows.start) | (places >= rows.stop)] = NEVER
        new[lines, (places <= rows.start) | (places > rows.stop)] = NEVER
        for line, row in at.items():
            match[line, places != row] = NEVER
        given = replace(given, match=match, new=new)
        if whole:
            keep, stay = given.keep.copy(), given.stay.copy()
            keep[:, rows.start : rows.stop], stay[:, rows.start : rows.stop] = NEVER, NEVER
            given = replace(given, keep=keep, stay=stay)
        return self.likeliest(given)

    def moved(self, path: Sequence[PathStep], places: Mapping[int, int]) -> list[PathStep] | None:
        """The one in which each of these lines of the sketch is its line of the file and nothing else goes that `path`
        hides."""
        match, gone, new = self.given.match.copy(), self.given.gone.copy(), self._new
        for step in path:
            if step.layer in HIDES:
                gone[:, step.lines.start : step.lines.stop] = NEVER
        for line, row in places.items():
            match[line, self._places != row] = NEVER
            new[line] = NEVER
        return self.likeliest(replace(self.given, match=match, gone=gone, new=new))

    def with_new(self, lines: Sequence[int], kept: Iterable[range]) -> list[PathStep] | None:
        """The one in which these lines of the sketch are new and these of the file do not go."""
        given = self.given
        match, gone, mark, note = (
            array.copy() for array in (given.match, given.gone, given.mark, given.note)
        )
        rows = list(lines)
        match[rows], mark[rows], note[rows] = NEVER, NEVER, NEVER
        for stay in kept:
            gone[:, stay.start : stay.stop] = NEVER
        return self.likeliest(replace(given, match=match, gone=gone, mark=mark, note=note))

    def keeping(
        self, kept: Iterable[tuple[int, Sequence[bool]]], dropped: Iterable[int]
    ) -> list[PathStep] | None:
        """The one that keeps these lines of the file, where each line of the sketch may or `may not` be another version
        of one, and that has those `dropped` not as they are unless the sketch shows them."""
        given = self.given
        match, gone, keep, stay = (
            array.copy() for array in (given.match, given.gone, given.keep, given.stay)
        )
        for row, may_not in kept:
            match[list(may_not), row] = NEVER
            gone[:, row] = NEVER
        for row in dropped:
            keep[:, row], stay[:, row] = NEVER, NEVER
        return self.likeliest(replace(given, match=match, gone=gone, keep=keep, stay=stay))

    @cached_property
    def _places(self) -> Any:
        return np.arange(self.given.match.shape[1])

    @property
    def _new(self) -> Any:
        """The scores of new lines, by line and place, to be written over."""
        return np.array(np.broadcast_to(self.given.new, self.given.match.shape))
