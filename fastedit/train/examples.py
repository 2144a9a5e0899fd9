"""Training examples: prompts of the embedded format with the answers that they should get."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fastedit.edit.align import align
from fastedit.edit.update import Update, UpdateLine
from fastedit.prompt.answer import Part, Written, written
from fastedit.prompt.base import RegionTask
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.prompt.tags import ORIGINAL_TAGS, UPDATE_TAGS, Tags
from fastedit.train.carry import carried
from fastedit.train.change import KEYWORDS, WORD, Change, combined, kept, random_change
from fastedit.train.corpus import SourceFile
from fastedit.train.real import RealChanges
from fastedit.train.regions import sample_region
from fastedit.train.sketch import Sketch, sketch, told
from fastedit.train.wishes import DONOR_LINES, Wish, Wishes

# What is said beside an update that shows all there is to do.
UPDATE_WORDS = (
    "update",
    "apply this change",
    "edit as shown",
    "make this change",
    "change {a}",
    "update {a}",
    "fix {a}",
    "apply the update",
    "merge this in",
    "here is the new code",
    "apply this to {a}",
    "use this version of {a}",
    "as discussed",
    "improve {a}",
    "clean up {a}",
    "I changed {a}",
)
# What is said beside an update for what it does not show.
BESIDES = (
    "apply the update and {b}",
    "{b}",
    "apply this change; also {b}",
    "edit as shown, and {b}",
    "also {b}",
    "besides, {b}",
    "apart from what is shown, {b}",
    "make this change. Then {b}",
)
ALIKE = 0.7  # of the synthetic updates, those that bring code of the same language
NOTHING = 0.02  # of the synthetic updates, those that show what is there already
WEIGHTS = (0.3, 1.0)  # of a copied and of a novel token
TAG_WEIGHTS = (0.8, 2.5)


@dataclass(frozen=True, slots=True)
class Example:
    """Token ids of prompt and answer; the answer, its stop token included, starts at `answer`.

    `novel` tells for each answer token whether it stands in a line that the original has not, takes a line away, or
    says that the answer leaves the original or returns to it. `weights` say how much a mistake there counts.
    """

    ids: tuple[int, ...]
    answer: int
    novel: tuple[bool, ...]
    weights: tuple[float, ...]
    kind: str
    change: Change
    task: RegionTask


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of the curriculum: region lengths in lines and shares of the kinds of example.

    `several` is the share of instructions that ask for more than one thing, `real` that of updates that show a real
    change, `idle` that of instructions for what the region has no place for, and `both` that of updates to which an
    instruction belongs: one that says the same, where it goes, or what to do besides.
    """

    least: int
    most: int
    instruction: float
    scrambled: float
    hunks: int
    several: float = 0.0
    real: float = 0.0
    idle: float = 0.03
    both: float = 0.15
    longest: int = 2048


class ExampleSource:
    """An endless stream of examples from a corpus."""

    def __init__(
        self,
        files: Sequence[SourceFile],
        form: EmbeddedFormat,
        stage: Stage,
        seed: int,
        real: RealChanges | None = None,
        held_out: bool = False,
    ) -> None:
        """With `held_out` instructions come in the wordings that are kept back from training."""
        self._files, self._form, self.stage, self._real = files, form, stage, real
        self._rng = random.Random(seed)
        self._wishes = Wishes(files, held_out)
        self._spoken: dict[str, list[SourceFile]] = {}
        for file in files:
            self._spoken.setdefault(file.language, []).append(file)

    def __iter__(self) -> Iterator[Example]:
        while True:
            made = self._instructed() if self._rng.random() < self.stage.instruction else self._updated()
            if made is not None and len(made.ids) <= self.stage.longest:
                yield made

    def _instructed(self) -> Example | None:
        stage = self.stage
        wish = self._wishes.draw(self._rng, stage.least, stage.most, stage.several, stage.idle)
        if wish is None:
            return None
        task = RegionTask(wish.change.lines, wish.instruction, None, None, wish.language)
        return self._build(wish.kind, task, wish.change, [])

    def _updated(self) -> Example | None:
        rng = self._rng
        if rng.random() < self.stage.both:
            return self._both()
        if self._real and rng.random() < self.stage.real:
            change, language = self._real.draw(rng, self.stage.most), "python"
        else:
            change, language = self._synthetic()
        if change is None:
            return None
        drawn = sketch(rng, change, language)
        instruction = None
        if rng.random() < 0.15:
            names = [n for n in WORD.findall(" ".join(change.lines[:3])) if len(n) > 3 and n not in KEYWORDS]
            instruction = rng.choice(UPDATE_WORDS).format(a=rng.choice(names or ["it"]))
        return self._shown("update", change, drawn, instruction, language)

    def _shown(
        self, kind: str, change: Change, drawn: Sketch, instruction: str | None, language: str
    ) -> Example | None:
        plain = told(change, drawn)
        if plain is None:
            return None
        task = RegionTask(change.lines, instruction, drawn.update, plain.alignment, language)
        return self._build(kind, task, plain.change, plain.sources)

    def _synthetic(self) -> tuple[Change | None, str]:
        rng, stage = self._rng, self.stage
        file = rng.choice(self._files)
        donor = rng.choice(self._spoken[file.language] if rng.random() < ALIKE else self._files)
        lines = sample_region(rng, file, stage.least, stage.most)
        extra = sample_region(rng, donor, min(8, stage.least), 40)
        if lines is None or extra is None:
            return None, file.language
        if rng.random() < NOTHING:
            return Change(lines, tuple(kept(lines))), file.language
        if rng.random() < stage.scrambled:
            lines = _scrambled(rng, lines, extra)
        return random_change(rng, lines, extra, rng.randint(1, stage.hunks)), file.language

    def _both(self) -> Example | None:
        """An update with an instruction that says the same, asks for something besides, or tells where it goes."""
        rng, stage = self._rng, self.stage
        roll = rng.random()
        if roll < 0.3:
            placed = self._wishes.placed(rng, stage.least, stage.most)
            return None if placed is None else self._placed(*placed)
        wish = self._wishes.draw(rng, stage.least, stage.most)
        if wish is None or "\n" in wish.sentence:
            return None
        if roll < 0.6:
            drawn = sketch(rng, wish.change, wish.language)
            return self._shown("both", wish.change, drawn, wish.instruction, wish.language)
        return self._besides(wish)

    def _besides(self, wish: Wish) -> Example | None:
        """The wish beside an update that shows another change."""
        rng, stage, lines = self._rng, self.stage, wish.change.lines
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
        sentence = rng.choice(BESIDES).format(b=wish.sentence)
        task = RegionTask(lines, sentence, drawn.update, plain.alignment, wish.language)
        return self._build("both", task, both, sources)

    def _placed(self, wish: Wish, code: Sequence[str]) -> Example | None:
        """An update of new lines alone, whose place the instruction tells."""
        new = [place for place, out in enumerate(wish.change.answer) if not out.kept]
        update = Update(tuple(map(UpdateLine, code)))
        alignment = align(wish.change.lines, update)
        # A line taken for one of the region's would say that the code goes there.
        if any(target is not None for target in alignment.targets):
            return None
        task = RegionTask(wish.change.lines, wish.instruction, update, alignment, wish.language)
        return self._build("both", task, wish.change, new)

    def _build(self, kind: str, task: RegionTask, change: Change, sources: Sequence[int | None]) -> Example:
        rng, form = self._rng, self._form
        tags = form.tags_for(task, rng.randrange(ORIGINAL_TAGS), rng.randrange(UPDATE_TAGS))
        prompt = form.encode(task, None, tags).ids
        lines = list(written(form, task, tags, self._parts(task, change, sources, tags)))
        ids = (*prompt, *(token for line in lines for token in line.ids), tags.end)
        novel = _novel(lines)
        # Nearly all of an answer is copied text, and soon learned. Where a line comes from is the hardest to tell.
        weighed = zip(ids[len(prompt) :], novel, strict=True)
        weights = tuple((WEIGHTS if token < tags.base else TAG_WEIGHTS)[new] for token, new in weighed)
        return Example(ids, len(prompt), novel, weights, kind, change, task)

    def _parts(
        self, task: RegionTask, change: Change, sources: Sequence[int | None], tags: Tags
    ) -> Iterator[Part]:
        """The answer's lines. What the update shows has the tag that it has there, and no marks, as there."""
        instruction = task.instruction or ""
        handed = [instruction[named.start : named.stop] for named in tags.named]
        shown = self._tagged(task, sources, tags)
        claimed = {target for _, target in shown.values()}
        following = 0
        for index, out in enumerate(change.answer):
            default: tuple[int, int | None] = (tags.new, out.line)
            tag, target = shown.get(index, default)
            free = out.line is not None and out.line not in claimed and out.line >= following
            if out.kept and target is None and free:
                target = (
                    out.line
                )  # the update's own line was taken for a new one, but the region's is still there
            if target is not None:
                following = max(following, target + 1)
            if index in shown or out.kept or out.line is None or task.update is not None:
                yield Part(out.text, target, tag)
            else:
                spans = carried(task.lines[out.line], out.text, tags.spans.get(out.line, ()), handed)
                yield Part(out.text, out.line, tags.new, spans)

    def _tagged(
        self, task: RegionTask, sources: Sequence[int | None], tags: Tags
    ) -> dict[int, tuple[int, int | None]]:
        """By answer line, the tag of the update's line that shows it and the region's line that this stands for."""
        if task.update is None or task.alignment is None:
            return {}
        chosen = zip(sources, self._form.update_tags(task, tags), task.alignment.targets, strict=True)
        return {source: (tag, target) for source, tag, target in chosen if source is not None}


def _places(first: Change, both: Change, shown: Sequence[int | None]) -> tuple[int | None, ...]:
    """Places in the first change's answer as places in the answer of both; None for lines that the other changes."""
    kept_at = {out.line: place for place, out in enumerate(both.answer) if out.kept}
    new_at = {id(out): place for place, out in enumerate(both.answer) if not out.kept}
    found: list[int | None] = []
    for place in shown:
        out = None if place is None else first.answer[place]
        found.append(None if out is None else kept_at.get(out.line) if out.kept else new_at.get(id(out)))
    return tuple(found)


def _novel(lines: Sequence[Written]) -> tuple[bool, ...]:
    """For each token of the answer, its stop token included, whether it is more than copying on."""
    marks: list[bool] = []
    returns = False
    for line in lines:
        inserted = line.does == "insert"
        marks += [inserted or returns, *[line.does != "keep"] * (len(line.ids) - 1)]
        returns = inserted
    return (*marks, returns)


def batches(source: Iterator[Example], tokens: int, pool: int = 192) -> Iterator[list[Example]]:
    """Batches of examples of similar length, drawn from the source `pool` at a time."""
    rng = random.Random(0)
    while True:
        made = pack([next(source) for _ in range(pool)], tokens)
        rng.shuffle(made)
        yield from made


def pack(examples: Sequence[Example], tokens: int) -> list[list[Example]]:
    """Batches by rising length, about `tokens` tokens each with padding counted."""
    made: list[list[Example]] = [[]]
    for example in sorted(examples, key=lambda example: len(example.ids)):
        if made[-1] and len(example.ids) * (len(made[-1]) + 1) > tokens:
            made.append([])
        made[-1].append(example)
    return made


def _scrambled(rng: random.Random, lines: tuple[str, ...], donor: tuple[str, ...]) -> tuple[str, ...]:
    """Lines of the same indentation whose words are drawn at random: only copying can predict them."""
    words = [word for line in (*lines, *donor) for word in WORD.findall(line)] or ["x"]
    glue = (" ", ".", "(", ")", ", ", " = ", ": ", "[", "]", "")
    return tuple(
        line[: len(line) - len(line.lstrip())]
        + "".join(rng.choice(words) + rng.choice(glue) for _ in range(rng.randint(1, 6))).strip()
        for line in lines
    )
