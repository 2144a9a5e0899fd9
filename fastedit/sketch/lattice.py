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

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
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


class Ring(Protocol):
    """How scores of several paths are put together, elementwise and along a row."""

    def plus(self, one: Row, other: Row) -> Row: ...

    def running(self, row: Row) -> Row: ...

    def cumsum(self, row: Row) -> Row: ...

    def shifted(self, row: Row) -> Row:
        """The row one place to the right: its last value goes, NEVER stands at its start."""
        ...

    def never(self, count: int) -> Row: ...

    def start(self, count: int) -> Row:
        """NEVER but for a score of 0 at place 0."""
        ...


class Sums:
    """All paths count: the logarithm of the sum of their weights."""

    def plus(self, one: Row, other: Row) -> Row:
        return np.logaddexp(one, other)

    def running(self, row: Row) -> Row:
        return np.logaddexp.accumulate(row)

    def cumsum(self, row: Row) -> Row:
        return np.concatenate(([0.0], np.cumsum(row)))

    def shifted(self, row: Row) -> Row:
        return np.concatenate(([NEVER], row[:-1]))

    def never(self, count: int) -> Row:
        return np.full(count, NEVER)

    def start(self, count: int) -> Row:
        row = self.never(count)
        row[0] = 0.0
        return row


class Best(Sums):
    """The likeliest path alone counts."""

    def plus(self, one: Row, other: Row) -> Row:
        return np.maximum(one, other)

    def running(self, row: Row) -> Row:
        return np.maximum.accumulate(row)


@dataclass(frozen=True, slots=True)
class Scores:
    """What each step adds, for m sketch lines and n file lines.

    `match` [m, n + 1] (its last column is of no line), `new` [m, n + 1] (at which place of the file), `gone` [m + 1, n]
    (before which sketch line), `mark` and `note` [m] (a note is neither code nor marker: a comment that tells what is
    gone), `keep` [m, n] (under which marker), `stay` [n] (in a leap). Where a LEAP begins before sketch line i and file
    line j, `leap` [m + 1] and `enter` [n + 1] are added, where it ends `leave`
    [n + 1]. `turns` [7, 7] is added for each change of layer, from the row's to the column's.
    """

    match: Any
    new: Any
    gone: Any
    mark: Any
    note: Any
    keep: Any
    stay: Any
    leap: Any
    enter: Any
    leave: Any
    turns: Any

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.new.shape[0]), int(self.new.shape[-1]) - 1


_INTO = {
    Layer.MATCH: (Layer.MATCH, Layer.NEW, Layer.GONE, Layer.MARK, Layer.KEEP, Layer.LEAP),
    Layer.NEW: (Layer.MATCH, Layer.NEW, Layer.GONE, Layer.MARK, Layer.KEEP, Layer.LEAP),
    Layer.MARK: (Layer.MATCH, Layer.NEW, Layer.GONE, Layer.MARK, Layer.KEEP),
    Layer.GONE: (Layer.MATCH, Layer.MARK, Layer.KEEP),
    Layer.LEAP: (Layer.MATCH, Layer.NEW),
}


class Lattice:
    """All paths of one sketch and one file: `rows[i][layer]` holds the score of having consumed i sketch lines and,
    by its place, so many file lines."""

    def __init__(self, scores: Scores, ring: Ring) -> None:
        self.scores, self._ring = scores, ring
        m, n = scores.shape
        self._stayed = ring.cumsum(scores.stay)
        start = ring.start(n + 1)
        layers = [ring.never(n + 1) for _ in range(6)]
        layers[Layer.GONE] = self._run(
            start + scores.turns[Layer.EDGE, Layer.GONE], ring.cumsum(scores.gone[0])
        )
        layers[Layer.LEAP] = self._leap(start + scores.turns[Layer.EDGE, Layer.LEAP], 0)
        self.rows = [layers]
        for i in range(m):
            layers = self._row(i, start if i == 0 else None)
            self.rows.append(layers)

    @property
    def total(self) -> Any:
        """The score of all paths together."""
        turns, ends = self.scores.turns, self.rows[-1]
        total = ends[0][..., -1] + turns[0, Layer.EDGE]
        for layer in range(1, 6):
            total = self._ring.plus(total, ends[layer][..., -1] + turns[layer, Layer.EDGE])
        return total

    def _row(self, i: int, start: Row | None) -> list[Row]:
        """The layers behind sketch line i."""
        scores, ring, turns = self.scores, self._ring, self.scores.turns
        above = self.rows[-1]

        def reached(layer: Layer, via: Layer | None = None) -> Row:
            row = None if start is None else start + turns[Layer.EDGE, layer]
            for before in _INTO[via or layer]:
                came = above[before] + turns[before, layer]
                row = came if row is None else ring.plus(row, came)
            return row

        match = ring.shifted(reached(Layer.MATCH) + scores.match[i])
        new = reached(Layer.NEW) + scores.new[i]
        mark = reached(Layer.MARK) + scores.mark[i]
        noted = reached(Layer.MARK) + scores.note[i]
        keep = self._run(mark, ring.cumsum(scores.keep[i]))
        into = ring.plus(match + turns[Layer.MATCH, Layer.GONE], mark + turns[Layer.MARK, Layer.GONE])
        into = ring.plus(into, keep + turns[Layer.KEEP, Layer.GONE])
        gone = self._run(ring.plus(into, noted), ring.cumsum(scores.gone[i + 1]))
        out = ring.plus(match + turns[Layer.MATCH, Layer.LEAP], new + turns[Layer.NEW, Layer.LEAP])
        return [match, new, ring.plus(gone, noted), mark, keep, self._leap(out, i + 1)]

    def _run(self, into: Row, costs: Row) -> Row:
        """Rows of one step or more along the file, begun anywhere; `costs` are those of the steps before a place."""
        return costs + self._ring.shifted(self._ring.running(into - costs))

    def _leap(self, into: Row, i: int) -> Row:
        return self._run(into + self.scores.leap[i] + self.scores.enter, self._stayed) + self.scores.leave


class Step(NamedTuple):
    """One step of a path: its layer, and the sketch and file line that it consumes, None for one it does not."""

    layer: Layer
    sketch: int | None
    file: int | None


Pick = Callable[[Any], int]


def likeliest(options: Any) -> int:
    return int(np.argmax(options))


def sampler(rng: np.random.Generator) -> Pick:
    """Picks by weight."""

    def pick(options: Any) -> int:
        weights = np.cumsum(np.exp(options - np.max(options)))
        return int(np.searchsorted(weights, rng.random() * weights[-1]))

    return pick


def trace(lattice: Lattice, pick: Pick) -> list[Step]:
    """A path, chosen backwards from the end: the likeliest on a lattice of `Best`, a sample on one of `Sums`."""
    return list(_backwards(lattice, pick))[::-1]


def _backwards(lattice: Lattice, pick: Pick) -> Iterator[Step]:
    scores, rows, turns = lattice.scores, lattice.rows, lattice.scores.turns
    m, n = scores.shape
    i, j = m, n
    layer = Layer(pick(np.array([rows[m][layer][n] + turns[layer, Layer.EDGE] for layer in range(6)])))
    while layer is not Layer.EDGE:
        here = rows[i]
        if layer is Layer.KEEP:
            yield Step(layer, None, j - 1)
            ways = (here[Layer.MARK][j - 1], here[Layer.KEEP][j - 1])
            j -= 1
            layer = (Layer.MARK, Layer.KEEP)[pick(np.array(ways))]
        elif layer is Layer.LEAP:
            begun = _leap_options(lattice, i, j)
            at = pick(begun)
            yield from (Step(layer, None, row) for row in range(j - 1, at - 1, -1))
            j = at
            if i == 0:
                layer = Layer.EDGE
            else:
                options = [here[x][j] + turns[x, Layer.LEAP] for x in (Layer.MATCH, Layer.NEW)]
                layer = (Layer.MATCH, Layer.NEW)[pick(np.array(options))]
        elif layer is Layer.GONE:
            i, j, layer, gone = _gone_before(lattice, i, j, pick)
            yield gone
        else:
            yield Step(layer, i - 1, j - 1 if layer is Layer.MATCH else None)
            i, j = i - 1, j - (layer is Layer.MATCH)
            layer = _before(lattice, i, j, layer, layer, pick)


def _before(lattice: Lattice, i: int, j: int, layer: Layer, via: Layer, pick: Pick) -> Layer:
    """The layer in which (i, j) was left for `layer`."""
    turns, befores = lattice.scores.turns, list(_INTO[via])
    options = [lattice.rows[i][before][j] + turns[before, layer] for before in befores]
    if i == 0:
        befores.append(Layer.EDGE)
        options.append((0.0 if j == 0 else NEVER) + turns[Layer.EDGE, layer])
    return befores[pick(np.array(options))]


def _leap_options(lattice: Lattice, i: int, j: int) -> Any:
    """For each place before j the score of a LEAP that began there and ends at j."""
    scores, here, turns = lattice.scores, lattice.rows[i], lattice.scores.turns
    if i == 0:
        into = np.full(j, NEVER)
        into[0] = turns[Layer.EDGE, Layer.LEAP]
    else:
        ways = [here[x][:j] + turns[x, Layer.LEAP] for x in (Layer.MATCH, Layer.NEW)]
        into = lattice._ring.plus(*ways)
    return into + scores.enter[:j] - lattice._stayed[:j]


def _gone_before(lattice: Lattice, i: int, j: int, pick: Pick) -> tuple[int, int, Layer, Step]:
    """What came before GONE at (i, j): a line that went, or the note that said so."""
    scores, turns = lattice.scores, lattice.scores.turns
    ways: list[tuple[float, int, int, Layer, Step]] = []
    if j > 0:
        here, cost = lattice.rows[i], scores.gone[i][j - 1]
        step = Step(Layer.GONE, None, j - 1)
        ways.append((here[Layer.GONE][j - 1] + cost, i, j - 1, Layer.GONE, step))
        for x in (Layer.MATCH, Layer.MARK, Layer.KEEP):
            ways.append((here[x][j - 1] + turns[x, Layer.GONE] + cost, i, j - 1, x, step))
        if i == 0 and j == 1:
            ways.append((turns[Layer.EDGE, Layer.GONE] + cost, 0, 0, Layer.EDGE, step))
    if i > 0:
        befores: list[Layer] = list(_INTO[Layer.MARK])
        above = lattice.rows[i - 1]
        for x in befores:
            ways.append(
                (
                    above[x][j] + turns[x, Layer.MARK] + scores.note[i - 1],
                    i - 1,
                    j,
                    x,
                    Step(Layer.GONE, i - 1, None),
                )
            )
        if i == 1:
            edge = (0.0 if j == 0 else NEVER) + turns[Layer.EDGE, Layer.MARK] + scores.note[0]
            ways.append((edge, 0, 0, Layer.EDGE, Step(Layer.GONE, 0, None)))
    _, i, j, layer, step = ways[pick(np.array([way[0] for way in ways]))]
    return i, j, layer, step
