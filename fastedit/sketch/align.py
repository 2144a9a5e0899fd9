"""A sketch laid onto a file: the likeliest text, how likely it is, and what else it may mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from json import loads
from math import exp
from pathlib import Path

import numpy as np

from fastedit.edit.update import Update
from fastedit.sketch.features import Features, Reader, Weights, scores
from fastedit.sketch.lattice import NEVER, Best, Lattice, Layer, Scores, Step, Sums, likeliest, sampler, trace
from fastedit.sketch.merge import Text, Writer
from fastedit.sketch.reading import BARE, BLANK, Outline
from fastedit.sketch.writings import Change, writings

SURE = 0.97  # the least posterior of a text that is delivered: see docs/merge.md
AMBIGUOUS = "the update fits in more than one way"
_SAMPLES = 12


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that the sketch may mean, blank lines aside, with its posterior."""

    text: Text
    posterior: float
    path: tuple[Step, ...]

    def anchored(self, alignment: Alignment) -> bool:
        """Whether any line of the sketch that says something was found in the file."""
        return any(
            step.layer is Layer.MATCH and alignment.file.ink[step.file or 0] > BARE for step in self.path
        )


@cache
def shipped() -> Weights:
    """The weights beside this module, made by `fastedit train merge`."""
    return Weights(loads(Path(__file__).with_name("weights.json").read_text("utf-8"))["weights"])


class Alignment:
    """All ways to lay a sketch onto a file."""

    def __init__(self, lines: Sequence[str], update: Update, weights: Weights | None = None) -> None:
        self.file = Outline(lines)
        self._reader = Reader(self.file, update)
        self.sketch = self._reader.sketch
        self.features: Features = self._reader.features()
        self._scores = scores(self.features, weights or shipped())
        self._writer = Writer(self.file, self.sketch)
        self._sums = Lattice(self._scores, Sums())

    def best(self) -> Candidate:
        """The text of the likeliest path."""
        path = trace(Lattice(self._scores, Best()), likeliest)
        return self._candidate(path)

    def others(self, best: Candidate, most: int = 2, seed: int = 0) -> list[Candidate]:
        """Texts of sampled paths other than the best one's, the likeliest first."""
        pick = sampler(np.random.default_rng(seed))
        paths: dict[tuple[str, ...], list[Step]] = {}
        often: Counter[tuple[str, ...]] = Counter()
        for _ in range(_SAMPLES):
            path = trace(self._sums, pick)
            text = _inked(self._writer.write(path))
            paths.setdefault(text, path)
            often[text] += 1
        del often[_inked(best.text)]
        found = [self._candidate(paths[text]) for text, _ in often.most_common(most)]
        return sorted(found, key=lambda candidate: -candidate.posterior)

    def _candidate(self, path: Sequence[Step]) -> Candidate:
        total = float(Lattice(self._held_to(path), Sums()).total)
        return Candidate(
            self._writer.write(path), min(1.0, exp(total - float(self._sums.total))), tuple(path)
        )

    def _held_to(self, path: Sequence[Step]) -> Scores:
        """The scores with all steps ruled out that do not write this path's text, blank lines aside."""
        file, sketch, given, features = self.file, self.sketch, self._scores, self.features
        says = np.zeros((len(sketch.texts), len(file.texts)), dtype=bool)
        for i, j in zip(*features.pairs, strict=True):
            says[i, j] = self._writer.stays(i, j)
        silent = features.may_mark | features.may_note
        written = writings(file.stripped, *self._said(path), sketch.stripped, silent, says)
        blank = np.array(file.ink) == BLANK
        # A changed line is written where the old one went.
        changed = ~says & written.goes[None, :] & (written.places[:, :-1] | written.places[:, 1:])
        match = np.where(written.matches | changed | blank[None, :], given.match[:, :-1], NEVER)
        return replace(
            given,
            match=np.concatenate((match, given.match[:, -1:]), axis=1),
            new=np.where(written.places, given.new, NEVER),
            gone=np.where(written.goes, given.gone, NEVER),
            keep=np.where(written.stays, given.keep, NEVER),
            stay=np.where(written.stays, given.stay, NEVER),
        )

    def _said(self, path: Sequence[Step]) -> tuple[list[str], list[Change]]:
        """The inked stripped lines of a path's text, and what it changes of the file's."""
        file, sketch = self.file, self.sketch
        text: list[str] = []
        changes: list[Change] = []
        start = at = first = 0

        def flush() -> None:
            if at > start or len(text) > first:
                changes.append(Change(start, at, first, len(text)))

        for step in path:
            stays = step.file is not None and (
                step.layer in (Layer.KEEP, Layer.LEAP)
                or (step.layer is Layer.MATCH and self._writer.stays(step.sketch, step.file))
            )
            inked = step.file is not None and file.ink[step.file] != BLANK
            if stays and inked:
                flush()
                assert step.file is not None
                text.append(file.stripped[step.file])
                at += 1
                start, first = at, len(text)
                continue
            at += inked
            if (
                step.layer in (Layer.NEW, Layer.MATCH)
                and step.sketch is not None
                and sketch.ink[step.sketch] != BLANK
            ):
                text.append(sketch.stripped[step.sketch])
        flush()
        return text, changes


def _inked(text: Text) -> tuple[str, ...]:
    return tuple(line for line in text.lines if line.strip())
