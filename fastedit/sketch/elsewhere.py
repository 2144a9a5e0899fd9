"""Changes of which nothing tells where they belong but lines that the file has elsewhere as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from fastedit.sketch.lattice import HIDES, Layer, PathStep
from fastedit.sketch.reading import Outline

_MARKS = frozenset((Layer.MARK, Layer.KEEP))


class _Piece(NamedTuple):
    """Steps over lines that are shown, or that go, between two that are hidden; whether a marker is next to it."""

    steps: list[PathStep]
    marked: bool


class Elsewhere:
    """Where a file has the same lines again."""

    def __init__(self, file: Outline, sketch: Outline) -> None:
        self._file, self._sketch = file, sketch

    def may_hold(self, inked: Sequence[PathStep]) -> bool:
        """Whether a piece without a marker changes something next to lines that stand elsewhere in the same order,
        where no block that is shown around it rules that out. `inked` are a path's
        steps over lines that are not blank."""
        place = {step.sketch: step.lines.start for step in inked if step.layer is Layer.MATCH}
        for piece in _pieces(inked):
            shown = [] if piece.marked or not self._changes(piece) else self._shown(piece)
            if shown and self._again([row for _, row in shown], self._within(shown, place)):
                return True
        return False

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
