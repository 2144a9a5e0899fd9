"""What people ask for by showing it: a region, an update, and the change that it tells."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from fastedit.prompt.base import RegionTask
from fastedit.sketch.align import lay
from fastedit.source.update import Update, UpdateLine
from fastedit.train.change import KEYWORDS, WORD, Change, combined, kept
from fastedit.train.corpus import SourceFile
from fastedit.train.edits import random_change
from fastedit.train.families.wording import phrases
from fastedit.train.real import RealChanges
from fastedit.train.regions import sample_region
from fastedit.train.sketch import Sketch, sketch, told
from fastedit.train.wishes import DONOR_LINES, Wish, Wishes

if TYPE_CHECKING:
    from fastedit.train.examples import Stage

ALIKE = 0.7  # of the synthetic updates, those that bring code of the same language
NOTHING = 0.02  # of the synthetic updates, those that show what is there already


class Shown(NamedTuple):
    """`kind` is `update`, or `both` where an instruction belongs to it; `sources` are those of `sketch.Sketch`."""

    kind: str
    task: RegionTask
    change: Change
    sources: Sequence[int | None]


class Updates:
    """An endless store of updates for regions of a corpus' files."""

    def __init__(self, files: Sequence[SourceFile], wishes: Wishes, real: RealChanges | None = None) -> None:
        self._files, self._wishes, self._real = files, wishes, real

    def draw(self, rng: random.Random, stage: Stage) -> Shown | None:
        """An update as the stage wants them; None where this try came to nothing."""
        if self._files and rng.random() < stage.both:
            return self._both(rng, stage)
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

    def _synthetic(self, rng: random.Random, stage: Stage) -> tuple[Change | None, str]:
        file = rng.choice(self._files)
        donor = rng.choice(self._wishes.files[file.language] if rng.random() < ALIKE else self._files)
        lines = sample_region(rng, file, stage.least, stage.most)
        extra = sample_region(rng, donor, min(8, stage.least), DONOR_LINES)
        if lines is None or extra is None:
            return None, file.language
        if rng.random() < NOTHING:
            return Change(lines, tuple(kept(lines))), file.language
        return random_change(rng, lines, extra, rng.randint(1, stage.hunks)), file.language

    def _both(self, rng: random.Random, stage: Stage) -> Shown | None:
        """An update with an instruction that says the same, asks for something besides, or tells where it goes."""
        roll = rng.random()
        if roll < 0.3:
            placed = self._wishes.placed(rng, stage.least, stage.most)
            return None if placed is None else _placed(*placed)
        wish = self._wishes.draw(rng, stage.least, stage.most)
        if wish is None or "\n" in wish.sentence:
            return None
        if roll < 0.6:
            drawn = sketch(rng, wish.change, wish.language)
            return _shown("both", wish.change, drawn, wish.instruction, wish.language)
        return self._besides(rng, stage, wish)

    def _besides(self, rng: random.Random, stage: Stage, wish: Wish) -> Shown | None:
        """The wish beside an update that shows another change."""
        lines = wish.change.lines
        donor = sample_region(rng, rng.choice(self._files), min(8, stage.least), DONOR_LINES)
        other = random_change(rng, lines, donor, rng.randint(1, stage.hunks)) if donor else None
        drawn = sketch(rng, other, wish.language) if other else None
        plain = told(other, drawn) if other and drawn else None
        both = combined(plain.change, wish.change) if plain else None
        if drawn is None or plain is None or both is None:
            return None
        sources = _places(plain.change, both, plain.sources)
        # What the update spells out as it was must not be what the instruction changes.
        if any(new is None and old is not None for new, old in zip(sources, plain.sources, strict=True)):
            return None
        sentence = rng.choice(phrases("besides")).format(b=wish.sentence)
        task = RegionTask(lines, sentence, drawn.update, plain.targets, wish.language)
        return Shown("both", task, both, sources)


def _shown(kind: str, change: Change, drawn: Sketch, instruction: str | None, language: str) -> Shown | None:
    plain = told(change, drawn)
    if plain is None:
        return None
    task = RegionTask(change.lines, instruction, drawn.update, plain.targets, language)
    return Shown(kind, task, plain.change, plain.sources)


def _placed(wish: Wish, code: Sequence[str]) -> Shown | None:
    """An update of new lines alone, whose place the instruction tells."""
    new = [place for place, out in enumerate(wish.change.answer) if not out.kept]
    update = Update(tuple(map(UpdateLine, code)))
    targets = lay(wish.change.lines, update).targets
    # A line taken for one of the region's would say that the code goes there.
    if any(target is not None for target in targets):
        return None
    task = RegionTask(wish.change.lines, wish.instruction, update, targets, wish.language)
    return Shown("both", task, wish.change, new)


def _places(first: Change, both: Change, shown: Sequence[int | None]) -> tuple[int | None, ...]:
    """Places in the first change's answer as places in the answer of both; None for lines that the other changes."""
    kept_at = {out.line: place for place, out in enumerate(both.answer) if out.kept}
    new_at = {id(out): place for place, out in enumerate(both.answer) if not out.kept}
    found: list[int | None] = []
    for place in shown:
        out = None if place is None else first.answer[place]
        found.append(None if out is None else kept_at.get(out.line) if out.kept else new_at.get(id(out)))
    return tuple(found)
