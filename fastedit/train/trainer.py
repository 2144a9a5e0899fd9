"""The training loop: answer-only loss, Muon on matrices and AdamW on the rest, checkpoints that resume."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence
from transformers import Qwen3ForCausalLM

from fastedit.errors import ModelUnavailable, UsageError
from fastedit.train import shape
from fastedit.train.examples import Example
from fastedit.train.loop import Loop, Rates

LOGGED_STEPS = 50
Hits = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]
Data = Callable[[int], Iterator[list[Example]]]  # the batches that follow a step


class Step(NamedTuple):
    """How a batch did before it was learned from. `accuracy` is of all answer tokens, `exact` the share of answers that
    are right as a whole."""

    loss: float
    accuracy: float
    exact: float


@dataclass(frozen=True, slots=True)
class EmbeddedRecipe(Rates):
    """`fuse` compiles the passes, which takes a minute or two."""

    device: str = "cpu"
    fuse: bool = False
    save_every_s: float = 120.0


class Trainer(Loop):
    model: Qwen3ForCausalLM

    def __init__(self, model: Qwen3ForCausalLM, recipe: EmbeddedRecipe, folder: Path) -> None:
        super().__init__(model.to(recipe.device), lambda name: "embed" not in name, recipe, folder)
        self.recipe = recipe
        self._hits: Hits = torch.compile(_hits, dynamic=True) if recipe.fuse else _hits
        if recipe.fuse:
            model.model.compile(dynamic=True)

    def run(self, data: Data, until_s: float) -> None:
        """Train until `until_s` seconds of the whole budget are spent, logging and saving on the way.

        Each save begins new data, chosen by its step: a run that dies behind it goes on with the same batches. Raises
        UsageError where memory does not suffice.
        """
        while self.spent_s < until_s:
            try:
                self._train(data(self.step), min(until_s, self.spent_s + self.recipe.save_every_s))
            except RuntimeError as error:
                if not out_of_memory(error):
                    raise
                raise UsageError(f"out of memory on {self.recipe.device}: lower --tokens") from None
            self.save()

    def _train(self, data: Iterator[list[Example]], until_s: float) -> None:
        started, base = time.monotonic(), self.spent_s
        window: list[Step] = []
        for batch in data:
            window.append(self._one_step(batch))
            self.spent_s = base + time.monotonic() - started
            if self.step % LOGGED_STEPS == 0:
                self._log(window)
                window.clear()
            if self.spent_s >= until_s:
                break
        if window:
            self._log(window)

    def check(self, weights: dict[str, torch.Tensor]) -> None:
        kept_shape, wanted = shape.describe(shape.of_weights(weights)), shape.describe(self.model.config)
        if kept_shape != wanted:
            raise ModelUnavailable(
                f"{self.folder}: its run is of another shape ({kept_shape}) than the one asked for ({wanted}); "
                "give another --run, or what it began with"
            )

    def _one_step(self, batch: list[Example]) -> Step:
        with torch.autocast(self.recipe.device, dtype=torch.bfloat16):
            losses, hits, rows = answer_hits(self.model, batch, self._hits)
            loss = weighted(losses, batch)
        torch.autograd.backward(loss)
        self.make_step()
        self.seen += sum(len(example.ids) for example in batch)
        wrong = torch.bincount(rows[~hits], minlength=len(batch))
        return Step(loss.item(), *(right.float().mean().item() for right in (hits, wrong == 0)))

    def _log(self, window: list[Step]) -> None:
        row = {
            "step": self.step,
            "tokens": self.seen,
            "minutes": round(self.spent_s / 60, 2),
            "loss": round(fmean(step.loss for step in window), 4),
            "accuracy": round(fmean(step.accuracy for step in window), 5),
            "exact": round(fmean(step.exact for step in window), 4),
            "rate": round(self.pace(), 3),
            "machine": machine(self.recipe.device),
        }
        print(self.log(row), flush=True)


def _hits(
    hidden: torch.Tensor, head: torch.Tensor, targets: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """For every row of `hidden` (rows, width) its loss, and whether its target is the argmax."""
    logits = F.linear(hidden, head).float()
    return F.cross_entropy(logits, targets, reduction="none"), logits.argmax(-1) == targets


def out_of_memory(error: RuntimeError) -> bool:
    """Whether torch could not get memory; on a CPU it has no type of its own for that."""
    return isinstance(error, torch.OutOfMemoryError) or "DefaultCPUAllocator" in str(error)


def machine(device: str) -> str:
    """What the run runs on, for its log."""
    if device == "cuda":
        return torch.cuda.get_device_name()
    return f"{platform.machine()} CPU, {torch.get_num_threads()} threads"


def weighted(losses: torch.Tensor, batch: list[Example]) -> torch.Tensor:
    """The mean of the batch's losses, one an answer token, by the tokens' weights."""
    weights = torch.tensor([w for example in batch for w in example.weights], device=losses.device)
    return (losses * weights).sum() / weights.sum()


def answer_hits(
    model: Qwen3ForCausalLM, batch: list[Example], hits_of: Hits = _hits
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """For every answer token its loss, whether it is the argmax, and the row of the batch that it belongs to.

    Only answer positions meet the vocabulary projection. Rows are padded at the end, where causality hides it.
    """
    ids = pad_sequence([torch.tensor(example.ids) for example in batch], batch_first=True)
    wanted = torch.zeros(ids.shape, dtype=torch.bool)
    for row, example in enumerate(batch):
        wanted[row, example.answer - 1 : len(example.ids) - 1] = True
    device = model.device
    ids, rows = ids.to(device), wanted.nonzero()[:, 0].to(device)
    wanted = wanted.to(device)
    hidden = model.model(ids, attention_mask=None).last_hidden_state[wanted]
    losses, hits = hits_of(hidden, model.lm_head.weight, ids.roll(-1, 1)[wanted])
    return losses, hits, rows
