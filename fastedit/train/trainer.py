"""The training loop: answer-only loss, Muon on matrices and AdamW on the rest, checkpoints that resume."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import torch
import torch.nn.functional as F
from transformers import Qwen3ForCausalLM

from fastedit.errors import ModelUnavailable, UsageError
from fastedit.train import shape
from fastedit.train.checkpoint import forget_later, keep, kept
from fastedit.train.examples import Example

LOG = "log.jsonl"
LOGGED_STEPS = 50
Hits = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]
Data = Callable[[int], Iterator[list[Example]]]  # the batches that follow a step


class Step(NamedTuple):
    """How a batch did before it was learned from. `accuracy` is of all answer tokens, `novel` of those that are more
    than copying on, `exact` the share of answers that are right as a whole."""

    loss: float
    accuracy: float
    novel: float
    exact: float


@dataclass(frozen=True, slots=True)
class Settings:
    """Rates are peaks; over the last `decay` share of `minutes` they fall to nearly nothing.

    `fuse` compiles the passes, which takes a minute or two.
    """

    minutes: float
    matrix_rate: float = 0.015
    other_rate: float = 2e-3
    decay: float = 0.3
    warmup_steps: int = 40
    device: str = "cpu"
    fuse: bool = False
    save_every_s: float = 120.0


class Trainer:
    def __init__(self, model: Qwen3ForCausalLM, settings: Settings, folder: Path) -> None:
        self.model, self.settings, self.folder = model.to(settings.device), settings, folder
        matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and "embed" not in n]
        chosen = {id(p) for p in matrices}
        others = [p for p in model.parameters() if id(p) not in chosen]
        self.optimizers: list[torch.optim.Optimizer] = [
            torch.optim.Muon(matrices, lr=settings.matrix_rate, weight_decay=0.01),
            torch.optim.AdamW(others, lr=settings.other_rate, betas=(0.9, 0.95), weight_decay=0.0),
        ]
        self.peaks = (settings.matrix_rate, settings.other_rate)
        self.step, self.seen, self.spent_s = 0, 0, 0.0
        self._hits: Hits = torch.compile(_hits, dynamic=True) if settings.fuse else _hits
        if settings.fuse:
            model.model.compile(dynamic=True)
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, data: Data, until_s: float) -> None:
        """Train until `until_s` seconds of the whole budget are spent, logging and saving on the way.

        Each save begins new data, chosen by its step: a run that dies behind it goes on with the same batches. Raises
        UsageError where memory does not suffice.
        """
        while self.spent_s < until_s:
            try:
                self._train(data(self.step), min(until_s, self.spent_s + self.settings.save_every_s))
            except RuntimeError as error:
                if not out_of_memory(error):
                    raise
                raise UsageError(f"out of memory on {self.settings.device}: lower --tokens") from None
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

    def save(self) -> None:
        state = {
            "model": self.model.state_dict(),
            "optimizers": [o.state_dict() for o in self.optimizers],
            "step": self.step,
            "seen": self.seen,
            "spent_s": self.spent_s,
        }
        keep(state, self.folder)

    def resume(self) -> bool:
        """Go on where the folder's run was saved; what it logged behind that is dropped. Raises ModelUnavailable for a
        run of another shape."""
        state = kept(self.folder, self.settings.device)
        if state is None:
            return False
        self._check_shape(state["model"])
        self.model.load_state_dict(state["model"])
        for optimizer, saved in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)
        self.step, self.seen, self.spent_s = state["step"], state["seen"], state["spent_s"]
        forget_later(self.folder / LOG, self.step)
        return True

    def _check_shape(self, state: dict[str, torch.Tensor]) -> None:
        kept_shape, wanted = shape.describe(shape.of_weights(state)), shape.describe(self.model.config)
        if kept_shape != wanted:
            raise ModelUnavailable(
                f"{self.folder}: its run is of another shape ({kept_shape}) than the one asked for ({wanted}); "
                "give another --run, or what it began with"
            )

    def _one_step(self, batch: list[Example]) -> Step:
        rate = self._rate()
        for optimizer, peak in zip(self.optimizers, self.peaks, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = peak * rate
        with torch.autocast(self.settings.device, dtype=torch.bfloat16):
            losses, hits, rows = answer_hits(self.model, batch, self._hits)
            loss = weighted(losses, batch)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.step += 1
        self.seen += sum(len(example.ids) for example in batch)
        novel = torch.tensor([mark for example in batch for mark in example.novel], device=hits.device)
        wrong = torch.bincount(rows[~hits], minlength=len(batch))
        shares = (hits, hits[novel], wrong == 0)
        return Step(loss.item(), *(share.float().mean().item() for share in shares))

    def _rate(self) -> float:
        left = 1.0 - self.spent_s / (60.0 * self.settings.minutes)
        return min(1.0, (self.step + 1) / self.settings.warmup_steps, max(0.02, left / self.settings.decay))

    def _log(self, window: list[Step]) -> None:
        row = {
            "step": self.step,
            "tokens": self.seen,
            "minutes": round(self.spent_s / 60, 2),
            "loss": round(fmean(step.loss for step in window), 4),
            "accuracy": round(fmean(step.accuracy for step in window), 5),
            # A batch of answers that copy everything has no novel token.
            "novel_accuracy": round(fmean([s.novel for s in window if not isnan(s.novel)] or [1.0]), 5),
            "exact": round(fmean(step.exact for step in window), 4),
            "rate": round(self._rate(), 3),
            "machine": machine(self.settings.device),
        }
        with (self.folder / LOG).open("a") as out:
            out.write(json.dumps(row) + "\n")
        print(json.dumps(row), flush=True)


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
    longest = max(len(example.ids) for example in batch)
    ids = torch.zeros(len(batch), longest, dtype=torch.long)
    wanted = torch.zeros(len(batch), longest, dtype=torch.bool)
    for row, example in enumerate(batch):
        ids[row, : len(example.ids)] = torch.tensor(example.ids)
        wanted[row, example.answer - 1 : len(example.ids) - 1] = True
    device = model.device
    ids, rows = ids.to(device), wanted.nonzero()[:, 0].to(device)
    wanted = wanted.to(device)
    hidden = model.model(ids, attention_mask=None).last_hidden_state[wanted]
    losses, hits = hits_of(hidden, model.lm_head.weight, ids.roll(-1, 1)[wanted])
    return losses, hits, rows
