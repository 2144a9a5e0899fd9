"""Local alignment of old lines to a file with affine gaps (Gotoh 1982), under rules about what must be matched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fastedit.formats.text.views import KeyedView

Row = NDArray[np.float64]
_NEVER = -np.inf
_OPEN, _PER_LINE = 0.5, 1 / 16  # what a gap costs, in lines that stand once in the file


@dataclass(frozen=True, slots=True)
class Rules:
    """Old lines by index: `required` must be matched, `linked` be followed by the next one without a line between.

    `from_head`, `to_end`: the first or last line must be the file's first or last.
    """

    required: frozenset[int] = frozenset()
    linked: frozenset[int] = frozenset()
    from_head: bool = False
    to_end: bool = False

    def may_begin(self, at: int) -> bool:
        return all(k >= at for k in self.required)

    def may_end(self, at: int) -> bool:
        return all(k <= at for k in self.required)


@dataclass(frozen=True, slots=True)
class HunkAlignment:
    """`rows` has, for each old line that is matched, the index of its line in the view.

    The score is in lines that stand once in the file; one that stands there n times is worth 1/n.
    """

    score: float
    rows: dict[int, int]


class Aligner:
    """Only lines of the file that are equal to some old line are columns."""

    def __init__(self, keys: Sequence[str], view: KeyedView) -> None:
        """`keys` are those of the old lines."""
        self._size = len(view.keys)
        self._columns = np.array(
            sorted({row for key in keys for row in view.places.get(key, ())}), dtype=np.int64
        )
        self._equal = np.array([np.isin(self._columns, view.places.get(key, ())) for key in keys])
        self._worth = [1 / max(len(view.places.get(key, ())), 1) for key in keys]

    def align(
        self, rules: Rules, without: tuple[int, int] | None = None, without_rows: Sequence[int] = ()
    ) -> HunkAlignment | None:
        """The best alignment that does not match the pair `without` and nothing to `without_rows`; None for none."""
        allowed = self._equal.copy()
        if not allowed.size:
            return None
        allowed[0] &= (self._columns == 0) | (not rules.from_head)
        allowed[-1] &= (self._columns == self._size - 1) | (not rules.to_end)
        allowed[:, np.isin(self._columns, without_rows)] = False
        if without:
            allowed[without[0], self._columns == without[1]] = False
        return self._traced(self._scores(allowed, rules), rules)

    def _scores(self, allowed: NDArray[np.bool_], rules: Rules) -> list[Row]:
        """For each old line and each column, the best score of an alignment that ends with this pair."""
        distance = _PER_LINE * self._columns
        adjacent = np.diff(self._columns) == 1
        matched: list[Row] = []
        gap = np.full(
            len(self._columns), _NEVER
        )  # scores of what may lie above a gap, from the head of the file
        for at, equal in enumerate(allowed):
            before = np.full(len(self._columns), 0.0 if rules.may_begin(at) else _NEVER)
            if at:
                before[1:] = np.maximum(before[1:], np.where(adjacent, matched[-1][:-1], _NEVER))
            if at and at - 1 not in rules.linked:
                before[1:] = np.maximum(before[1:], gap[:-1] - distance[1:] + _PER_LINE)
            matched.append(np.where(equal, before + self._worth[at], _NEVER))
            opened = np.maximum.accumulate(matched[at] - _OPEN + distance)
            gap = opened if at in rules.required else np.maximum(opened, gap - _PER_LINE)
        return matched

    def _traced(self, matched: Sequence[Row], rules: Rules) -> HunkAlignment | None:
        ends = [
            (float(row.max()), at, int(row.argmax())) for at, row in enumerate(matched) if rules.may_end(at)
        ]
        score, at, column = max(ends)
        if score == _NEVER:
            return None
        rows = {at: int(self._columns[column])}
        while (step := self._above(matched, at, column, rules)) is not None:
            at, column = step
            rows[at] = int(self._columns[column])
        return HunkAlignment(score, dict(sorted(rows.items())))

    def _above(self, matched: Sequence[Row], at: int, column: int, rules: Rules) -> tuple[int, int] | None:
        """The pair before (`at`, `column`) on the best path, None where the path begins."""
        best, found = (0.0 if rules.may_begin(at) else _NEVER), None
        if not at or not column:
            return None
        between = self._columns[column] - self._columns[:column] - 1
        if not between[-1] and matched[at - 1][column - 1] > best:
            best, found = float(matched[at - 1][column - 1]), (at - 1, column - 1)
        if at - 1 in rules.linked:
            return found
        for above in range(at - 1, -1, -1):
            scores = matched[above][:column] - _OPEN - _PER_LINE * (between + at - 1 - above)
            if scores.max() > best:
                best, found = float(scores.max()), (above, int(scores.argmax()))
            if above in rules.required:
                break
        return found
