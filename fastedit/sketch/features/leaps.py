"""What speaks for and against a leap: file lines that stay though no marker says so."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.gaps import Gaps
from fastedit.sketch.paths.columns import row
from fastedit.sketch.paths.weights import ENDS, ENTER, LEAP, LEAVE, SHOWN_UP_TO, WITHIN
from fastedit.sketch.read.reading import BLANK, FULL, is_import
from fastedit.source.outline import is_closer

_ALL_KNOWN = "leap where all that is shown is in the file"


class Leaps:
    """The leaps in each gap of the sketch, and to and from each place of the file."""

    def __init__(self, facts: Facts, gaps: Gaps) -> None:
        self._facts, self._gaps = facts, gaps

    def leap(self) -> Any:
        """[m + 1, LEAP]: what the sketch shows around each of its gaps."""
        m, _ = self._facts.shape
        return np.array([row(LEAP, self._at(i)) for i in range(m + 1)], dtype=float)

    def _at(self, i: int) -> dict[str, float]:
        facts, (m, _) = self._facts, self._facts.shape
        above, below = self._gaps.above(i), self._gaps.below(i)
        if facts.is_piece:
            return self._in_data(above, below)
        values = {"leap": 1.0, _ALL_KNOWN: float(not facts.brings)}
        if i == 0:
            values["leap at the top"] = 1.0
        if i == m:
            values["leap at the end"] = 1.0
        if 0 < i < m and (above != i - 1 or below != i):
            values["leap after a blank line"] = 1.0
        values |= self._between(above, below)
        around = self._gaps.definitions[i]
        values["leap in a definition shown whole"] = float(around == "whole")
        values["leap in a definition with markers"] = float(around == "marked")
        values["leap in a block left open"] = self._gaps.left_open[i]
        if not facts.spelled:
            values["leap without any marker"] = 1.0
            values["leap, share of the file shown"] = facts.share
            for where in ("to a head", "within a block", "from the head of a block"):
                values[f"leap {where} without any marker"] = values.get(f"leap {where}", 0.0)
        return values

    def _between(self, above: int | None, below: int | None) -> dict[str, float]:
        """What the non-blank lines around a gap say."""
        sketch = self._facts.sketch
        values: dict[str, float] = {}
        if below is None:
            return values
        values["leap to a head"] = float(sketch.begins(below))
        values["leap to an import"] = float(is_import(sketch.texts[below]))
        if above is not None:
            values["leap outwards"] = float(sketch.widths[below] < sketch.widths[above])
            values["leap to the margin"] = float(sketch.widths[below] == 0)
            values["leap next to a line that stays"] = self._is_by_context(above, below)
            if not sketch.begins(below):
                inner = sketch.parents[below]
                within = inner is not None and inner in (above, sketch.parents[above])
                values["leap within a block"] = float(within)
                values["leap from the head of a block"] = float(inner is not None and inner == above)
        return values

    def _in_data(self, above: int | None, below: int | None) -> dict[str, float]:
        """What they say of entries that stay: nothing of what tells in code does."""
        values = {"leap in data": 1.0, _ALL_KNOWN: float(not self._facts.brings)}
        inner = None if below is None else self._facts.sketch.parents[below]
        if inner not in self._marked:
            values["leap in data in a block without any marker"] = 1.0
        if above is None or below is None:
            values["leap in data at the top or the end"] = 1.0
            return values
        values["leap in data next to a line that stays"] = self._is_by_context(above, below)
        if self._facts.sketch.keyed[below]:
            values["leap to a key"] = 1.0
        return values

    def _is_by_context(self, above: int, below: int) -> float:
        """Whether one of both lines is shown although it stays as it is and leads to nothing: its author shows what is
        next to a change, and hardly leaves lines out there. Of an update that comes twice all lines stay."""
        facts, sketch = self._facts, self._facts.sketch
        return float(
            facts.brings
            and sketch.parents[above] == sketch.parents[below]
            and any(
                bool(facts.places[i]) and not (sketch.opens(i) or is_closer(sketch.texts[i]))
                for i in (above, below)
            )
        )

    def over_next(self) -> Any:
        """[m + 1, n + 1]: where a leap would begin over the very line that the sketch shows below the gap: what stands
        next to each other in both has nothing left out between. A comment or decorator is what it leads to."""
        facts, file, sketch, (m, n) = self._facts, self._facts.file, self._facts.sketch, self._facts.shape
        found = np.zeros((m + 1, n + 1), dtype=bool)
        after = np.append(facts.inked, n)[np.searchsorted(facts.inked, np.arange(n + 1))]
        for i in range(1, m) if facts.spelled else ():
            below = self._gaps.below(i)
            if below is None or below in facts.spelled or sketch.ink[below] != FULL:
                continue
            shown = sketch.stripped[below : sketch.led_to(below) + 1]
            rows = [
                j
                for j in facts.places[below]
                if facts.widths[j] == sketch.widths[below] + facts.offset
                and list(file.stripped[j : j + len(shown)]) == list(shown)
            ]
            found[i] = np.isin(after, rows)
        return found

    @cached_property
    def _marked(self) -> set[int | None]:
        """The sketch lines that open blocks with a marker in them, None for one in none."""
        return {self._facts.sketch.parents[i] for i in self._facts.spelled}

    @cached_property
    def ended(self) -> Any:
        """[m + 1, n + 1]: ENDS, SHOWN_UP_TO and WITHIN for definitions that the sketch has shown without markers right
        above a gap. Only where indentation alone tells an end: what is to be closed and is not is not whole."""
        facts, (m, n) = self._facts, self._facts.shape
        file, sketch = facts.file, facts.sketch
        found = np.zeros((m + 1, n + 1), dtype=np.int8)
        for i in range(1, m + 1):
            head, above = self._gaps.ended_whole(i), self._gaps.above(i)
            if head is None or above is None:
                continue
            for start in facts.heads.get(sketch.heads[head], ()):
                stop = file.block_end(start)
                if not is_closer(file.texts[stop - 1]):
                    found[i, start + 1 : stop] = WITHIN
                    found[i, [place + 1 for place in facts.places[above] if start < place < stop]] = (
                        SHOWN_UP_TO
                    )
                    found[i, stop] = ENDS
        return found

    def edges(self) -> tuple[Any, Any]:
        """[n + 1, ENTER] and [n + 1, LEAVE]: what stands in the file where a leap begins and ends."""
        facts, n = self._facts, len(self._facts.file.texts)
        blank = facts.inks == BLANK
        closed = np.zeros(n, dtype=bool)  # after a closer
        closed[1:] = facts.closes[:-1]
        after = np.zeros(n, dtype=bool)  # after a blank line
        after[1:] = blank[:-1]
        enter, leave = np.zeros((n + 1, len(ENTER))), np.zeros((n + 1, len(LEAVE)))
        enter[:n] = np.stack((blank | closed, facts.begins), axis=1)
        leave[:n, 0] = after
        return enter, leave
