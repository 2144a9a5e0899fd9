"""Training examples: prompts of the embedded format with the answers that they should get."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fastedit.edit.align import align
from fastedit.prompt.answer import Part, Written, written
from fastedit.prompt.base import RegionTask
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.prompt.tags import ORIGINAL_TAGS, UPDATE_TAGS, Tags
from fastedit.train.carry import carried
from fastedit.train.change import WORD, Change, combined, random_change
from fastedit.train.corpus import SourceFile
from fastedit.train.families import FAMILIES
from fastedit.train.real import RealChanges
from fastedit.train.regions import sample_region
from fastedit.train.sketch import sketch

UPDATE_WORDS = (
    "update",
    "apply this change",
    "edit as shown",
    "make this change",
    "change {a}",
    "update {a}",
    "fix {a}",
)
JOINTS = ("; ", ". ", " and ", ", and ", ", then ", "\n", ", also ")
TRIES = 12
WEIGHTS = (0.7, 1.0)  # of a copied and of a novel token
TAG_WEIGHTS = (0.9, 2.5)


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
    change.
    """

    least: int
    most: int
    instruction: float
    scrambled: float
    hunks: int
    several: float = 0.0
    real: float = 0.0
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
    ) -> None:
        self._files, self._form, self.stage, self._real = files, form, stage, real
        self._rng = random.Random(seed)
        self._python = [file for file in files if file.language == "python"]

    def __iter__(self) -> Iterator[Example]:
        while True:
            made = self._instructed() if self._rng.random() < self.stage.instruction else self._updated()
            if made is not None and len(made.ids) <= self.stage.longest:
                yield made

    def _updated(self) -> Example | None:
        rng = self._rng
        if self._real and rng.random() < self.stage.real:
            change, language = self._real.draw(rng, self.stage.most), "python"
        else:
            change, language = self._synthetic()
        if change is None:
            return None
        update, sources = sketch(rng, change)
        instruction = None
        if rng.random() < 0.15:
            names = WORD.findall(" ".join(change.lines[:3])) or ["it"]
            instruction = rng.choice(UPDATE_WORDS).format(a=rng.choice(names))
        task = RegionTask(change.lines, instruction, update, align(change.lines, update), language)
        return self._build("update", task, change, sources)

    def _synthetic(self) -> tuple[Change | None, str]:
        rng, stage = self._rng, self.stage
        file, donor = rng.choice(self._files), rng.choice(self._files)
        lines = sample_region(rng, file, stage.least, stage.most)
        extra = sample_region(rng, donor, min(8, stage.least), 40)
        if lines is None or extra is None:
            return None, file.language
        if rng.random() < stage.scrambled:
            lines = _scrambled(rng, lines, extra)
        return random_change(rng, lines, extra, rng.randint(1, stage.hunks)), file.language

    def _instructed(self) -> Example | None:
        rng, stage = self._rng, self.stage
        name = rng.choice(tuple(FAMILIES))
        for _ in range(TRIES):
            file, donor = rng.choice(self._python), rng.choice(self._python)
            lines = sample_region(rng, file, stage.least, stage.most)
            extra = sample_region(rng, donor, 8, 40)
            if lines is None or extra is None:
                continue
            made = FAMILIES[name](rng, lines, extra)
            if made is None:
                continue
            if rng.random() < stage.several and (more := self._further(made, extra)):
                name, made = "several", more
            instruction, change = made
            return self._build(name, RegionTask(lines, instruction, None, None, file.language), change, [])
        return None

    def _further(self, made: tuple[str, Change], extra: tuple[str, ...]) -> tuple[str, Change] | None:
        """The instruction with one or two more behind it that touch other lines; None where none fits."""
        rng, found = self._rng, None
        for _ in range(rng.choice((2, 2, 4))):
            instruction, change = made
            second = FAMILIES[rng.choice(tuple(FAMILIES))](rng, change.lines, extra)
            if second is None or "\n" in instruction:
                continue
            both = combined(change, second[1])
            if both is not None:
                joint = rng.choice(JOINTS)
                found = made = (instruction.rstrip(".") + joint + second[0], both)
        return found

    def _build(self, kind: str, task: RegionTask, change: Change, sources: list[int | None]) -> Example:
        rng, form = self._rng, self._form
        tags = form.tags_for(task, rng.randrange(ORIGINAL_TAGS), rng.randrange(UPDATE_TAGS))
        prompt = form.encode(task, None, tags).ids
        lines = list(written(form, task, tags, self._parts(task, change, sources, tags)))
        ids = (*prompt, *(token for line in lines for token in line.ids), tags.end)
        novel = _novel(lines, len(task.lines))
        # Nearly all of an answer is copied text, and soon learned. Where a line comes from is the hardest to tell.
        weighed = zip(ids[len(prompt) :], novel, strict=True)
        weights = tuple((WEIGHTS if token < tags.base else TAG_WEIGHTS)[new] for token, new in weighed)
        return Example(ids, len(prompt), novel, weights, kind, change, task)

    def _parts(
        self, task: RegionTask, change: Change, sources: list[int | None], tags: Tags
    ) -> Iterator[Part]:
        """The answer's lines. What the update shows has the tag that it has there, and no marks, as there."""
        shown = {}
        if task.update is not None:
            chosen = self._form.update_tags(task, tags)
            assert task.alignment is not None
            targets = task.alignment.targets
            shown = {
                source: (tag, target)
                for source, tag, target in zip(sources, chosen, targets, strict=True)
                if source is not None
            }
        instruction = task.instruction or ""
        handed = [instruction[named.start : named.stop] for named in tags.named]
        for index, out in enumerate(change.answer):
            if not out.kept and index in shown:
                tag, target = shown[index]
                yield Part(out.text, target, tag)
            elif out.kept or out.line is None or task.update is not None:
                yield Part(out.text, out.line, tags.new)
            else:
                spans = carried(task.lines[out.line], out.text, tags.spans.get(out.line, ()), handed)
                yield Part(out.text, out.line, tags.new, spans)


def _novel(lines: Sequence[Written], count: int) -> tuple[bool, ...]:
    """For each token of the answer, its stop token included, whether it is more than copying on.

    `count` is how many lines the region has.
    """
    marks: list[bool] = []
    expected: int | None = 0
    for line in lines:
        marks += [line.line is None or line.line != expected, *[line.does != "keep"] * (len(line.ids) - 1)]
        expected = None if line.line is None else line.line + 1
    return (*marks, expected != count)


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
