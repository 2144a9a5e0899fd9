"""Paths of a lattice, chosen backwards from its end: the likeliest, or samples.

Paths meet at the same places again and again, so each place keeps what may be chosen there and where it leads.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from fastedit.sketch.paths.lattice import GONE_FROM, INTO, NEVER, NOTED, SHOWN, Lattice, Layer, PathStep

Choose = Callable[[], int]  # an index
Pick = Callable[[Any], Choose]  # by the scores of what may be chosen
Key = tuple[Any, ...]  # of a place: what is asked there, and where
Way = tuple[tuple[PathStep, ...], Key | None]  # backwards
_BLOCK = 1024  # random numbers drawn at once
_PENDING, _SETTLED, _LONE = (
    1,
    2,
    3,
)  # the note that lines which go come behind; a settled one without such lines


def likeliest(scores: Any) -> Choose:
    best = int(np.argmax(scores))
    return lambda: best


def sampler() -> Pick:
    """Picks by weight, by the same random numbers each time."""
    drawn = _drawn()

    def pick(scores: Any) -> Choose:
        weights = np.cumsum(np.exp(scores - scores.max())).tolist()
        every = weights[-1]
        return lambda: bisect_left(weights, next(drawn) * every)

    return pick


def _drawn() -> Iterator[float]:
    rng = np.random.default_rng(0)
    while True:
        yield from rng.random(_BLOCK).tolist()


@dataclass(eq=False, slots=True)
class _Place:
    choose: Choose
    on: Callable[[int], Way]
    edges: dict[int, Edge] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class Edge:
    """One choice at one place: the steps that it stands for, backwards, and where the next one is."""

    steps: tuple[PathStep, ...]
    place: _Place | None


def trace(lattice: Lattice, pick: Pick) -> list[PathStep]:
    """One path: the likeliest on a lattice of `Best`, a sample on one of `Sums`."""
    return steps_of(Walks(lattice, pick).walk())


def steps_of(walk: Sequence[Edge]) -> list[PathStep]:
    return [step for edge in walk for step in edge.steps][::-1]


class Walks:
    """The walks back from the end of a lattice."""

    def __init__(self, lattice: Lattice, pick: Pick) -> None:
        self._lattice, self._pick = lattice, pick
        self._places: dict[Key, _Place] = {}

    def walk(self) -> tuple[Edge, ...]:
        """One walk. Two of one path are equal."""
        found: list[Edge] = []
        place: _Place | None = self._place((Walks._end,))
        while place is not None:
            chosen = place.choose()
            edge = place.edges.get(chosen)
            if edge is None:
                steps, key = place.on(chosen)
                edge = place.edges[chosen] = Edge(steps, None if key is None else self._place(key))
            found.append(edge)
            place = edge.place
        return tuple(found)

    def _place(self, key: Key) -> _Place:
        if key not in self._places:
            asks, *where = key
            scores, on = asks(self, *where)
            self._places[key] = _Place(self._pick(scores), on)
        return self._places[key]

    def _in(self, layer: Layer, i: int, j: int) -> Way:
        """The way on from (i, j), which is in this layer."""
        if layer is Layer.EDGE:
            return (), None
        if layer is Layer.KEEP:
            return (), (Walks._keep, i, j)
        if layer is Layer.LEAP:
            return (), (Walks._leap, i, j)
        if layer is Layer.GONE:
            return (), (Walks._gone, i, j)
        above = j - (layer is Layer.MATCH)
        step = PathStep(layer, i - 1, range(above, j))
        return (step,), (Walks._before, i - 1, above, layer, INTO[layer])

    def _end(self) -> tuple[Any, Callable[[int], Way]]:
        rows, turns = self._lattice.rows, self._lattice.scores.turns
        m, n = self._lattice.scores.shape
        scores = np.array([rows[m][layer][n] + turns[layer, Layer.EDGE] for layer in range(6)])
        return scores, lambda chosen: self._in(Layer(chosen), m, n)

    def _before(self, i: int, j: int, layer: Layer, via: Sequence[Layer]) -> tuple[Any, Callable[[int], Way]]:
        """The layer in which (i, j) was left for `layer`."""
        rows, turns = self._lattice.rows, self._lattice.scores.turns
        above = int(self._lattice.above[j]) if layer is Layer.MATCH else j
        ways = [(before, j) for before in via] + [(before, above) for before in SHOWN if above < j]
        scores = [rows[i][before][at] + turns[before, layer] for before, at in ways]
        if i == 0:
            scores.append((0.0 if j == 0 else NEVER) + turns[Layer.EDGE, layer])
            ways.append((Layer.EDGE, j))

        def on(chosen: int) -> Way:
            before, at = ways[chosen]
            steps, key = self._in(before, i, at)
            return (PathStep(Layer.GONE, None, range(at, j)), *steps) if at < j else steps, key

        return np.array(scores), on

    def _keep(self, i: int, j: int) -> tuple[Any, Callable[[int], Way]]:
        """Where the lines begin that stay up to j, under the marker above sketch line i."""
        lattice, scores = self._lattice, self._lattice.scores
        kept = lattice.ring.cumsum(scores.keep[i - 1][: j - 1])

        def on(at: int) -> Way:
            steps, key = self._in(Layer.MARK, i, at)
            return (PathStep(Layer.KEEP, None, range(at, j)), *steps), key

        return lattice.rows[i][Layer.MARK][:j] + scores.begin[i - 1][:j] - kept, on

    def _leap(self, i: int, j: int) -> tuple[Any, Callable[[int], Way]]:
        """Where the LEAP begins that ends at j."""
        lattice, scores = self._lattice, self._lattice.scores
        if i == 0:
            into = np.full(j, NEVER)
            into[0] = scores.turns[Layer.EDGE, Layer.LEAP]
        else:
            into = reduce(lattice.ring.plus, self._into_leap(i))[:j]

        def on(at: int) -> Way:
            return (PathStep(Layer.LEAP, None, range(at, j)),), (Walks._before_leap, i, at) if i else None

        return into + scores.enter[i][:j] - lattice.stayed[i][:j], on

    def _before_leap(self, i: int, j: int) -> tuple[Any, Callable[[int], Way]]:
        """The layer in which (i, j) was left for a LEAP."""
        scores = np.array([row[j] for row in self._into_leap(i)])
        return scores, lambda chosen: self._in(INTO[Layer.LEAP][chosen], i, j)

    def _into_leap(self, i: int) -> list[Any]:
        """The rows from which a LEAP behind i sketch lines begins, in the order of `INTO`."""
        scores, here = self._lattice.scores, self._lattice.rows[i]
        also = {Layer.KEEP: scores.onward[i - 1], Layer.GONE: scores.ended[i]}
        return [
            here[layer] + scores.turns[layer, Layer.LEAP] + also.get(layer, 0.0) for layer in INTO[Layer.LEAP]
        ]

    def _gone(self, i: int, j: int) -> tuple[Any, Callable[[int], Way]]:
        """Where the lines begin that go up to j, behind none of the notes, behind a pending one, or behind a settled
        one; or a settled note at j."""
        lattice, scores, here = self._lattice, self._lattice.scores, self._lattice.rows[i]
        into = lattice.ring.never(j + 1)
        for before in GONE_FROM:
            into = lattice.ring.plus(into, here[before][: j + 1] + scores.turns[before, Layer.GONE])
        if i == 0:
            into[0] = lattice.ring.plus(into[:1], np.array([scores.turns[Layer.EDGE, Layer.GONE]]))[0]
        pending, settled = lattice.pending[i][: j + 1], lattice.settled[i][: j + 1]
        costs = lattice.went[i]
        runs = scores.cut[:j] - costs[:j] + costs[j] + scores.join[j]

        def on(chosen: int) -> Way:
            note, at = divmod(chosen, j) if j else (_LONE, 0)
            if note == _LONE:
                return (PathStep(Layer.GONE, i - 1),), (Walks._gone, i - 1, j)
            run = (PathStep(Layer.GONE, None, range(at, j)),)
            if note == _PENDING:
                return (*run, PathStep(Layer.GONE, i - 1)), (Walks._goes_on, i - 1, at)
            if note == _SETTLED:
                return (*run, PathStep(Layer.GONE, i - 1)), (Walks._gone, i - 1, at)
            return run, (Walks._before, i, at, Layer.GONE, GONE_FROM)

        return np.concatenate((into[:j] + runs, pending[:j] + runs, settled[:j] + runs, settled[j:])), on

    def _goes_on(self, i: int, j: int) -> tuple[Any, Callable[[int], Way]]:
        """Whether the note below sketch line i goes on from a note there."""
        lattice, turns, row = self._lattice, self._lattice.scores.turns, self._lattice.rows[i]
        others = [row[before][j] + turns[before, Layer.MARK] for before in NOTED]
        if i == 0:
            others.append((0.0 if j == 0 else NEVER) + turns[Layer.EDGE, Layer.MARK])

        def on(more: int) -> Way:
            if more:
                return (PathStep(Layer.GONE, i - 1),), (Walks._goes_on, i - 1, j)
            return (), (Walks._before, i, j, Layer.MARK, NOTED)

        return np.array([reduce(lattice.ring.plus, others), lattice.pending[i][j]]), on
