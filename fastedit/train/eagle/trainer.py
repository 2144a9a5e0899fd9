"""Trains an EAGLE-3 or P-EAGLE head on lessons, within a budget of time, and goes on where it stopped."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from fastedit.errors import ModelUnavailable
from fastedit.model.eagle import EagleHead
from fastedit.model.heads.learn import LearnedAnswer, accepted, learn
from fastedit.model.heads.lesson import Answer, Lesson
from fastedit.train.loop import Loop, Rates

HELD_OUT = 20  # every so many-th answer is kept back to measure on
_SAVE_S = 60.0
_MEASURING = 0.1  # share of the time that measuring may take, which is done at every save
_BESIDE = 80  # tokens of an answer that are learned from whether or not they are novel


@dataclass(frozen=True, slots=True)
class EagleRecipe(Rates):
    """`steps` tokens ahead, `batch` answers an update."""

    matrix_rate: float = 0.02
    rate: float = 1e-3
    decay: float = 0.5
    warmup: int = 20
    clip: float = 0.5
    steps: int = 3
    batch: int = 4
    seed: int = 0


@dataclass(frozen=True, slots=True)
class DraftScore:
    """On answers kept back: mean loss, and of passes that begin at novel text the tokens that they bring and the share
    in which the first token is right, the first two and so on."""

    loss: float
    tokens_per_pass: float
    accepted: tuple[float, ...]


class EagleTrainer(Loop[Sequence[Answer], float]):
    """`lesson_of` makes or loads the lesson of an answer; `output` is the target's output matrix."""

    memory_option = "--batch"
    save_s = _SAVE_S

    def __init__(
        self,
        head: EagleHead,
        output: torch.Tensor,
        answers: Sequence[Answer],
        lesson_of: Callable[[Answer], Lesson],
        recipe: EagleRecipe,
        folder: Path,
    ) -> None:
        self.head, self.recipe = head.train(), recipe
        self._output, self._lesson_of = output, lesson_of
        self.held_out = answers[::HELD_OUT]
        self._answers = [a for i, a in enumerate(answers) if i % HELD_OUT] or list(answers)
        super().__init__(self.head, lambda name: name.startswith(("fc.", "layers.")), recipe, folder)

    def update(self, batch: Sequence[Answer]) -> float:
        """One step of the optimizer; returns the mean loss."""
        device, total, rng = self._output.device.type, 0.0, random.Random(self.recipe.seed + self.step)
        for answer in batch:
            begin = rng.randrange(max(1, len(answer.novel) - _BESIDE))
            drawn = range(begin, begin + _BESIDE)
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                loss = self._learn(self._lesson_of(answer), drawn).loss
            torch.autograd.backward(loss / len(batch))
            total += loss.item()
        self.make_step()
        return total / len(batch)

    @torch.no_grad()
    def score(self) -> DraftScore:
        """On the answers kept back."""
        found = [self._learn(self._lesson_of(answer)) for answer in self.held_out]
        passes, *right = torch.stack([accepted(learned) for learned in found]).sum(0).tolist()
        shares = tuple(count / max(1, passes) for count in right)
        return DraftScore(sum(learned.loss.item() for learned in found) / len(found), 1 + sum(shares), shares)

    def _learn(self, lesson: Lesson, drawn: range | None = None) -> LearnedAnswer:
        return learn(self.head, lesson, self._output, self.recipe.steps, drawn)

    def check(self, weights: dict[str, torch.Tensor]) -> None:
        own = self.head.state_dict()
        if {name: t.shape for name, t in weights.items()} != {name: t.shape for name, t in own.items()}:
            raise ModelUnavailable(
                f"{self.folder}: its run is of another head than the one asked for; give another --run, "
                "or the --kind and sizes that it began with"
            )

    def batches(self, step: int) -> Iterator[list[Answer]]:
        """Those that follow a step; every epoch in an order of its own."""
        size = min(self.recipe.batch, len(self._answers))
        each = len(self._answers) // size
        for number in count(step):
            epoch, at = divmod(number, each)
            order = random.Random(self.recipe.seed + epoch).sample(self._answers, len(self._answers))
            yield order[at * size : (at + 1) * size]

    def row(self, learned: Sequence[float]) -> dict[str, Any]:
        started = time.monotonic()
        score = self.score()
        self.save_s = max(_SAVE_S, (time.monotonic() - started) / _MEASURING)
        shown = {"step": self.step, "spent_s": round(self.spent_s, 1), "train": round(fmean(learned), 4)}
        return shown | asdict(score)
