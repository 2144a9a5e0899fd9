"""The sums over all ways to lay a sketch onto a file: one recursion, in whichever semiring.

A path walks from (0, 0) to (m, n) over m sketch lines and n file lines. Its layer is what it did last:

| layer | step | moves |
|---|---|---|
| MATCH | sketch line i is file line j, or a changed version of it | both |
| NEW | sketch line i is new | sketch |
| GONE | file line j goes, because the sketch passes over it | file |
| MARK | sketch line i is a marker, and nothing is kept under it yet | sketch |
| KEEP | file line j stays under a marker | file |
| LEAP | file line j stays though no marker says so: above, below or between what is shown | file |

Deletions come before insertions in a gap, so that one text has few paths. Scores are natural logarithms and are added
at each step; a layer is a row of floats over j, so that a sketch line costs a few vector operations however long the
file is. Affine gaps: O. Gotoh 1982; sums over alignments: R. Durbin et al. 1998, chapter 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import reduce
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

NEVER: Final = -1e6  # rules a step out, and is small enough to be summed without losing the others' digits
Row = Any  # floats over j, of the ring's own kind of array


class Layer(IntEnum):
    MATCH = 0
    NEW = 1
    GONE = 2
    MARK = 3
    KEEP = 4
    LEAP = 5
    EDGE = 6  # the beginning, and in `turns` the end too

    __hash__ = int.__hash__  # not that of the name, which enum takes in Python: paths are keys


class Ring(Protocol):
    """How scores of several paths are put together, elementwise and along a row."""

    def plus(self, one: Row, other: Row) -> Row: ...

    def stacked(self, layers: Sequence[Row]) -> Any:
        """The six layers behind a sketch line, as `reached` takes them."""
        ...

    def turned(self, turns: Any) -> Any:
        """What `reached` takes of the scores of changes of layer."""
        ...

    def reached(self, layers: Any, turned: Any) -> Sequence[Row]:
        """From any layer, the scores of going on to MATCH and to NEW."""
        ...

    def passed(self, row: Row) -> Row:
        """At each place what all places before it come to; NEVER at the first."""
        ...

    def cumsum(self, row: Row) -> Row: ...

    def cumsums(self, rows: Any) -> Any: ...

    def shifted(self, row: Row) -> Row:
        """The row one place to the right: its last value goes, NEVER stands at its start."""
        ...

    def never(self, count: int) -> Row: ...

    def start(self, count: int) -> Row:
        """NEVER but for a score of 0 at place 0."""
        ...


class Sums:
    """All paths count: the logarithm of the sum of their weights. Rows are [n + 1], or [cases, n + 1]."""

    def __init__(self, *cases: int) -> None:
        self._cases = cases

    def plus(self, one: Row, other: Row) -> Row:
        return np.logaddexp(one, other)

    def stacked(self, layers: Sequence[Row]) -> Any:
        return np.array(layers)

    def turned(self, turns: Any) -> Any:
        return np.exp(turns[: len(STEPS), [Layer.MATCH, Layer.NEW]].T)

    def reached(self, layers: Any, turned: Any) -> Any:
        # Sums of weights in place of logarithms, which numpy takes one by one. Every layer goes on to both, so that
        # what is too small beside the likeliest layer to have a weight adds nothing.
        most = layers.max(axis=0)
        weights = np.exp(layers - most).reshape(len(STEPS), -1)
        return np.log(turned @ weights).reshape(-1, *most.shape) + most

    def passed(self, row: Row) -> Row:
        return self._accumulated(np.logaddexp, row)

    def _accumulated(self, plus: np.ufunc, row: Row) -> Row:
        found = np.empty_like(row)
        found[..., 0] = NEVER
        plus.accumulate(row[..., :-1], axis=-1, out=found[..., 1:])
        return found

    def cumsum(self, row: Row) -> Row:
        return self.cumsums(row)

    def cumsums(self, rows: Any) -> Any:
        sums = np.zeros((*rows.shape[:-1], rows.shape[-1] + 1))
        np.cumsum(rows, axis=-1, out=sums[..., 1:])
        return sums

    def shifted(self, row: Row) -> Row:
        moved = np.empty_like(row)
        moved[..., 0] = NEVER
        moved[..., 1:] = row[..., :-1]
        return moved

    def never(self, count: int) -> Row:
        return np.full((*self._cases, count), NEVER)

    def start(self, count: int) -> Row:
        row = self.never(count)
        row[..., 0] = 0.0
        return row


class Best(Sums):
    """The likeliest path alone counts."""

    def plus(self, one: Row, other: Row) -> Row:
        return np.maximum(one, other)

    def turned(self, turns: Any) -> Any:
        return turns[: len(STEPS), [Layer.MATCH, Layer.NEW]].T[:, :, None]

    def reached(self, layers: Any, turned: Any) -> Any:
        return (layers + turned).max(axis=1)

    def passed(self, row: Row) -> Row:
        return self._accumulated(np.maximum, row)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores:
    """What each step adds, for m sketch lines and n file lines.

    `match` [m, n + 1] (its last column is of no line), `new` [m, n + 1] (at which place of the file), `gone` [m + 1, n]
    (before which sketch line), `mark` and `note` [m] (a note is neither code nor marker: a comment that tells what is
    gone), `begin` [m, n + 1] (where what stays under a marker begins), `keep` [m, n] (under which marker), `onward` [m]
    (where what stays under a marker ends in a LEAP), `stay` [m + 1, n] (in a LEAP before which sketch line). Where one
    begins before sketch line i and file line j `leap` [m + 1] and `enter` [m + 1, n + 1] are added, `ended` [m + 1, n +
    1] too if it follows lines that go, and where it ends `leave` [n + 1]; where a run of GONE begins `cut` [n + 1],
    where it ends `join` [n + 1]. Lines that are `blank` [n], if it is given, are no step between a line that is shown
    and a MATCH. For each change of layer `turns` [7, 7] is added, from the row's to the column's. For several cases at
    once all but the first axis of what differs between them has theirs before the places'.
    """

    match: Any
    new: Any
    gone: Any
    mark: Any
    note: Any
    begin: Any
    keep: Any
    onward: Any
    stay: Any
    leap: Any
    enter: Any
    ended: Any
    leave: Any
    cut: Any
    join: Any
    turns: Any
    blank: Any = None

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.new.shape[0]), int(self.new.shape[-1]) - 1


def squeezed(scores: Scores, places: Any) -> Scores:
    """The scores of paths that begin and end their stretches at these rising places of the file alone, 0 and n among
    them: what lies between two of them becomes one line, which nothing matches. `spread` undoes it for a path."""
    starts, lone = places[:-1], np.diff(places) == 1
    match = np.full((scores.shape[0], len(places)), NEVER)
    match[:, :-1][:, lone] = scores.match[:, starts[lone]]
    return replace(
        scores,
        match=match,
        new=np.ascontiguousarray(np.broadcast_to(scores.new, scores.match.shape)[:, places]),
        gone=np.add.reduceat(scores.gone, starts, axis=1),
        begin=scores.begin[:, places],
        keep=np.add.reduceat(scores.keep, starts, axis=1),
        stay=np.add.reduceat(scores.stay, starts, axis=1),
        enter=scores.enter[:, places],
        ended=scores.ended[:, places],
        leave=scores.leave[places],
        cut=scores.cut[places],
        join=scores.join[places],
        blank=None if scores.blank is None else np.logical_and.reduceat(scores.blank, starts),
    )


def spread(path: Sequence[PathStep], places: Any) -> list[PathStep]:
    """A path of squeezed scores as one of the file's own lines."""
    at = places.tolist()
    return [PathStep(layer, line, range(at[rows.start], at[rows.stop])) for layer, line, rows in path]


HIDES = frozenset((Layer.MARK, Layer.KEEP, Layer.LEAP))  # steps over what is not shown, and the markers of it
STEPS = (Layer.MATCH, Layer.NEW, Layer.GONE, Layer.MARK, Layer.KEEP, Layer.LEAP)
SHOWN = (Layer.MATCH, Layer.NEW)  # steps over what is shown
GONE_FROM = (Layer.MATCH, Layer.MARK, Layer.KEEP)
NOTED = (
    Layer.MATCH,
    Layer.NEW,
    Layer.MARK,
    Layer.KEEP,
)  # behind what a note may come that tells of what is below it
INTO = {
    Layer.MATCH: STEPS,
    Layer.NEW: STEPS,
    Layer.MARK: (Layer.MATCH, Layer.NEW, Layer.GONE, Layer.MARK, Layer.KEEP),
    Layer.GONE: GONE_FROM,
    Layer.LEAP: (Layer.MATCH, Layer.NEW, Layer.GONE, Layer.KEEP),
}


class Lattice:
    """All paths of one sketch and one file: `rows[i][layer]` holds the score of having consumed i sketch lines and,
    by its place, so many file lines."""

    def __init__(self, scores: Scores, ring: Ring) -> None:
        self.scores, self.ring = scores, ring
        m, n = scores.shape
        self.stayed = ring.cumsums(scores.stay)
        self.went = ring.cumsums(scores.gone)
        self._turned = ring.turned(scores.turns)
        self._never = ring.never(n + 1)
        self.above = np.arange(n + 1)  # by place, that above the blank lines above a line
        if scores.blank is not None:
            inked = np.nonzero(~scores.blank)[0]
            self.above[inked] = np.append(0, inked + 1)[:-1]
        self._below = np.nonzero(self.above < np.arange(n + 1))[0]
        start = ring.start(n + 1)
        layers = [self._never] * len(STEPS)
        # By sketch line, what ends with a note: behind lines that go, or before some, which must follow.
        self.settled, self.pending = [self._never], [self._never]
        layers[Layer.GONE] = self._gone(start + scores.turns[Layer.EDGE, Layer.GONE], 0)
        layers[Layer.LEAP] = self._leap(start + scores.turns[Layer.EDGE, Layer.LEAP], 0)
        self.rows = [ring.stacked(layers)]
        for i in range(m):
            self.rows.append(ring.stacked(self._row(i, start if i == 0 else None)))

    @property
    def total(self) -> Any:
        """The score of all paths together."""
        turns, ends = self.scores.turns, self.rows[-1]
        total = ends[0][..., -1] + turns[0, Layer.EDGE]
        for layer in range(1, 6):
            total = self.ring.plus(total, ends[layer][..., -1] + turns[layer, Layer.EDGE])
        return total

    def _row(self, i: int, start: Row | None) -> list[Row]:
        """The layers behind sketch line i."""
        scores, ring, turns = self.scores, self.ring, self.scores.turns
        match, new = ring.reached(self.rows[-1], self._turned)
        for layer in SHOWN if len(self._below) else ():
            passed = self.rows[-1][layer][..., self.above[self._below]] + turns[layer, Layer.MATCH]
            match[..., self._below] = ring.plus(match[..., self._below], passed)
        if start is not None:
            match = ring.plus(match, start + turns[Layer.EDGE, Layer.MATCH])
            new = ring.plus(new, start + turns[Layer.EDGE, Layer.NEW])
        match, new = ring.shifted(match + scores.match[i]), new + scores.new[i]
        mark = keep = settled = pending = self._never
        into = match + turns[Layer.MATCH, Layer.GONE]
        out = ring.plus(match + turns[Layer.MATCH, Layer.LEAP], new + turns[Layer.NEW, Layer.LEAP])
        if _may_be(scores.mark[i]) or _may_be(scores.note[i]):
            mark, settled, pending = self._silent(i, start)
            keep = self._run(mark + scores.begin[i], ring.cumsum(scores.keep[i]))
            into = ring.plus(into, mark + turns[Layer.MARK, Layer.GONE])
            into = ring.plus(into, keep + turns[Layer.KEEP, Layer.GONE])
            into = ring.plus(into, ring.plus(settled, pending))
            out = ring.plus(out, keep + turns[Layer.KEEP, Layer.LEAP] + scores.onward[i])
        self.settled.append(settled)
        self.pending.append(pending)
        gone = self._gone(into, i + 1)
        if settled is not self._never:
            gone = ring.plus(gone, settled)
        if _may_be(scores.ended[i + 1]):
            out = ring.plus(out, gone + turns[Layer.GONE, Layer.LEAP] + scores.ended[i + 1])
        return [match, new, gone, mark, keep, self._leap(out, i + 1)]

    def _silent(self, i: int, start: Row | None) -> tuple[Row, Row, Row]:
        """Behind sketch line i as a marker, as a note of lines that went and as one of lines that go."""
        scores, ring, turns = self.scores, self.ring, self.scores.turns
        above = self.rows[-1]
        came = [above[before] + turns[before, Layer.MARK] for before in NOTED]
        others = reduce(ring.plus, came if start is None else [start + turns[Layer.EDGE, Layer.MARK], *came])
        behind_gone = above[Layer.GONE] + turns[Layer.GONE, Layer.MARK]
        return (
            ring.plus(others, behind_gone) + scores.mark[i],
            behind_gone + scores.note[i],
            # A note goes on in the comment below it.
            ring.plus(others, self.pending[-1]) + scores.note[i],
        )

    def _run(self, into: Row, costs: Row) -> Row:
        """Rows of one step or more along the file, begun anywhere; `costs` are those of the steps before a place."""
        return costs + self.ring.passed(into - costs)

    def _gone(self, into: Row, i: int) -> Row:
        scores = self.scores
        return self._run(into + scores.cut, self.went[i]) + scores.join

    def _leap(self, into: Row, i: int) -> Row:
        into = into + self.scores.leap[i] + self.scores.enter[i]
        return self._run(into, self.stayed[i]) + self.scores.leave


def _may_be(score: Any) -> bool:
    """Whether a step with this score is not ruled out; for several cases at once, whether in any of them."""
    return bool((score > NEVER / 2).any())


class PathStep(NamedTuple):
    """One step of a path: its layer, the sketch line that it consumes, None for none, and the file lines: at most one,
    but for a run of lines that stay."""

    layer: Layer
    sketch: int | None
    lines: range = range(0)

    @property
    def file(self) -> int | None:
        """The first file line that it consumes."""
        return self.lines.start if self.lines else None


def singly(path: Sequence[PathStep]) -> list[PathStep]:
    """The path with a step for each file line."""
    return [
        one
        for step in path
        for one in ([step._replace(lines=range(row, row + 1)) for row in step.lines] or [step])
    ]
