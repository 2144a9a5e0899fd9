"""Training examples: prompts of the embedded format with the answers that they should get."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TypeVar

from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from fastedit.errors import UsageError
from fastedit.prompt.answer import TaggedLine, written
from fastedit.prompt.base import RegionTask
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.prompt.tags import ORIGINAL_TAGS, UPDATE_TAGS, TagIds
from fastedit.train.changes.change import RegionChange
from fastedit.train.changes.real import RealChanges
from fastedit.train.sources.corpus import SourceFile
from fastedit.train.synthesis.carry import carried
from fastedit.train.synthesis.updates import Updates
from fastedit.train.synthesis.wishes import Wishes

# How much a mistake counts in the tags that lines begin with: where a line comes from is the hardest to tell. To weigh
# copied text less costs lines (docs/log.md).
TAG = 2.5
MISSES = 1000  # tries in a row that come to nothing, after which none is expected to come to anything
WORKER_STRIDE = 1_000_003  # keeps the seeds of workers and of resumed runs apart
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Example:
    """Token ids of prompt and answer; the answer, its stop token included, starts at `answer`.

    `weights` say for each answer token how much a mistake there counts.
    """

    ids: tuple[int, ...]
    answer: int
    weights: tuple[float, ...]
    kind: str
    change: RegionChange
    task: RegionTask


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of the curriculum: region lengths in lines and shares of the kinds of example.

    `several` is the share of instructions that ask for more than one thing, `real` that of updates that show a real
    change, `idle` that of instructions for what the region has no place for, and `both` that of updates beside an
    instruction that says the same.
    """

    least: int
    most: int
    instruction: float
    hunks: int
    several: float = 0.0
    real: float = 0.0
    idle: float = 0.03
    both: float = 0.05
    longest: int = 3072


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
        self._form, self.stage = form, stage
        self._rng = random.Random(seed)
        self._wishes = Wishes(files, held_out)
        self._updates = Updates(files, self._wishes, real)

    def __iter__(self) -> Iterator[Example]:
        return fitting(self._tried() for _ in repeat(None))

    def _tried(self) -> Example | None:
        made = self._instructed() if self._rng.random() < self.stage.instruction else self._updated()
        return made if made is not None and len(made.ids) <= self.stage.longest else None

    def _instructed(self) -> Example | None:
        stage = self.stage
        wish = self._wishes.draw(self._rng, stage.least, stage.most, stage.several, stage.idle)
        if wish is None:
            return None
        task = RegionTask(wish.change.lines, wish.instruction, None, None, wish.language)
        return self._build(wish.kind, task, wish.change, [])

    def _updated(self) -> Example | None:
        shown = self._updates.draw(self._rng, self.stage)
        return None if shown is None else self._build(*shown)

    def _build(
        self, kind: str, task: RegionTask, change: RegionChange, sources: Sequence[int | None]
    ) -> Example:
        rng, form = self._rng, self._form
        tags = form.tags_for(task, rng.randrange(ORIGINAL_TAGS), rng.randrange(UPDATE_TAGS))
        prompt = form.encode(task, None, tags).ids
        lines = written(form, task, tags, self._parts(task, change, sources, tags))
        ids = (*prompt, *(token for line in lines for token in line), tags.end)
        weights = tuple(TAG if token >= tags.base else 1.0 for token in ids[len(prompt) :])
        return Example(ids, len(prompt), weights, kind, change, task)

    def _parts(
        self, task: RegionTask, change: RegionChange, sources: Sequence[int | None], tags: TagIds
    ) -> Iterator[TaggedLine]:
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
                # The update's own line was taken for a new one, but the region's is still there.
                target = out.line
            if target is not None:
                following = max(following, target + 1)
            if index in shown or out.kept or out.line is None or task.update is not None:
                yield TaggedLine(out.text, target, tag)
            else:
                spans = carried(task.lines[out.line], out.text, tags.spans.get(out.line, ()), handed)
                yield TaggedLine(out.text, out.line, tags.new, spans)

    def _tagged(
        self, task: RegionTask, sources: Sequence[int | None], tags: TagIds
    ) -> dict[int, tuple[int, int | None]]:
        """By answer line, the tag of the update's line that shows it and the region's line that this stands for."""
        if task.update is None or task.targets is None:
            return {}
        chosen = zip(sources, self._form.update_tags(task, tags), task.targets, strict=True)
        return {source: (tag, target) for source, tag, target in chosen if source is not None}


def fitting(tries: Iterable[T | None]) -> Iterator[T]:
    """What endless tries come to. Raises UsageError where they come to nothing for long."""
    missed = 0
    for made in tries:
        missed = 0 if made is not None else missed + 1
        if made is not None:
            yield made
        elif missed == MISSES:
            raise UsageError(
                f"{MISSES} edits in a row are too long to learn from, or none: raise --longest, or give others"
            )


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


@dataclass(frozen=True, eq=False)
class BatchLoader(IterableDataset[list[Example]]):
    """An endless stream of batches of about `tokens` tokens each, from several processes where one cannot make examples
    as fast as a GPU uses them."""

    files: Sequence[SourceFile]
    form: EmbeddedFormat
    stage: Stage
    seed: int
    tokens: int
    real: RealChanges | None = None

    def __iter__(self) -> Iterator[list[Example]]:
        worker = get_worker_info()
        seed = self.seed + (0 if worker is None else WORKER_STRIDE * (worker.id + 1))
        return batches(iter(ExampleSource(self.files, self.form, self.stage, seed, self.real)), self.tokens)

    def stream(self, workers: int, step: int = 0) -> Iterator[list[Example]]:
        """The batches that follow a step, made here (`workers` 0) or in that many processes."""
        following = replace(self, seed=self.seed + step)
        return iter(DataLoader[list[Example]](following, batch_size=None, num_workers=workers))
