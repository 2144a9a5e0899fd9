"""One text that a sketch may mean, and the path that writes it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.text.merge import MergedText
from fastedit.source.prediction import Prediction
from fastedit.source.update import Update, UpdateLine


@dataclass(frozen=True, slots=True)
class TextCandidate:
    """A text that the sketch may mean, blank lines aside, with its posterior. Where others share that, `lead` is the
    logarithm of how much likelier its own lines are than theirs, and `parting` tells whether a block goes for another
    one in any of them, so that lines tell less; where its posterior is among some texts alone, `rare` is the logarithm
    of how much likelier all texts are than these. `only_blanks`: the best text differs from the file in blank lines
    alone. `named_gone` are the file lines that comments of the sketch say by name are gone."""

    text: MergedText
    posterior: float
    path: tuple[PathStep, ...]
    lead: float = 0.0
    parting: bool = False
    rare: float = 0.0
    only_blanks: bool = False
    named_gone: frozenset[int] = frozenset()

    @property
    def prediction(self) -> Prediction:
        return Prediction(self.text.lines, self.text.origins)

    @property
    def targets(self) -> tuple[int | None, ...]:
        """For each line of the sketch the file line that it is, or is a changed version of."""
        return tuple(
            step.file if step.layer is Layer.MATCH else None for step in self.path if step.sketch is not None
        )

    @property
    def sketch(self) -> Update:
        """The sketch as it is taken here: at the file's depth, and with the markers that stand for something."""
        steps = (step for step in self.path if step.sketch is not None)
        return Update(
            tuple(
                UpdateLine(text, step.layer in (Layer.MARK, Layer.GONE))
                for text, step in zip(self.text.sketch, steps, strict=True)
            )
        )

    @property
    def told_gone(self) -> frozenset[int]:
        """The file lines that go because a comment of the sketch says so."""
        found = set(self.named_gone)
        for goes, steps in groupby(self.path, lambda step: step.layer is Layer.GONE):
            run = list(steps)
            if goes and any(step.sketch is not None for step in run):
                found.update(row for step in run for row in step.lines)
        return frozenset(found)
