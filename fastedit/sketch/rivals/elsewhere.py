"""Changes of which nothing tells where they belong but lines that the file has elsewhere as well, and places elsewhere
that a sketch would change which is laid where it changes nothing: nobody sends one for that."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import groupby, islice
from typing import Final, NamedTuple

from fastedit.sketch.paths.lattice import HIDES, Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.reading import FULL, Outline
from fastedit.sketch.rivals.base import MOST, Kind, Laid, Sign, once

WAS_THERE: Final = Sign("nothing changes, though another place differs in a line or two", -3.0)
_AGAIN: Final = Sign("a change could be at other lines that are the same", contests=False)
_MARKS = frozenset((Layer.MARK, Layer.KEEP))
_DIFFER = 2  # lines


class _Piece(NamedTuple):
    """Steps over lines that are shown, or that go, between two that are hidden; whether a marker is next to it."""

    steps: list[PathStep]
    marked: bool


def _told(laid: Laid) -> dict[str, float]:
    elsewhere = _elsewhere(laid.file, laid.sketch)
    again = {_AGAIN.name: 1.0} if elsewhere.may_hold(laid.inked) else {}
    return again | once(WAS_THERE, elsewhere.would_change(laid.inked))


def _where_it_changes(laid: Laid, relaid: Relaid) -> Iterator[list[PathStep] | None]:
    """The likeliest paths that lay a piece which changes nothing where it would."""
    places = _elsewhere(laid.file, laid.sketch).would_change(laid.inked)
    return map(relaid.laid_at, islice(places, MOST))


@lru_cache(maxsize=4)  # each reading asks it of the same two
def _elsewhere(file: Outline, sketch: Outline) -> _Elsewhere:
    return _Elsewhere(file, sketch)


class _Elsewhere:
    """Where a file has the same lines again."""

    def __init__(self, file: Outline, sketch: Outline) -> None:
        self._file, self._sketch = file, sketch

    def may_hold(self, inked: Sequence[PathStep]) -> bool:
        """Whether a piece without a marker changes something next to lines that stand elsewhere in the same order,
        where no block that is shown around it rules that out. `inked` are a path's steps over lines that are not
        blank."""
        place = {step.sketch: step.lines.start for step in inked if step.layer is Layer.MATCH}
        for piece in _pieces(inked):
            shown = [] if piece.marked or not self._changes(piece) else self._shown(piece)
            if shown and self._again([row for _, row in shown], self._within(shown, place)):
                return True
        return False

    def would_change(self, inked: Sequence[PathStep]) -> Iterator[dict[int, int]]:
        """For each piece of a path that changes nothing the other places that differ from it in a line or two: by line
        of the sketch that of the file. They stand between the pieces above and below, in the blocks that others show,
        and begin no definition of another name."""
        place = {step.sketch: step.lines.start for step in inked if step.layer is Layer.MATCH}
        pieces = list(_pieces(inked))
        if any(self._changes(piece) for piece in pieces):
            return
        above, last = 0, len(self._file.texts)
        for at, piece in enumerate(pieces):
            below = next((row for other in islice(pieces, at + 1, None) for row in _rows(other)), last)
            if shown := self._shown(piece):
                around = self._within(shown, place)
                between = range(max(around.start, above), min(around.stop, below))
                yield from self._nearly_again(shown, between)
            above = max((row + 1 for row in _rows(piece)), default=above)

    def _nearly_again(self, shown: list[tuple[int, int]], within: range) -> Iterator[dict[int, int]]:
        """Where these lines stand again within the file, but for some."""
        file = self._file
        telling = [at for at, (_, row) in enumerate(shown) if file.ink[row] == FULL]
        inked, own = file.inked, {row for _, row in shown}
        tried = set[int]()
        # All but so many lines are the same, so that one of the first is, which say something.
        for at in telling[: _DIFFER + 1]:
            for other in self._places.get(file.stripped[shown[at][1]], ()):
                first = bisect_left(inked, other) - at
                if first < 0 or first in tried:
                    continue
                tried.add(first)
                rows = inked[first : first + len(shown)]
                if (
                    len(rows) == len(shown)
                    and rows[0] in within
                    and rows[-1] in within
                    and own.isdisjoint(rows)
                ):
                    found = {line: row for (line, _), row in zip(shown, rows, strict=True)}
                    if self._differ_in_few(shown, rows, len(telling)):
                        yield found

    def _differ_in_few(self, shown: list[tuple[int, int]], rows: list[int], telling: int) -> bool:
        """Whether these lines are those that are shown, at the same depth to each other, but for one or two that give
        no definition another name: less than half of those that say something."""
        file, differ = self._file, 0
        deeper = file.widths[rows[0]] - file.widths[shown[0][1]]
        for (_, row), other in zip(shown, rows, strict=True):
            if file.widths[other] - file.widths[row] != deeper or file.heads.get(row) != file.heads.get(
                other
            ):
                return False
            differ += file.stripped[row] != file.stripped[other]
            if differ > _DIFFER:
                return False
        return 0 < 2 * differ < telling

    def _shown(self, piece: _Piece) -> list[tuple[int, int]]:
        """The lines of a piece that the file has as they are: of the sketch, and of the file."""
        return [
            (step.sketch, step.lines.start)
            for step in piece.steps
            if step.sketch is not None and step.layer is Layer.MATCH and not self._differs(step)
        ]

    def _changes(self, piece: _Piece) -> bool:
        return any(step.layer is not Layer.MATCH or self._differs(step) for step in piece.steps)

    def _differs(self, step: PathStep) -> bool:
        assert step.sketch is not None
        return self._sketch.stripped[step.sketch] != self._file.stripped[step.lines.start]

    def _within(self, shown: list[tuple[int, int]], place: dict[int | None, int]) -> range:
        """The lines of the file in the blocks around these, of which other pieces show the first lines."""
        rows = range(len(self._file.texts))
        own = {line for line, _ in shown}
        for opener in {self._sketch.parents[line] for line in own} - own:
            if (head := place.get(opener)) is not None:
                rows = range(max(rows.start, head + 1), min(rows.stop, self._file.block_end(head)))
        return rows

    def _again(self, rows: list[int], within: range) -> bool:
        """Whether the texts of these lines stand elsewhere within the file, as far from each other."""
        texts = self._file.stripped
        rarest = min(rows, key=lambda row: self._file.counts[texts[row]])
        return any(
            other != rarest
            and all(
                row - rarest + other in within and texts[row - rarest + other] == texts[row] for row in rows
            )
            for other in self._places.get(texts[rarest], ())
        )

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """The lines with each text that the file has several times."""
        found: dict[str, list[int]] = {}
        for row, text in enumerate(self._file.stripped):
            if self._file.counts[text] > 1:
                found.setdefault(text, []).append(row)
        return found


def _pieces(inked: Sequence[PathStep]) -> Iterator[_Piece]:
    marked, held = False, list[PathStep]()
    for hides, steps in groupby(inked, lambda step: step.layer in HIDES):
        run = list(steps)
        if not hides:
            held = run
            continue
        if held:
            yield _Piece(held, marked or run[0].layer in _MARKS)
        marked, held = run[-1].layer in _MARKS, []
    if held:
        yield _Piece(held, marked)


def _rows(piece: _Piece) -> Iterator[int]:
    return (row for step in piece.steps for row in step.lines)


ELSEWHERE: Final = Kind(
    "Does the update change nothing, or another place that differs in a line or two?",
    (WAS_THERE, _AGAIN),
    _told,
    _where_it_changes,
)
