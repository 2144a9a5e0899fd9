"""What training runs share: the state that they go on from and their log, in a folder; and those on a budget of time
also their two optimizers and rates."""

from __future__ import annotations

import json
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, ClassVar, Generic, TypeVar

import torch
from torch import nn

from fastedit.errors import ModelUnavailable, UsageError

NAME, LOG = "last.pt", "log.jsonl"
_LEAST = 0.02  # share of a rate that is left at the end
Batch = TypeVar("Batch")
Made = TypeVar("Made")


def keep(state: dict[str, Any], folder: Path) -> None:
    """A run that dies meanwhile leaves the state before."""
    part = folder / f"{NAME}.part"
    torch.save(state, part)
    part.replace(folder / NAME)


def add_row(folder: Path, row: Mapping[str, Any]) -> str:
    """Adds a row to the run's log, and returns it as it stands there."""
    line = json.dumps(row)
    with (folder / LOG).open("a", encoding="utf-8") as out:
        out.write(line + "\n")
    return line


def forget_later(log: Path, step: int) -> None:
    """Drop what a run that died wrote into its log (JSON lines with `step`) after the state that it goes on from."""
    if log.exists():
        # A row that was being written when the run died has no end.
        rows = [row for row in log.read_text().splitlines(keepends=True) if row.endswith("\n")]
        log.write_text("".join(row for row in rows if json.loads(row)["step"] <= step))


def kept(folder: Path, device: torch.device | str = "cpu") -> dict[str, Any] | None:
    """The state, its tensors on `device`; None where the folder has none. Raises ModelUnavailable."""
    path = folder / NAME
    if not path.exists():
        return None
    try:
        state: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    except (OSError, EOFError, RuntimeError, UnpicklingError):
        raise ModelUnavailable(f"{path}: no state of a run, or a torn one; delete it to begin anew") from None
    return state


@dataclass(frozen=True, slots=True)
class Rates:
    """Rates are peaks, reached after `warmup` steps and falling to nearly nothing over the last `decay` share of
    `minutes`: `matrix_rate` is Muon's, for the matrices, `rate` AdamW's, for everything else."""

    minutes: float
    matrix_rate: float = 0.015
    rate: float = 2e-3
    decay: float = 0.3
    warmup: int = 40
    clip: float = 1.0


class Loop(ABC, Generic[Batch, Made]):
    """Muon on the matrices that `is_matrix` names, AdamW on the rest. `seen` counts tokens, where the run does;
    `save_s` are the seconds from one save to the next."""

    memory_option: ClassVar[str]
    """To be lowered where memory does not suffice."""
    save_s = 120.0

    def __init__(
        self, model: nn.Module, is_matrix: Callable[[str], bool], rates: Rates, folder: Path
    ) -> None:
        named = dict(model.named_parameters())
        matrices = {name for name, p in named.items() if p.ndim == 2 and is_matrix(name)}
        self.optimizers: list[torch.optim.Optimizer] = [
            torch.optim.Muon(
                [named[name] for name in named if name in matrices], lr=rates.matrix_rate, weight_decay=0.01
            ),
            torch.optim.AdamW(
                [named[name] for name in named if name not in matrices],
                lr=rates.rate,
                betas=(0.9, 0.95),
                weight_decay=0.0,
            ),
        ]
        self.model, self.rates, self.folder = model, rates, folder
        self.step, self.seen, self.spent_s = 0, 0, 0.0
        folder.mkdir(parents=True, exist_ok=True)

    @abstractmethod
    def update(self, batch: Batch) -> Made:
        """Learn from a batch, with one step of the optimizers."""

    @abstractmethod
    def row(self, made: Sequence[Made]) -> Mapping[str, Any]:
        """What the log says of these updates."""

    def run(self, data: Callable[[int], Iterator[Batch]], until_s: float, deadline: float = math.inf) -> None:
        """Train until `until_s` seconds of the budget are spent or the clock stands at `deadline`, with a row of the
        log and a save on the way.

        Each save begins new data, chosen by its step: a run that dies after it goes on with the same batches. Raises
        UsageError where memory does not suffice.
        """
        while self.spent_s < until_s and time.monotonic() < deadline:
            base, started = self.spent_s, time.monotonic()
            stop = min(deadline, started + min(self.save_s, until_s - base))
            made = list[Made]()
            try:
                for batch in data(self.step):
                    made.append(self.update(batch))
                    now = time.monotonic()
                    self.spent_s = base + now - started
                    if now >= stop:
                        break
            except RuntimeError as error:
                if not out_of_memory(error):
                    raise
                device = next(self.model.parameters()).device.type
                raise UsageError(f"out of memory on {device}: lower {self.memory_option}") from None
            print(add_row(self.folder, self.row(made)), flush=True)
            self.save()

    def pace(self) -> float:
        """The share of the peaks that the next step is made with."""
        left = 1.0 - self.spent_s / (60.0 * self.rates.minutes)
        return min(1.0, (self.step + 1) / self.rates.warmup, max(_LEAST, left / self.rates.decay))

    def make_step(self) -> None:
        """One step of both optimizers by the gradients there are."""
        peaks = (self.rates.matrix_rate, self.rates.rate)
        for optimizer, peak in zip(self.optimizers, peaks, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = peak * self.pace()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.rates.clip)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.step += 1

    def save(self) -> None:
        state = {
            "model": self.model.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "step": self.step,
            "seen": self.seen,
            "spent_s": self.spent_s,
        }
        keep(state, self.folder)

    def resume(self) -> bool:
        """Go on where the folder's run was saved; what it logged after that is dropped. Raises ModelUnavailable for a
        run of another shape."""
        state = kept(self.folder, next(self.model.parameters()).device)
        if state is not None:
            self.check(state["model"])
            self.model.load_state_dict(state["model"])
            for optimizer, saved in zip(self.optimizers, state["optimizers"], strict=True):
                optimizer.load_state_dict(saved)
            self.step, self.seen, self.spent_s = state["step"], state["seen"], state["spent_s"]
        forget_later(self.folder / LOG, self.step)
        return state is not None

    def check(self, weights: dict[str, torch.Tensor]) -> None:
        """Raises ModelUnavailable where the weights of a run are not of this model's shape."""


def out_of_memory(error: RuntimeError) -> bool:
    """Whether torch could not get memory; on a CPU it has no type of its own for that."""
    return isinstance(error, torch.OutOfMemoryError) or "DefaultCPUAllocator" in str(error)
