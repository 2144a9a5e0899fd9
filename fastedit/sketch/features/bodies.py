"""Blocks of the file of which a sketch shows the head with a marker right below it: that stands for all that the block
begins with, so none of it is what the sketch shows in the blocks above, nor in those below that begin as it does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.openers import Openers
from fastedit.sketch.read.reading import BARE


class _Body(NamedTuple):
    """What a marker stands for right below a line of the sketch, its head: the file's lines below that. `only` tells
    whether the file has the head nowhere else."""

    marker: int
    head: int
    rows: range
    only: bool


class Bodies:
    """The blocks whose heads the sketch shows right above markers."""

    def __init__(self, facts: Facts, openers: Openers) -> None:
        self._facts, self._openers = facts, openers
        self._firsts: dict[int, dict[str, int]] = {}
        self._inner: dict[int, list[int]] = {}

    def midst(self) -> Any:
        """[m, n + 1]: where a marker would begin to keep lines of such a block below its first."""
        m, n = self._facts.shape
        found = np.zeros((m, n + 1), dtype=bool)
        for body in self._bodies:
            found[body.marker, body.rows.start + 1 : body.rows.stop] = True
        for body in self._bodies:
            found[body.marker, body.rows.start] = False
        return found

    def outside(self, rows: Any, columns: Any) -> Any:
        """[pairs]: whether the sketch has the line in a block above, or in one below that has what the block begins
        with, and the file in such a block, of which it has one alone."""
        found, widths = np.zeros(len(rows), dtype=bool), np.array(self._facts.sketch.widths)
        for body in self._bodies:
            if body.only:
                within = (columns >= body.rows.start) & (columns < body.rows.stop)
                outside = (rows < body.head) | (rows >= self._repeated_from(body))
                found |= within & outside & (widths[rows] > widths[body.head])
        return found

    def _repeated_from(self, body: _Body) -> int:
        """Where the sketch's block ends, if the sketch has the line that the file's begins with in a block below; else
        where the sketch ends."""
        file, sketch = self._facts.file, self._facts.sketch
        end, first = sketch.block_end(body.head), file.stripped[body.rows.start]
        below = (
            row for row in range(end, len(sketch.texts)) if sketch.widths[row] > sketch.widths[body.head]
        )
        return end if any(sketch.stripped[row] == first for row in below) else len(sketch.texts)

    @cached_property
    def _bodies(self) -> list[_Body]:
        return [body for marker in self._facts.spelled for body in self._below(marker)]

    def _below(self, marker: int) -> Iterator[_Body]:
        """The blocks that this marker may begin. None where the sketch has more such heads than the file, for a block
        may have been parted or wrapped, nor where it has a line of the block above, as far out as the head, for that
        may have been moved there."""
        facts, sketch = self._facts, self._facts.sketch
        head = facts.above.get(marker)
        if head is None or head in facts.spelled or sketch.widths[head] >= sketch.widths[marker]:
            return
        places = self._openers.places(head)
        alike = [row for row in sketch.inked if sketch.stripped[row] == sketch.stripped[head]]
        if sketch.ink[head] == BARE or sum(self._openers.places(row) == places for row in alike) > len(
            places
        ):
            return
        begun = self._begun(sketch.widths[head])
        for place in places:
            rows = self._within(place)
            if rows and not any(begun.get(facts.file.stripped[row], head) < head for row in rows):
                yield _Body(marker, head, range(rows[0], rows[-1] + 1), len(places) == 1)

    def _begun(self, width: int) -> dict[str, int]:
        """The first line of the sketch with each text that is no further in than this."""
        if width not in self._firsts:
            sketch, first = self._facts.sketch, self._firsts.setdefault(width, {})
            for row in sketch.inked:
                if sketch.widths[row] <= width and sketch.ink[row] > BARE:
                    first.setdefault(sketch.stripped[row], row)
        return self._firsts[width]

    def _within(self, head: int) -> list[int]:
        """The lines of the file below this one that stand deeper."""
        if head not in self._inner:
            self._inner[head] = self._facts.file.deeper(head)
        return self._inner[head]
