"""Drafts with P-EAGLE heads: all tokens ahead come from one pass, and none depends on what the others are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from fastedit.draft.base import Drafter
from fastedit.draft.clock import Clock
from fastedit.draft.confidence import Confidence, known_of
from fastedit.draft.heads.eagle import AttendingDrafter, EagleSource
from fastedit.draft.heads.guesses import DEPTH
from fastedit.model.heads.parallel import ParallelHead, ParallelRun, load_parallel

if TYPE_CHECKING:
    from fastedit.model.target import Target
    from fastedit.prompt.base import Prompt


class OnePass(Clock):
    """Of a head whose every proposal is one step, however deep."""

    @property
    def step_ms(self) -> float:
        return 0.0

    def observe(self, backlog: int, steps: int, ms: float) -> None:
        super().observe(backlog, 0, ms)


class ParallelSource(EagleSource):
    """One head on one target, shared by all answers."""

    head: ParallelHead
    timing = OnePass

    def __init__(self, head: ParallelHead, known: Confidence) -> None:
        super().__init__(head, known, "p-eagle")

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return (ParallelDrafter(self),)

    def _trial(self, rows: int) -> None:
        states = torch.zeros(rows, self.head.width * len(self.head.reads), device=self.head.device)
        logits = ParallelRun(self.head).extend(states, [0] * rows, 0, self.known.depth)
        logits.argmax(-1).tolist()  # waits for the device


def source(target: Target, argument: str) -> ParallelSource:
    """The head in folder `argument`. Raises ModelUnavailable where it does not belong to this target."""
    folder = Path(argument)
    head = load_parallel(folder, target.network, target.dtype).packed(target.network.packed_head)
    depth = min(DEPTH, head.depth or DEPTH)
    return ParallelSource(head, known_of("p-eagle", target, depth, folder.resolve(), head.shape))


class ParallelDrafter(AttendingDrafter):
    def __init__(self, source: ParallelSource) -> None:
        super().__init__(source)
        self._run, self._depth = ParallelRun(source.head), source.known.depth
        self._ahead = torch.empty(0)

    def extend(self, states: Tensor, following: Sequence[int], start: int) -> tuple[Tensor, Tensor]:
        self._ahead = self._run.extend(states, following, start, self._depth)
        return self._ahead[:1], self._ahead[:1]

    def step(self, fed: Tensor, tokens: Tensor, parents: Sequence[int], level: int) -> tuple[Tensor, Tensor]:
        return fed, self._ahead[level].expand(len(parents), -1)
