"""The training loop: answer-only loss, Muon on matrices and AdamW on the rest, checkpoints that resume; and how exact
answers are."""

from __future__ import annotations

import platform
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence
from transformers import Qwen3ForCausalLM

from fastedit.errors import ModelUnavailable
from fastedit.train.embedded import shape
from fastedit.train.loop import Loop, Rates
from fastedit.train.synthesis.examples import Example, pack

EVALUATED = 16_384  # tokens of a batch
Hits = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]


class BatchStep(NamedTuple):
    """How a batch did before it was learned from. `accuracy` is of all answer tokens, `exact` the share of answers that
    are right as a whole."""

    loss: float
    accuracy: float
    exact: float


class Trainer(Loop[list[Example], BatchStep]):
    """Trains on the device that the model is on. `fuse` compiles the passes, which takes a minute or two."""

    model: Qwen3ForCausalLM
    memory_option = "--tokens"

    def __init__(self, model: Qwen3ForCausalLM, rates: Rates, folder: Path, *, fuse: bool = False) -> None:
        super().__init__(model, lambda name: "embed" not in name, rates, folder)
        self._hits: Hits = torch.compile(_hits, dynamic=True) if fuse else _hits
        if fuse:
            model.model.compile(dynamic=True)

    def check(self, weights: dict[str, torch.Tensor]) -> None:
        kept_shape, wanted = shape.describe(shape.of_weights(weights)), shape.describe(self.model.config)
        if kept_shape != wanted:
            raise ModelUnavailable(
                f"{self.folder}: its run is of another shape ({kept_shape}) than the one asked for ({wanted}); "
                "give another --run, or what it began with"
            )

    def update(self, batch: list[Example]) -> BatchStep:
        with torch.autocast(self.model.device.type, dtype=torch.bfloat16):
            losses, hits, rows = answer_hits(self.model, batch, self._hits)
            loss = weighted(losses, batch)
        torch.autograd.backward(loss)
        self.make_step()
        self.seen += sum(len(example.ids) for example in batch)
        wrong = torch.bincount(rows[~hits], minlength=len(batch))
        return BatchStep(loss.item(), *(right.float().mean().item() for right in (hits, wrong == 0)))

    def row(self, learned: Sequence[BatchStep]) -> dict[str, Any]:
        return {
            "step": self.step,
            "tokens": self.seen,
            "minutes": round(self.spent_s / 60, 2),
            "loss": round(fmean(step.loss for step in learned), 4),
            "accuracy": round(fmean(step.accuracy for step in learned), 5),
            "exact": round(fmean(step.exact for step in learned), 4),
            "rate": round(self.pace(), 3),
            "machine": machine(self.model.device.type),
        }


def _hits(
    hidden: torch.Tensor, head: torch.Tensor, targets: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """For every row of `hidden` (rows, width) its loss, and whether its target is the argmax."""
    logits = F.linear(hidden, head).float()
    return F.cross_entropy(logits, targets, reduction="none"), logits.argmax(-1) == targets


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


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """Shares that are right of the answers, and of their tokens."""

    examples: int
    exact: float
    token_accuracy: float


@torch.inference_mode()
def evaluate(model: Qwen3ForCausalLM, examples: list[Example]) -> dict[str, AnswerScore]:
    """Scores by kind of example, `update` and each instruction family.

    Greedy decoding gives the wanted answer exactly when every wanted token is the argmax after the tokens before it, so
    one teacher-forced pass tells it without decoding.
    """
    # Of each answer, whether its tokens would have been written.
    right: dict[str, list[list[bool]]] = defaultdict(list)
    for batch in pack(examples, EVALUATED):
        with torch.autocast(model.device.type, dtype=torch.bfloat16):
            _, hits, rows = answer_hits(model, batch)
        for row, example in enumerate(batch):
            right[example.kind].append(hits[rows == row].tolist())
    return {
        kind: AnswerScore(len(found), fmean(map(all, found)), fmean(chain.from_iterable(found)))
        for kind, found in sorted(right.items())
    }
