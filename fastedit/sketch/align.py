"""A sketch laid onto a file: the likeliest text, and how likely it or any other is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
from math import exp
from typing import Any

import numpy as np

from fastedit.sketch.candidate import TextCandidate
from fastedit.sketch.features.reader import FeatureReader
from fastedit.sketch.paths.fitted import fitted
from fastedit.sketch.paths.lattice import NEVER, Best, Lattice, Layer, PathStep, Scores, Sums, squeezed
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.paths.walks import likeliest, trace
from fastedit.sketch.paths.weights import APART, MATCH, Features, SketchWeights, scores
from fastedit.sketch.read.reading import BLANK, Outline
from fastedit.sketch.read.wording import Wording
from fastedit.sketch.rivals.base import Laid
from fastedit.sketch.rivals.paired import Opened
from fastedit.sketch.text.merge import Writer
from fastedit.sketch.text.writings import Flags, LineChange, StepFlags, said, steps_that_write
from fastedit.source.update import Update

_AT_ONCE = 200_000  # pairs of lines in as many lattices as run at once
_LONG = 400  # lines of a file


@cache
def shipped() -> SketchWeights:
    """The weights that were fitted."""
    return SketchWeights(fitted()["weights"], Wording(**fitted()["words"]))


class Alignment:
    """All ways to lay a sketch onto a file."""

    def __init__(
        self, lines: Sequence[str], update: Update, weights: SketchWeights | None = None, long: int = _LONG
    ) -> None:
        """Of more than `long` lines most places are left out."""
        self.file = Outline(lines, language=update.language)
        weights = weights or shipped()
        reader = FeatureReader(self.file, update, weights.wording)
        self.sketch = reader.sketch
        told = reader.comments
        self.removing, self.says, self.abbreviating = told.telling, told.says, told.abbreviating
        self.headings, self.leading, self.of_edit = told.headings, told.leading, told.of_edit
        self.places = reader.telling_places() if len(lines) > long else None
        self.features: Features = reader.features(self.places)
        self._writer = Writer(self.file, self.sketch)
        given = replace(scores(self.features, weights), blank=self.file.inks == BLANK)
        self.scores = given if self.places is None else squeezed(given, self.places)
        self.relaid = Relaid(given, self.places)
        self.sums = Lattice(self.scores, Sums())

    def best(self) -> TextCandidate:
        """The text of the likeliest path."""
        found = self.candidate(self.relaid.spread(trace(Lattice(self.scores, Best()), likeliest)))
        return replace(found, only_blanks=_differ_in_blanks(found.text.lines, self.file.texts))

    def written(self, path: Sequence[PathStep], posterior: float) -> TextCandidate:
        """The text of a path with this posterior."""
        return TextCandidate(self._writer.write(path), posterior, tuple(path), named_gone=self.named_gone)

    def identity(self, path: Sequence[PathStep]) -> int:
        """A number that is the same for all paths whose texts are the same, blank lines aside."""
        return self._writer.identity(path)

    @cached_property
    def named_gone(self) -> frozenset[int]:
        """The lines of the file that comments of the sketch say by name are gone."""
        return frozenset(np.nonzero(self.features.goes)[0].tolist())

    @cached_property
    def apart(self) -> frozenset[tuple[int, int]]:
        """The lines of sketch and file that may be one, though the file's is in another block than the one shown."""
        rows, columns = self.features.pairs
        told = self.features.match[:, [MATCH.index(name) for name in APART]].any(axis=1)
        return frozenset(zip(rows[told].tolist(), columns[told].tolist(), strict=True))

    @cached_property
    def naming(self) -> frozenset[int]:
        """These comments."""
        return frozenset(np.nonzero(self.features.named)[0].tolist())

    def laid(self, path: Sequence[PathStep]) -> Laid:
        """A path as kinds of rivals look at it."""
        return Laid(self.file, self.sketch, path, self.leading)

    @cached_property
    def opened(self) -> Opened:
        """How many more brackets than the file each step leaves open."""
        return Opened.of(self.file, self.sketch, self._said)

    def otherwise(self, keeping: Iterable[tuple[int, str]], dropping: Iterable[int]) -> TextCandidate | None:
        """The likeliest text that keeps these lines of the file, or changed versions of them with the word beside each,
        and that has these others not as they are unless the sketch shows them. None where no path does."""
        kept = ((row, [word not in text for text in self.sketch.texts]) for row, word in keeping)
        path = self.relaid.keeping(kept, dropping)
        return None if path is None else self.candidate(path)

    def candidate(self, path: Sequence[PathStep]) -> TextCandidate:
        """The text of a path."""
        return self.candidates([path])[0]

    def candidates(self, paths: Sequence[Sequence[PathStep]]) -> list[TextCandidate]:
        """The texts of these paths. Their lattices run as one, but for long ones."""
        told = [self.written(path, 1.0) for path in paths]
        at_once = max(_AT_ONCE // self.scores.match.size, 1)
        totals: list[float] = []
        for first in range(0, len(told), at_once):
            steps = [self.steps(one) for one in told[first : first + at_once]]
            held = self._held_to(steps)
            totals += Lattice(held, Sums(len(steps))).total.tolist()
        every = float(self.sums.total)
        return [
            replace(one, posterior=min(1.0, exp(total - every)))
            for one, total in zip(told, totals, strict=True)
        ]

    def steps(self, candidate: TextCandidate) -> StepFlags:
        """The steps that write this text as its path tells it, blank lines aside."""
        text, features = candidate.text, self.features
        moved, moving = np.zeros(len(self.file.texts), dtype=bool), features.enclosed.copy()
        moved[list(text.moved)] = True
        moving[list(text.moving)] = list(text.moving.values())
        inked = list(filter(None, map(str.strip, candidate.text.laid)))
        changes = list(self.changes(candidate.path))
        return steps_that_write(inked, changes, self.file, self.sketch, features, self._said, moved, moving)

    @cached_property
    def _said(self) -> Flags:
        return said(self._writer, self.features)

    def _held_to(self, texts: Sequence[StepFlags]) -> Scores:
        """The scores with all other steps ruled out, a case for each of these texts."""
        given = self.scores
        if self.places is not None:
            texts = [steps.squeezed(self.places) for steps in texts]

        def held(scores: Any, flags: Iterable[Flags]) -> Any:
            return np.stack([np.where(may, scores, NEVER) for may in flags], axis=-2)

        silent = [steps.silent[:, None] for steps in texts]
        return replace(
            given,
            match=held(given.match, (steps.match for steps in texts)),
            new=held(given.new, (steps.new for steps in texts)),
            mark=held(given.mark[:, None], silent),
            note=held(given.note[:, None], silent),
            gone=held(given.gone, (steps.gone for steps in texts)),
            keep=held(given.keep, (steps.keep for steps in texts)),
            stay=held(given.stay, (steps.stay for steps in texts)),
        )

    def changes(self, path: Sequence[PathStep]) -> Iterator[LineChange]:
        """What a path changes of the file's lines with ink."""
        sketch = self.sketch
        start = at = first = last = 0
        for step in path:
            inked = self._ink_above[step.lines.stop] - self._ink_above[step.lines.start] if step.lines else 0
            stays = step.layer in (Layer.KEEP, Layer.LEAP) or (
                step.layer is Layer.MATCH and self._writer.stays(step.sketch, step.lines.start)
            )
            if stays and inked:
                if at > start or last > first:
                    yield LineChange(start, at, first, last)
                last += inked
                at += inked
                start, first = at, last
                continue
            at += inked
            if (
                step.layer in (Layer.NEW, Layer.MATCH)
                and step.sketch is not None
                and sketch.ink[step.sketch] != BLANK
            ):
                last += 1
        if at > start or last > first:
            yield LineChange(start, at, first, last)

    @cached_property
    def _ink_above(self) -> list[int]:
        """By place between lines of the file: how many lines above it hold ink."""
        return [0, *np.cumsum(self.file.inks != BLANK).tolist()]


def _differ_in_blanks(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether texts differ, and in nothing but blank lines."""
    return one != other and list(filter(str.strip, one)) == list(filter(str.strip, other))


def lay(lines: Sequence[str], update: Update) -> TextCandidate:
    """The likeliest text that a sketch means for these lines."""
    return Alignment(lines, update).best()
