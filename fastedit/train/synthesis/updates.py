"""What people ask for by showing it: a region, an update, and the change that it tells."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from fastedit.prompt.base import RegionTask
from fastedit.train.changes.change import KEYWORDS, WORD, RegionChange, kept
from fastedit.train.changes.edits import random_change
from fastedit.train.changes.real import RealChanges
from fastedit.train.changes.regions import sample_region
from fastedit.train.families.wording import phrases
from fastedit.train.sources.corpus import SourceFile
from fastedit.train.synthesis.sketch import TracedSketch, sketch, told
from fastedit.train.synthesis.wishes import DONOR_LINES, Wishes

if TYPE_CHECKING:
    from fastedit.train.synthesis.examples import Stage

ALIKE = 0.7  # of the synthetic updates, those that bring code of the same language
NOTHING = 0.02  # of the synthetic updates, those that show what is there already


class ShownChange(NamedTuple):
    """`kind` is `update`, or `both` where an instruction says the same; `sources` those of `TracedSketch`."""

    kind: str
    task: RegionTask
    change: RegionChange
    sources: Sequence[int | None]


class Updates:
    """An endless store of updates for regions of a corpus' files."""

    def __init__(self, files: Sequence[SourceFile], wishes: Wishes, real: RealChanges | None = None) -> None:
        self._files, self._wishes, self._real = files, wishes, real

    def draw(self, rng: random.Random, stage: Stage) -> ShownChange | None:
        """An update as the stage wants them; None where this try came to nothing."""
        if self._files and rng.random() < stage.both:
            wish = self._wishes.draw(rng, stage.least, stage.most)
            if wish is None:
                return None
            drawn = sketch(rng, wish.change, wish.language)
            return _shown("both", wish.change, drawn, wish.instruction, wish.language)
        if self._real and rng.random() < stage.real:
            change, language = self._real.draw(rng, stage.most)
        else:
            change, language = self._synthetic(rng, stage)
        if change is None:
            return None
        drawn = sketch(rng, change, language)
        instruction = None
        if rng.random() < 0.15:
            names = [n for n in WORD.findall(" ".join(change.lines[:3])) if len(n) > 3 and n not in KEYWORDS]
            instruction = rng.choice(phrases("updates")).format(a=rng.choice(names or ["it"]))
        return _shown("update", change, drawn, instruction, language)

    def _synthetic(self, rng: random.Random, stage: Stage) -> tuple[RegionChange | None, str]:
        file = rng.choice(self._files)
        donor = rng.choice(self._wishes.files[file.language] if rng.random() < ALIKE else self._files)
        lines = sample_region(rng, file, stage.least, stage.most)
        extra = sample_region(rng, donor, min(8, stage.least), DONOR_LINES)
        if lines is None or extra is None:
            return None, file.language
        if rng.random() < NOTHING:
            return RegionChange(lines, tuple(kept(lines))), file.language
        return random_change(rng, lines, extra, rng.randint(1, stage.hunks)), file.language


def _shown(
    kind: str, change: RegionChange, drawn: TracedSketch, instruction: str | None, language: str
) -> ShownChange | None:
    plain = told(change, drawn)
    if plain is None:
        return None
    task = RegionTask(change.lines, instruction, drawn.update, plain.targets, language)
    return ShownChange(kind, task, plain.change, plain.sources)
