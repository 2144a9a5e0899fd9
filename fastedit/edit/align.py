"""Which line of the original each line of a sketch stands for: one best global alignment.

The method is Needleman and Wunsch's (1970) with affine, capped gaps and cheap jumps at markers. `scoring`
tells how well two lines fit; here it is only decided which of the fits go together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastedit.edit.insertion import settle_insertions
from fastedit.edit.replacement import settle_replacements
from fastedit.edit.scoring import Fit, scorer
from fastedit.edit.update import Alignment, Match, Update, UpdateLine

Row = NDArray[np.float64]

# In units of a typical unique line's weight. A jump (over what a marker or the sketch's ends stand for) must
# earn its cost, so that a brace or a blank line alone never takes one.
_JUMP = 0.6
_GAP_LINE = 0.03
_NEW_LINE = 0.05
_CELLS_AT_ONCE = 4_000_000  # 8 bytes each
_CELLS_AT_MOST = 40_000_000
_NO_CHANCE = 50  # lines in a row
_NEVER = -1e9


class _Gap(NamedTuple):
    """What it costs to leave lines out: `first`, and _GAP_LINE for each, but `most` for many."""

    first: float
    most: float


_DELETED = _Gap(0.3, 1.6)
_MARKED = _Gap(0.29, _JUMP)  # a marker may stand for them: never more than to delete them


def align(lines: Sequence[str], update: Update) -> Alignment:
    """Align `update` to `lines` (both without line ends) in O(len(lines)) numpy work per update line.

    Code before the first and behind the last line of the sketch counts as kept, as if there were markers.
    """
    kinds: list[Match | None] = [None] * len(update.lines)
    compared = scorer(tuple(lines), update.lines)
    fits = compared.fits(_copied(lines, update))
    targets = _best(lines, update, fits, compared.reach)
    confined = compared.confined(fits, targets)
    if confined is not None:
        targets = _best(lines, update, confined, compared.reach)
    settle_insertions(lines, update, targets, compared)
    settle_replacements(lines, update, targets)
    _settle_blanks(lines, update, targets)
    for index, place in enumerate(targets):
        if place is not None:
            kinds[index] = _kind(lines[place], update.lines[index].text)
    return Alignment(tuple(targets), tuple(kinds))


def _best(
    lines: Sequence[str], update: Update, fits: Sequence[Fit], reach: Sequence[range]
) -> list[int | None]:
    """The targets of the best path, blank lines not yet settled."""
    targets: list[int | None] = [None] * len(update.lines)
    at, from_line = 0, reach[0].start
    for index, line in [*_pins(lines, update, fits), (len(fits), reach[-1].stop)]:
        stretch = _Table(fits[at:index], update.lines[at:index], lines, range(from_line, line))
        for found, target in stretch.path(free_start=at == 0, free_end=index == len(fits)):
            targets[at + found] = target
        if index < len(fits):
            targets[index] = line
        at, from_line = index + 1, line + 1
    return targets


def margin(lines: Sequence[str], update: Update, alignment: Alignment, index: int) -> float:
    """How much worse the next best alignment is in which line `index` of the sketch stands elsewhere.

    Near 0 means that chance decided. 0 for a sketch too long to be aligned in one stretch.
    """
    place = alignment.targets[index]
    if place is None or len(lines) * len(update.lines) > _CELLS_AT_ONCE:
        return 0.0
    compared = scorer(tuple(lines), update.lines)
    fits = compared.fits()
    fits = compared.confined(fits, alignment.targets) or fits
    within = range(compared.reach[0].start, compared.reach[-1].stop)
    best = _Table(fits, update.lines, lines, within).score()
    elsewhere = fits[index].places != place
    fits[index] = Fit(fits[index].places[elsewhere], fits[index].scores[elsewhere])
    return best - _Table(fits, update.lines, lines, within).score()


def _settle_blanks(lines: Sequence[str], update: Update, targets: list[int | None]) -> None:
    """Match blank lines next to matched lines, from the line behind them first, and no others."""
    count = len(update.lines)
    blank = [not line.marker and not line.text.strip() for line in update.lines]
    for index in range(count):
        if blank[index]:
            targets[index] = None
    for step, order in ((-1, range(count - 2, -1, -1)), (1, range(1, count))):
        taken = {place for place in targets if place is not None}
        for index in order:
            neighbour = targets[index - step]
            if not blank[index] or targets[index] is not None or neighbour is None:
                continue
            place = neighbour + step
            if 0 <= place < len(lines) and place not in taken and not lines[place].strip():
                targets[index] = place


def _kind(line: str, text: str) -> Match:
    if line == text:
        return Match.EXACT
    return Match.INDENT if line.strip() == text.strip() else Match.SIMILAR


def _copied(lines: Sequence[str], update: Update) -> dict[int, int]:
    """Where lines of a long sketch surely stand: in runs too long for chance, around a line unique on both sides.

    Of a whole long file sent back as a sketch every line would else be weighed against all that are like it.
    """
    texts = [None if line.marker else line.text for line in update.lines]
    if len(lines) * len(texts) <= _CELLS_AT_ONCE:
        return {}
    here, there = Counter(texts), Counter(lines)
    places = {text: place for place, text in enumerate(lines) if there[text] == here[text] == 1}
    found: dict[int, int] = {}
    at = from_line = 0  # behind the last run
    for index, text in enumerate(texts):
        place = places.get(text, -1) if text is not None else -1
        if index < at or place < from_line:
            continue
        start, stop, shift = index, index, place - index
        while start > at and start + shift > from_line and texts[start - 1] == lines[start - 1 + shift]:
            start -= 1
        while stop < len(texts) and stop + shift < len(lines) and texts[stop] == lines[stop + shift]:
            stop += 1
        if stop - start >= _NO_CHANCE:
            found.update((line, line + shift) for line in range(start, stop))
            at, from_line = stop, stop + shift
    return found


def _pins(lines: Sequence[str], update: Update, fits: Sequence[Fit]) -> list[tuple[int, int]]:
    """(update index, line) pairs to align between where the sketch is too long for one table.

    They are lines unique on both sides with an equal neighbour (patience diff, Bram Cohen), rising.
    """
    if len(lines) * len(update.lines) <= _CELLS_AT_ONCE:
        return []
    pins: list[tuple[int, int]] = []
    for index in range(1, len(fits)):
        here, above = fits[index], fits[index - 1]
        if here.unique is None or above.unique is None or here.unique != above.unique + 1:
            continue
        if index - (pins[-1][0] if pins else 0) >= _NO_CHANCE and here.unique > (pins[-1][1] if pins else -1):
            pins.append((index, here.unique))
    return pins


class _Table:
    """Best scores of one stretch of a file: row j, column i = j update lines and i original lines used up."""

    def __init__(
        self, fits: Sequence[Fit], sketch: Sequence[UpdateLine], lines: Sequence[str], within: range
    ) -> None:
        self._fits, self._sketch, self._first = fits, sketch, within.start
        self._lines = lines[within.start : within.stop]
        self._at_top, self._at_end = within.start == 0, within.stop == len(lines)
        self._ramp: Row = np.arange(len(within) + 1, dtype=np.float64) * _GAP_LINE

    def path(self, *, free_start: bool, free_end: bool) -> list[tuple[int, int]]:
        """(update index, line) of every match on the best path, last one first."""
        if len(self._lines) * len(self._fits) > _CELLS_AT_MOST:
            return self._common_ends()
        rows, count = self._rows(self._start(free_start)), len(self._lines)
        if free_end:
            return self._back(rows, int(self._ends(rows[-1]).argmax()))
        return self._back(rows, self._source(rows[-1], count, float(self._gapped(rows[-1])[count])))

    def _common_ends(self) -> list[tuple[int, int]]:
        """Equal lines at the beginning and the end: all that is tried where the table would not fit in memory."""
        texts = [None if line.marker else line.text for line in self._sketch]
        shorter = min(len(self._sketch), len(self._lines))
        head = next((i for i in range(shorter) if texts[i] != self._lines[i]), shorter)
        rest = range(1, shorter - head + 1)
        tail = next((i - 1 for i in rest if texts[-i] != self._lines[-i]), len(rest))
        ends = [(len(texts) - i, self._first + len(self._lines) - i) for i in range(1, tail + 1)]
        return ends + [(i, self._first + i) for i in range(head - 1, -1, -1)]

    def score(self) -> float:
        """The best path's score, free at both ends; behind a marker no line is better to start from than another."""
        start = np.zeros(len(self._lines) + 1) if self._marked(0) else self._start(free=True)
        return float(self._ends(self._rows(start)[-1]).max())

    def _start(self, free: bool) -> Row:
        count = len(self._lines)
        row: Row = np.full(count + 1, -_JUMP if free else _NEVER)
        if free and not self._at_top:
            return row
        row[: 1 + (self._blank(range(count)) if free and not self._marked(0) else 0)] = 0.0
        return row

    def _rows(self, row: Row) -> list[Row]:
        rows = [row]
        for fit, line in zip(self._fits, self._sketch, strict=True):
            row = self._gapped(row, _MARKED) if line.marker else self._extended(row, fit)
            rows.append(row)
        return rows

    def _ends(self, row: Row) -> Row:
        """Scores of ending at each column. Only a sketch that ends in code, not in a marker, tends to the last line."""
        if self._marked(-1):
            return row
        count = len(self._lines)
        ends = row - _JUMP
        if not self._at_end:
            return ends
        ends[count - self._blank(range(count - 1, -1, -1)) :] += _JUMP
        return ends

    def _marked(self, index: int) -> bool:
        return bool(self._sketch) and self._sketch[index].marker

    def _blank(self, order: range) -> int:
        """How many lines are blank before the first that is not."""
        return next((seen for seen, index in enumerate(order) if self._lines[index].strip()), len(order))

    def _gapped(self, row: Row, gap: _Gap = _DELETED) -> Row:
        """`row` after any lines left out: a linear cost up to a cap, vectorised as a running maximum."""
        linear = np.maximum.accumulate(row + self._ramp) - self._ramp - gap.first
        return np.maximum(row, np.maximum(linear, np.maximum.accumulate(row) - gap.most))

    def _extended(self, row: Row, fit: Fit) -> Row:
        before = self._gapped(row)
        after = before - _NEW_LINE
        places, scores = self._within(fit)
        after[places + 1] = np.maximum(after[places + 1], before[places] + scores)
        return after

    def _within(self, fit: Fit) -> tuple[NDArray[np.intp], Row]:
        places = fit.places - self._first
        if self._at_top and (not len(places) or places[-1] < len(self._lines)):
            return places, fit.scores
        inside = (places >= 0) & (places < len(self._lines))
        return places[inside], fit.scores[inside]

    def _back(self, rows: list[Row], column: int) -> list[tuple[int, int]]:
        matches: list[tuple[int, int]] = []
        for index in range(len(self._fits) - 1, -1, -1):
            row, value = rows[index], float(rows[index + 1][column])
            if self._sketch[index].marker:
                column = self._source(row, column, value, _MARKED)
                continue
            score = self._score(index, column - 1)
            before = value - score if score is not None else 0.0
            if score is not None and abs(self._best_before(row, column - 1) - before) < 1e-9:
                matches.append((index, self._first + column - 1))
                column = self._source(row, column - 1, before)
            else:
                column = self._source(row, column, value + _NEW_LINE)
        return matches

    def _score(self, index: int, line: int) -> float | None:
        if line < 0:
            return None
        places = self._fits[index].places
        at = int(places.searchsorted(line + self._first))
        if at == len(places) or places[at] != line + self._first:
            return None
        return float(self._fits[index].scores[at])

    def _best_before(self, row: Row, column: int) -> float:
        head = row[: column + 1]
        linear = float((head + self._ramp[: column + 1]).max()) - float(self._ramp[column]) - _DELETED.first
        return max(float(row[column]), linear, float(head.max()) - _DELETED.most)

    def _source(self, row: Row, column: int, value: float, gap: _Gap = _DELETED) -> int:
        """The column from which a gap, if any, led to `column` with this value; the nearest."""
        if row[column] >= value - 1e-9:
            return column
        head = row[: column + 1]
        cost = np.minimum(gap.first + self._ramp[column] - self._ramp[: column + 1], gap.most)
        return column - int((head - cost)[::-1].argmax())
