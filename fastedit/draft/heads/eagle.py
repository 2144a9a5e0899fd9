"""Drafts with heads that attend to all that the target has read: EAGLE heads and multi-token-prediction modules."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from fastedit.draft.base import Drafter
from fastedit.draft.clock import Clock
from fastedit.draft.confidence import Confidence, known_of
from fastedit.draft.heads.guesses import DEPTH, GuessingDrafter
from fastedit.draft.seam import Computed
from fastedit.errors import ModelUnavailable
from fastedit.model.heads import load_head
from fastedit.model.heads.mtp import load_mtp
from fastedit.model.heads.run import Head, HeadRun
from fastedit.model.heads.steps import Runs

if TYPE_CHECKING:
    from fastedit.model.target import Target
    from fastedit.prompt.base import Prompt

OWN = "eagle"  # where in a model's folder the head lies that comes with it
REACH = 1024  # rows that may wait to be read: of a large model they take 50 MB


class EagleSource:
    """One head on one target, shared by all answers."""

    timing: type[Clock] = Clock

    def __init__(self, head: Head, known: Confidence, name: str = "eagle") -> None:
        self.head, self.known, self.name = head, known, name
        self.runs = Runs(head)
        self.clock = self.timing(self._trial, head.device.type)

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return (EagleDrafter(self),)

    def _trial(self, rows: int) -> None:
        states = torch.zeros(rows, self.head.width * len(self.head.reads), device=self.head.device)
        run = self.runs.take()
        _, logits = run.extend(states, [0] * rows, 0)
        logits.argmax(-1).tolist()  # waits for the device
        self.runs.give(run)


def source(target: Target, argument: str) -> EagleSource:
    """The head in folder `argument`, without one that which comes with the target. Raises ModelUnavailable where there
    is none, or it does not belong to this target."""
    folder = head_folder(target, argument, "eagle")
    head = load_head(folder, target.network, target.dtype).packed(target.network.packed_head)
    return EagleSource(head, known_of("eagle", target, DEPTH, folder.resolve(), head.shape))


def head_folder(target: Target, argument: str, name: str) -> Path:
    """Folder `argument`, without one that of the head that comes with the target. Raises ModelUnavailable where none
    does; `name` is the drafter's."""
    folder = Path(argument) if argument else _own(target, name) / OWN
    if not argument and not folder.is_dir():
        raise ModelUnavailable(f"no EAGLE head comes with {target.name}: write {name}=FOLDER, or train one")
    return folder


def mtp(target: Target, argument: str) -> EagleSource:
    """The multi-token-prediction module in folder `argument`, without one the target's own. Raises ModelUnavailable
    where there is none, or it does not belong to this target."""
    folder = Path(argument) if argument else _own(target, "mtp")
    head = load_mtp(folder, target.network, target.dtype)
    return EagleSource(head, known_of("mtp", target, DEPTH, folder.resolve(), head.shape), "mtp")


def _own(target: Target, name: str) -> Path:
    if target.folder is None:
        raise ModelUnavailable(f"{target.name} was loaded from no folder: write {name}=FOLDER")
    return target.folder


class AttendingDrafter(GuessingDrafter):
    """Of a head that has to read all that the target has."""

    def __init__(self, source: EagleSource) -> None:
        super().__init__(source.name, source.head.reads, source.known, source.clock)
        self._head = source.head
        self._waiting: list[Computed] = []
        self._backlog = 0

    @abstractmethod
    def extend(self, states: Tensor, following: Sequence[int], start: int) -> tuple[Tensor, Tensor]:
        """Read rows at positions from `start` on: the target's states [n, layers * width] and the tokens after them.
        What was guessed is forgotten. Returns what `begin` does."""

    @property
    def backlog(self) -> int:
        return self._backlog

    def read(self, computed: Computed) -> None:
        self._waiting.append(computed)
        self._backlog += len(computed.tokens)
        while self._backlog > REACH and len(self._waiting) > 1:
            self._backlog -= len(self._waiting.pop(0).tokens)

    def begin(self) -> tuple[Tensor, Tensor] | None:
        """The head's keys and values are those of the target's own states."""
        if not self._waiting:
            return None
        waiting, self._waiting, self._backlog = self._waiting, [], 0
        layers = self._head.reads
        states = torch.cat([torch.cat([c.states[layer] for layer in layers], dim=-1) for c in waiting])
        following = [token for c in waiting for token in (*c.tokens[1:], c.following)]
        return self.extend(states, following, waiting[0].start)

    def target_ids(self, ids: Tensor) -> Tensor:
        return self._head.target_ids(ids)


class EagleDrafter(AttendingDrafter):
    def __init__(self, source: EagleSource) -> None:
        super().__init__(source)
        self._runs = source.runs
        self._taken: HeadRun | None = None

    @property
    def _run(self) -> HeadRun:
        if self._taken is None:
            self._taken = self._runs.take()
        return self._taken

    def close(self) -> None:
        super().close()
        if self._taken is not None:
            self._runs.give(self._taken)
            self._taken = None

    def extend(self, states: Tensor, following: Sequence[int], start: int) -> tuple[Tensor, Tensor]:
        return self._run.extend(states, following, start)

    def step(self, fed: Tensor, tokens: Tensor, parents: Sequence[int], level: int) -> tuple[Tensor, Tensor]:
        return self._run.guess(fed, tokens, parents)
