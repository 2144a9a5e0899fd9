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

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from functools import partial, reduce
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

    def stacked(self, layers: Sequence[Row]) -> Any:
        """The six layers behind a sketch line, as `reached` takes them."""
        ...

    def turned(self, turns: Any) -> Any:
        """What `reached` takes of the scores of changes of layer."""
        ...

    def reached(self, layers: Any, turned: Any) -> Sequence[Row]:
        """From any layer, the scores of going on to MATCH and to NEW."""
        ...

    def running(self, row: Row) -> Row: ...

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
    """All paths count: the logarithm of the sum of their weights."""

    def plus(self, one: Row, other: Row) -> Row:
        return np.logaddexp(one, other)

    def stacked(self, layers: Sequence[Row]) -> Any:
        return np.array(layers)

    def turned(self, turns: Any) -> Any:
        return np.exp(turns[: len(_STEPS), [Layer.MATCH, Layer.NEW]].T)

    def reached(self, layers: Any, turned: Any) -> Any:
        # Sums of weights in place of logarithms, which numpy takes one by one. Every layer goes on to both, so that
        # what is too small beside the likeliest layer to have a weight adds nothing.
        most = layers.max(axis=0)
        return np.log(turned @ np.exp(layers - most)) + most

    def running(self, row: Row) -> Row:
        return np.logaddexp.accumulate(row)

    def cumsum(self, row: Row) -> Row:
        return self.cumsums(row)

    def cumsums(self, rows: Any) -> Any:
        sums = np.zeros((*rows.shape[:-1], rows.shape[-1] + 1))
        np.cumsum(rows, axis=-1, out=sums[..., 1:])
        return sums

    def shifted(self, row: Row) -> Row:
        moved = np.empty_like(row)
        moved[0] = NEVER
        moved[1:] = row[:-1]
        return moved

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

    def turned(self, turns: Any) -> Any:
        return turns[: len(_STEPS), [Layer.MATCH, Layer.NEW]].T[:, :, None]

    def reached(self, layers: Any, turned: Any) -> Any:
        return (layers + turned).max(axis=1)

    def running(self, row: Row) -> Row:
        return np.maximum.accumulate(row)


@dataclass(frozen=True, slots=True)
class Scores:
    """What each step adds, for m sketch lines and n file lines.

    `match` [m, n + 1] (its last column is of no line), `new` [m, n + 1] (at which place of the file), `gone` [m + 1, n]
    (before which sketch line), `mark` and `note` [m] (a note is neither code nor marker: a comment that tells what is
    gone), `begin` [m, n + 1] (where what stays under a marker begins), `keep` [m, n] (under which marker), `onward` [m]
    (where what stays under a marker ends in a LEAP), `stay` [n] (in a leap). Where a LEAP begins before sketch line i
    and file line j `leap` [m + 1] and `enter` [n + 1] are added, where it ends `leave` [n + 1]; where a run of GONE
    begins `cut` [n + 1], where it ends `join` [n + 1]. For each change of layer `turns` [7, 7] is added, from the row's
    to the column's.
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
    leave: Any
    cut: Any
    join: Any
    turns: Any

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
        stay=np.add.reduceat(scores.stay, starts),
        enter=scores.enter[places],
        leave=scores.leave[places],
        cut=scores.cut[places],
        join=scores.join[places],
    )


def spread(path: Sequence[Step], places: Any) -> list[Step]:
    """A path of squeezed scores as one of the file's own lines."""
    at = places.tolist()
    return [step._replace(lines=range(at[step.lines.start], at[step.lines.stop])) for step in path]


_STEPS = (Layer.MATCH, Layer.NEW, Layer.GONE, Layer.MARK, Layer.KEEP, Layer.LEAP)
_GONE_FROM = (Layer.MATCH, Layer.MARK, Layer.KEEP)
_NOTED = (
    Layer.MATCH,
    Layer.NEW,
    Layer.MARK,
    Layer.KEEP,
)  # behind what a note may come that tells of what is below it
_INTO = {
    Layer.MATCH: _STEPS,
    Layer.NEW: _STEPS,
    Layer.MARK: (Layer.MATCH, Layer.NEW, Layer.GONE, Layer.MARK, Layer.KEEP),
    Layer.GONE: _GONE_FROM,
    Layer.LEAP: (Layer.MATCH, Layer.NEW, Layer.KEEP),
}


class Lattice:
    """All paths of one sketch and one file: `rows[i][layer]` holds the score of having consumed i sketch lines and,
    by its place, so many file lines."""

    def __init__(self, scores: Scores, ring: Ring) -> None:
        self.scores, self._ring = scores, ring
        m, n = scores.shape
        self._stayed = ring.cumsum(scores.stay)
        self._went = ring.cumsums(scores.gone)
        self._turned = ring.turned(scores.turns)
        self._never = ring.never(n + 1)
        start = ring.start(n + 1)
        layers = [self._never] * len(_STEPS)
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
            total = self._ring.plus(total, ends[layer][..., -1] + turns[layer, Layer.EDGE])
        return total

    def _row(self, i: int, start: Row | None) -> list[Row]:
        """The layers behind sketch line i."""
        scores, ring, turns = self.scores, self._ring, self.scores.turns
        match, new = ring.reached(self.rows[-1], self._turned)
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
        return [match, new, gone, mark, keep, self._leap(out, i + 1)]

    def _silent(self, i: int, start: Row | None) -> tuple[Row, Row, Row]:
        """Behind sketch line i as a marker, as a note of lines that went and as one of lines that go."""
        scores, ring, turns = self.scores, self._ring, self.scores.turns
        above = self.rows[-1]
        came = [above[before] + turns[before, Layer.MARK] for before in _NOTED]
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
        return costs + self._ring.shifted(self._ring.running(into - costs))

    def _gone(self, into: Row, i: int) -> Row:
        scores = self.scores
        return self._run(into + scores.cut, self._went[i]) + scores.join

    def _leap(self, into: Row, i: int) -> Row:
        return self._run(into + self.scores.leap[i] + self.scores.enter, self._stayed) + self.scores.leave


def _may_be(score: Any) -> bool:
    """Whether a step with this score is not ruled out; for several cases at once, whether in any of them."""
    return bool((score > NEVER / 2).any())


class Step(NamedTuple):
    """One step of a path: its layer, the sketch line that it consumes, None for none, and the file lines: at most one,
    but for a run of lines that stay."""

    layer: Layer
    sketch: int | None
    lines: range = range(0)

    @property
    def file(self) -> int | None:
        """The first file line that it consumes."""
        return self.lines.start if self.lines else None


def singly(path: Sequence[Step]) -> list[Step]:
    """The path with a step for each file line."""
    return [
        one
        for step in path
        for one in ([step._replace(lines=range(row, row + 1)) for row in step.lines] or [step])
    ]


Options = Callable[[], Any]  # the scores of what may be chosen
# A choice among the options, which are those of one place of the lattice.
Pick = Callable[[Hashable, Options], int]


def likeliest(_: Hashable, options: Options) -> int:
    return int(np.argmax(options()))


def sampler(rng: np.random.Generator) -> Pick:
    """Picks by weight, on one lattice: paths meet at the same places again and again, so their weights are kept."""
    known: dict[Hashable, Any] = {}

    def pick(place: Hashable, options: Options) -> int:
        if (weights := known.get(place)) is None:
            scores = options()
            weights = known[place] = np.cumsum(np.exp(scores - scores.max()))
        return int(weights.searchsorted(rng.random() * weights[-1]))

    return pick


def trace(lattice: Lattice, pick: Pick) -> list[Step]:
    """A path, chosen backwards from the end: the likeliest on a lattice of `Best`, a sample on one of `Sums`."""
    return list(_backwards(lattice, pick))[::-1]


def _backwards(lattice: Lattice, pick: Pick) -> Iterator[Step]:
    scores, rows, turns = lattice.scores, lattice.rows, lattice.scores.turns
    m, n = scores.shape
    i, j = m, n

    def ends() -> Any:
        return np.array([rows[m][layer][n] + turns[layer, Layer.EDGE] for layer in range(6)])

    layer = Layer(pick("end", ends))
    while layer is not Layer.EDGE:
        if layer is Layer.KEEP:
            at = pick((layer, i, j), partial(_keep_options, lattice, i, j))
            yield Step(layer, None, range(at, j))
            j, layer = at, Layer.MARK
        elif layer is Layer.LEAP:
            at = pick((layer, i, j), partial(_leap_options, lattice, i, j))
            yield Step(layer, None, range(at, j))
            j = at
            layer = Layer.EDGE if i == 0 else _before_leap(lattice, i, j, pick)
        elif layer is Layer.GONE:
            at, note = _gone_from(lattice, i, j, pick)
            if at < j:
                yield Step(layer, None, range(at, j))
            j = at
            if note is _Note.NONE:
                layer = _before(lattice, i, j, Layer.GONE, _GONE_FROM, pick)
            elif note is _Note.SETTLED:
                i -= 1
                yield Step(layer, i)
            else:
                more = True
                while more:
                    i -= 1
                    yield Step(layer, i)
                    more = _goes_on(lattice, i, j, pick)
                layer = _before(lattice, i, j, Layer.MARK, _NOTED, pick)
        else:
            before = j - (layer is Layer.MATCH)
            yield Step(layer, i - 1, range(before, j))
            i, j = i - 1, before
            layer = _before(lattice, i, j, layer, _INTO[layer], pick)


def _goes_on(lattice: Lattice, i: int, j: int, pick: Pick) -> bool:
    """Whether the note below sketch line i goes on from a note there."""

    def options() -> Any:
        turns, row = lattice.scores.turns, lattice.rows[i]
        others = [row[before][j] + turns[before, Layer.MARK] for before in _NOTED]
        if i == 0:
            others.append((0.0 if j == 0 else NEVER) + turns[Layer.EDGE, Layer.MARK])
        return np.array([reduce(lattice._ring.plus, others), lattice.pending[i][j]])

    return pick(("note", i, j), options) == 1


def _before(lattice: Lattice, i: int, j: int, layer: Layer, via: Sequence[Layer], pick: Pick) -> Layer:
    """The layer in which (i, j) was left for `layer`."""

    def options() -> Any:
        turns = lattice.scores.turns
        found = [lattice.rows[i][before][j] + turns[before, layer] for before in via]
        if i == 0:
            found.append((0.0 if j == 0 else NEVER) + turns[Layer.EDGE, layer])
        return np.array(found)

    chosen = pick(("before", layer, via, i, j), options)
    return via[chosen] if chosen < len(via) else Layer.EDGE


def _keep_options(lattice: Lattice, i: int, j: int) -> Any:
    """For each place before j the score of lines that stay from there to j, under the marker above sketch line i."""
    scores = lattice.scores
    kept = lattice._ring.cumsum(scores.keep[i - 1][: j - 1])
    return lattice.rows[i][Layer.MARK][:j] + scores.begin[i - 1][:j] - kept


def _before_leap(lattice: Lattice, i: int, j: int, pick: Pick) -> Layer:
    """The layer in which (i, j) was left for a LEAP."""
    chosen = pick(("leap", i, j), lambda: np.array([row[j] for row in _into_leap(lattice, i)]))
    return _INTO[Layer.LEAP][chosen]


def _leap_options(lattice: Lattice, i: int, j: int) -> Any:
    """For each place before j the score of a LEAP that began there and ends at j."""
    scores, turns = lattice.scores, lattice.scores.turns
    if i == 0:
        into = np.full(j, NEVER)
        into[0] = turns[Layer.EDGE, Layer.LEAP]
    else:
        into = reduce(lattice._ring.plus, _into_leap(lattice, i))[:j]
    return into + scores.enter[:j] - lattice._stayed[:j]


def _into_leap(lattice: Lattice, i: int) -> list[Any]:
    """The rows from which a LEAP behind i sketch lines begins, in the order of `_INTO`."""
    scores, here = lattice.scores, lattice.rows[i]
    return [
        here[layer] + scores.turns[layer, Layer.LEAP] + (scores.onward[i - 1] if layer is Layer.KEEP else 0.0)
        for layer in _INTO[Layer.LEAP]
    ]


class _Note(Enum):
    """The note, if any, that lines which go come behind, or that stands behind them."""

    NONE = 0
    PENDING = 1
    SETTLED = 2


def _gone_from(lattice: Lattice, i: int, j: int, pick: Pick) -> tuple[int, _Note]:
    """Where the lines that go up to j begin, j for none, and the note above them."""
    chosen = pick((Layer.GONE, i, j), partial(_gone_options, lattice, i, j))
    note, at = divmod(chosen, j) if j else (_Note.SETTLED.value + 1, 0)
    return (j, _Note.SETTLED) if note > _Note.SETTLED.value else (at, _Note(note))


def _gone_options(lattice: Lattice, i: int, j: int) -> Any:
    """For each place before j the score of lines that go from there to j, behind none of the notes, behind a pending
    one, behind a settled one; last, the score of a settled note at j."""
    scores, ring, here = lattice.scores, lattice._ring, lattice.rows[i]
    into = ring.never(j + 1)
    for before in _GONE_FROM:
        into = ring.plus(into, here[before][: j + 1] + scores.turns[before, Layer.GONE])
    if i == 0:
        into[0] = ring.plus(into[:1], np.array([scores.turns[Layer.EDGE, Layer.GONE]]))[0]
    pending, settled = lattice.pending[i][: j + 1], lattice.settled[i][: j + 1]
    costs = lattice._went[i]
    runs = scores.cut[:j] - costs[:j] + costs[j] + scores.join[j]
    return np.concatenate((into[:j] + runs, pending[:j] + runs, settled[:j] + runs, settled[j:]))
