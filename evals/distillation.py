"""`python -m evals.distillation`: which objective makes a head draft more, after the same number of updates?

Every objective begins with the same head and sees the same answers of the target in the same order. What comes out is
scored on answers to edits of other packages: tokens a pass that begins at novel text, for a chain of the head's first
choices, and how often the first of them is right. Intervals are a bootstrap over answers of the difference to `eagle3`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer
from numpy.typing import NDArray

from evals.machine import machine
from evals.table import table
from fastedit.console import say
from fastedit.engine.folder import NANO, model_folder
from fastedit.engine.models import LoadedModel, load_model
from fastedit.model.eagle import EagleHead
from fastedit.model.heads.learn import EAGLE3, learn, tokens_per_pass
from fastedit.model.heads.lesson import Answer
from fastedit.model.heads.objective import Objective
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train.eagle import going_on
from fastedit.train.eagle_answers import Teacher, regenerate
from fastedit.train.eagle_objective import OwnText
from fastedit.train.eagle_trainer import EagleRecipe, EagleTrainer
from fastedit.train.examples import ExampleSource, Stage
from fastedit.train.real import RealChanges, read_pairs

STEPS = 3
KEEP = 0.4  # of the tokens, as in AdaSPEC's experiments
DRAWS = 2000
SCORED = 4  # every so many-th package
Figures = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Way:
    name: str
    objective: Objective
    own_text: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """`figures` float64 [answers, 4]: tokens, passes, first choices that were right and how many there were."""

    name: str
    figures: Figures
    seconds: float

    @property
    def rates(self) -> tuple[float, float]:
        """Tokens a pass, and the share of first choices that were right."""
        tokens, passes, right, count = self.figures.sum(axis=0)
        return tokens / passes, right / count

    def gain(self, base: Outcome) -> tuple[float, float]:
        """A 95 % interval of the difference in tokens a pass, by answers drawn with replacement."""
        rng = np.random.default_rng(0)
        drawn = rng.integers(0, len(self.figures), (DRAWS, len(self.figures)))
        mine, other = (figures[drawn].sum(axis=1) for figures in (self.figures, base.figures))
        low, high = np.percentile(mine[:, 0] / mine[:, 1] - other[:, 0] / other[:, 1], (2.5, 97.5))
        return float(low), float(high)


class Ablation:
    def __init__(self, model: LoadedModel, init: Path, edits: Path, answers: int) -> None:
        self._target, self._init = model.target, init
        learned, scored = sources(edits)
        self._answers = list(regenerate(model, learned, answers, 1))
        self._test = list(regenerate(model, scored, answers // 3, 1))
        self.head = self._fresh()
        self._teacher = Teacher(model.target, self.head.shape.layers)
        self._lesson = lru_cache(maxsize=None)(self._teacher.lesson)  # every objective sees the same

    def run(self, updates: int, batch: int) -> Iterator[Outcome]:
        """The head as it is, and what every objective makes of it."""
        yield Outcome("before", self._score(self.head), 0.0)
        plain, reference = self._trained(Way("eagle3", EAGLE3, False), updates, batch)
        yield plain
        ways = [
            Way("eagle3, reverse KL", Objective("reverse-kl"), False),
            Way("eagle3, total variation", Objective("total-variation"), False),
            Way("distillspec, forward KL", EAGLE3, True),
            Way("distillspec, reverse KL", Objective("reverse-kl"), True),
            Way("distillspec, total variation", Objective("total-variation"), True),
            Way(f"adaspec, {KEEP:.0%} of tokens", Objective("forward-kl", reference, KEEP), False),
        ]
        for way in ways:
            yield self._trained(way, updates, batch)[0]

    def _fresh(self) -> EagleHead:
        return going_on(self._init, self._target)

    def _trained(self, way: Way, updates: int, batch: int) -> tuple[Outcome, EagleHead]:
        head = self._fresh()
        recipe = EagleRecipe(updates / 60, steps=STEPS, batch=batch)
        own_text = OwnText(head, self._teacher) if way.own_text else None
        output = self._teacher.output
        with tempfile.TemporaryDirectory() as folder:
            trainer = EagleTrainer(
                head, output, self._answers, self._lesson, recipe, Path(folder), way.objective, own_text
            )
            batches, started = trainer.batches(), time.process_time()
            for _ in range(updates):
                trainer.update(next(batches))
                trainer.spent_s += 1.0  # the schedule goes by updates, so that a busy machine changes nothing
        return Outcome(way.name, self._score(head), time.process_time() - started), head

    @torch.no_grad()
    def _score(self, head: EagleHead) -> Figures:
        return np.array([self._of(head, answer) for answer in self._test], dtype=np.float64)

    def _of(self, head: EagleHead, answer: Answer) -> tuple[float, int, int, int]:
        learned = learn(head, self._lesson(answer), self._teacher.output, STEPS)
        first = learned.hits[0][learned.novel]
        return (*tokens_per_pass(learned), int(first.sum()), len(first))


def sources(edits: Path) -> tuple[ExampleSource, ExampleSource]:
    """Edits to learn from, and edits of other packages to score on."""
    pairs, form, stage = read_pairs([edits]), EmbeddedFormat.load(NANO), Stage(2, 24, 0.0, 0.0, 3, real=1.0)
    apart = set(sorted({pair.package for pair in pairs})[::SCORED])
    split = ([p for p in pairs if (p.package in apart) == scored] for scored in (False, True))
    learned, scored = (
        ExampleSource([], form, stage, seed, RealChanges(part)) for seed, part in enumerate(split)
    )
    return learned, scored


def rows(found: Sequence[Outcome]) -> Iterator[list[str]]:
    base = next(outcome for outcome in found if outcome.name == "eagle3")
    for outcome in found:
        tokens, right = outcome.rates
        low, high = outcome.gain(base)
        same = outcome is base
        cells = [f"{tokens:.3f}", "" if same else f"{low:+.3f} to {high:+.3f}", f"{right:.1%}"]
        yield [outcome.name, *cells, f"{outcome.seconds:.0f}"]


def main(
    edits: Annotated[Path, typer.Option(help="Real edits, of several packages.")] = Path(
        "evals/data/edits-train.jsonl.gz"
    ),
    model: Annotated[str, typer.Option(help="The target.")] = "embedded",
    init: Annotated[Path | None, typer.Option(help="The head to begin with; the model's own.")] = None,
    answers: Annotated[int, typer.Option(min=6, help="Of the target, to learn from.")] = 240,
    updates: Annotated[int, typer.Option(min=1, help="Of each objective.")] = 120,
    batch: Annotated[int, typer.Option(min=1, help="Answers an update.")] = 4,
) -> None:
    """Tokens a pass on novel text by what a head was trained to lower."""
    ablation = Ablation(load_model(model), init or model_folder(model) / "eagle", edits, answers)
    found = []
    for outcome in ablation.run(updates, batch):
        found.append(outcome)
        say(f"{outcome.name}: {outcome.rates[0]:.3f} tokens a pass, {outcome.seconds:.0f} s")
    print(f"{machine()}; {answers} answers, {updates} updates of {batch}, scored on {answers // 3} others")
    print(table(["objective", "tokens a pass", "against eagle3", "first right", "CPU s"], list(rows(found))))


if __name__ == "__main__":
    typer.run(main)
