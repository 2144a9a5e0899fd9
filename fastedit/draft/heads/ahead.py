"""Drafts with heads that read only the target's last state: Medusa, and the MLP and the LSTM speculator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from fastedit.draft.base import Drafter
from fastedit.draft.clock import Clock
from fastedit.draft.confidence import Confidence, known_of
from fastedit.draft.heads.guesses import DEPTH, GuessingDrafter
from fastedit.draft.seam import Computed
from fastedit.model.base import Network
from fastedit.model.heads.ahead import AheadHead, load_medusa, load_mlp_speculator
from fastedit.model.heads.lstm import load_lstm_speculator

if TYPE_CHECKING:
    from fastedit.model.target import Target
    from fastedit.prompt.base import Prompt


Loader = Callable[[Path, Network, torch.dtype], AheadHead]


class AheadSource:
    """One head on one target, shared by all answers."""

    def __init__(
        self, name: str, head: AheadHead, target: Target, known: Confidence, layer: int | None = None
    ) -> None:
        """The head reads what enters `layer`, without it the final norm's output."""
        self.name, self.head, self.known = name, head, known
        self.layer = target.network.layers if layer is None else layer
        self.dtype = target.dtype
        self._like = target.network.embedding
        self.clock = Clock(self._trial, target.device.type)

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return (AheadDrafter(self),)

    @torch.inference_mode()
    def _trial(self, rows: int) -> None:
        state = self._like.new_zeros(1, self._like.shape[1], dtype=self.dtype)
        _, logits = self.head.step(state, state.new_zeros(1, dtype=torch.int64), 0)
        logits.argmax(-1).tolist()  # waits for the device


def medusa(target: Target, argument: str) -> AheadSource:
    """The heads in folder `argument`. Raises ModelUnavailable where they do not belong to this target."""
    return _source("medusa", load_medusa, target, argument)


def mlp_speculator(target: Target, argument: str) -> AheadSource:
    """The speculator in folder `argument`. Raises ModelUnavailable where it does not belong to this target."""
    return _source("mlp", load_mlp_speculator, target, argument)


def lstm_speculator(target: Target, argument: str) -> AheadSource:
    """The speculator in folder `argument`. Raises ModelUnavailable where it does not belong to this target."""
    return _source("lstm", load_lstm_speculator, target, argument)


def _source(name: str, load: Loader, target: Target, argument: str) -> AheadSource:
    folder = Path(argument)
    head = load(folder, target.network, target.dtype)
    return AheadSource(name, head, target, known_of(name, target, min(DEPTH, head.depth), folder.resolve()))


class AheadDrafter(GuessingDrafter):
    def __init__(self, source: AheadSource) -> None:
        super().__init__(source.name, [source.layer], source.known, source.clock)
        self._head, self._layer, self._dtype = source.head, source.layer, source.dtype
        self._last: tuple[Tensor, int] | None = None

    @property
    def backlog(self) -> int:
        return 0

    def read(self, computed: Computed) -> None:
        self._last = computed.states[self._layer][-1:], computed.following

    def begin(self) -> tuple[Tensor, Tensor] | None:
        if self._last is None:
            return None
        state, token = self._last
        return self._head.step(state.to(self._dtype), torch.tensor([token], device=state.device), 0)

    def step(self, fed: Tensor, tokens: Tensor, parents: Sequence[int], level: int) -> tuple[Tensor, Tensor]:
        return self._head.step(fed, tokens, level)
