"""Which file lines stand in the blocks that a sketch shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.lists import Lists
from fastedit.sketch.features.openers import Openers
from fastedit.sketch.read.names import import_rows
from fastedit.sketch.read.reading import BARE, BLANK
from fastedit.source.markers import said_in_comment
from fastedit.source.outline import is_closer

_OF_IMPORTS = re.compile(r"\b(?:import|include)s?\b", re.IGNORECASE)


class Blocks:
    """The blocks of the file that lines of the sketch open."""

    def __init__(self, facts: Facts, openers: Openers) -> None:
        self._facts, self._openers, self._lists = facts, openers, Lists(facts)
        self._found: dict[tuple[int, ...], tuple[Any, Sequence[int]]] = {}

    def at(self, i: int, depth: int) -> tuple[Any, Sequence[int]]:
        """Of the innermost block above sketch line i that is open at this depth and that the file has: 1 for each file
        line in it, -1 for the others and for blank lines 0, and the lines that open it. All 0 without such a block."""
        facts, sketch = self._facts, self._facts.sketch
        for row in range(i - 1, -1, -1):
            if depth == 0:
                break
            if not sketch.stripped[row] or row in facts.spelled or sketch.depths[row] >= depth:
                continue
            depth = sketch.depths[row]
            head = sketch.parents[row]
            # A brace alone opens the block of the line above it, and what closes a long head that of the head.
            goes_on = sketch.stripped[row] == "{" or (sketch.opens(row) and is_closer(sketch.stripped[row]))
            if head is not None and goes_on:
                row = head
            if openers := self.openers(row):
                return self._known(tuple(openers))
        return np.zeros(len(facts.file.texts), dtype=np.int8), []

    def of_marker(self, i: int) -> tuple[Any, Sequence[int]]:
        """The same of what sketch line i stands in if it is a marker: the imports, a list or paragraph, or a block."""
        if self.speaks_of_imports(i):
            return self._imports, ()
        held = self._lists.around(i)
        return (held, ()) if held is not None else self.at(i, self._facts.sketch.depths[i])

    def ends_list(self, i: int) -> bool:
        """Whether what the sketch shows below such a marker is the end of that."""
        return self.in_list(i) and self._lists.ends(i)

    def in_list(self, i: int) -> bool:
        """Whether sketch line i, a marker, stands in a list or paragraph that is known."""
        return self._lists.around(i) is not None

    def speaks_of_imports(self, i: int) -> bool:
        """Whether sketch line i, if it is a marker, is one at the margin that speaks of imports."""
        sketch = self._facts.sketch
        return not sketch.widths[i] and bool(_OF_IMPORTS.search(said_in_comment(sketch.texts[i]) or ""))

    @cached_property
    def _imports(self) -> Any:
        """As of a block, from the first import at the margin to the last one above any definition."""
        facts, file = self._facts, self._facts.file
        found = np.zeros(len(file.texts), dtype=np.int8)
        rows = import_rows(file)
        if rows:
            found[facts.inked] = -1
            found[facts.inked[(facts.inked >= rows.start) & (facts.inked < rows.stop)]] = 1
        return found

    def of_siblings(self, i: int) -> tuple[Any, Sequence[int]]:
        """The same of the block that the nearest line above sketch line i stands in which is as deep, with none between
        that is less deep, and which the file has."""
        facts, sketch = self._facts, self._facts.sketch
        for row in range(i - 1, -1, -1):
            if not sketch.stripped[row] or row in facts.spelled or sketch.depths[row] > sketch.depths[i]:
                continue
            if sketch.depths[row] < sketch.depths[i]:
                break
            around = {above for at in self.openers(row) if (above := facts.file.parents[at]) is not None}
            if around:
                return self._known(tuple(sorted(around)))
        return np.zeros(len(facts.file.texts), dtype=np.int8), []

    def openers(self, row: int) -> Sequence[int]:
        """The file lines that a line of the sketch may be, by its text or the name that it defines."""
        facts, sketch = self._facts, self._facts.sketch
        there = self._openers.places(row) if sketch.ink[row] > BARE else []
        return there or facts.heads.get(sketch.heads.get(row, ""), [])

    def opened_by(self, openers: tuple[int, ...]) -> Any:
        """1 for each file line in the blocks that these lines open, -1 for the others and 0 for blank lines."""
        held, _ = self._known(openers)
        return held

    def _known(self, openers: tuple[int, ...]) -> tuple[Any, Sequence[int]]:
        if openers not in self._found:
            self._found[openers] = self._held(openers), openers
        return self._found[openers]

    def _held(self, openers: Sequence[int]) -> Any:
        """1 in the blocks that these lines open, -1 elsewhere, 0 for blank lines."""
        facts, file, n = self._facts, self._facts.file, len(self._facts.file.texts)
        held = np.zeros(n, dtype=bool)
        for opener in openers:
            for j in range(opener + 1, n):
                above = file.parents[j]
                if above is not None and (above == opener or held[above]):
                    held[j] = True
                elif file.stripped[j] and j not in facts.leads:
                    break
        return np.where(facts.inks != BLANK, np.where(held, 1, -1), 0).astype(np.int8)


def ends_of(held: Any) -> list[tuple[int, int]]:
    """Where such blocks end: their last lines, each with the non-blank one below, or the number of lines."""
    inked = np.nonzero(held)[0]
    below = np.append(inked[1:], len(held))
    ends = (held[inked] > 0) & (np.append(held[inked[1:]], -1) < 0)
    return list(zip(inked[ends].tolist(), below[ends].tolist(), strict=True))
