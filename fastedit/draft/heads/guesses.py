"""Trees of guesses: what drafters have in common that go on from the target's hidden states, token by token."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from fastedit.draft.base import Branch
from fastedit.draft.clock import Clock
from fastedit.draft.confidence import AnswerHopes, Confidence
from fastedit.draft.seam import Computed

DEPTH = 6  # steps at most
WIDTH = 4  # tokens that each guess is followed by
BEAM = 4  # guesses of a depth that are followed
MOST = 24  # tokens of a proposal
LEAST = 0.02  # survival below which a token is not proposed


@dataclass(frozen=True, slots=True)
class HeadGuess:
    """A token that may follow guess `parent` (-1: the output). `said` is the head's own probability."""

    parent: int
    token: int
    said: float
    survival: float


class GuessingDrafter(ABC):
    """Grows a tree by what the head, and its record, say of each token (EAGLE-2, section 4).

    Reads nothing until it is asked for a proposal: then it reads at once all that has come since the last one.
    """

    def __init__(self, name: str, layers: Sequence[int], known: Confidence, clock: Clock) -> None:
        self.name, self.layers = name, frozenset(layers)
        self._known, self._clock = known, clock
        self._hopes = AnswerHopes(known)
        self._guesses: list[HeadGuess] | None = None  # of a proposal of which nothing is known yet
        self._token_ms = float("inf")

    @abstractmethod
    def read(self, computed: Computed) -> None: ...

    @property
    @abstractmethod
    def backlog(self) -> int:
        """Rows that wait to be read."""

    @abstractmethod
    def begin(self) -> tuple[Tensor, Tensor] | None:
        """Read what waits: what a step after the output starts from [1, width], and logits [1, draft_vocab] of the
        first token. None where there is nothing to go on from."""

    @abstractmethod
    def step(self, fed: Tensor, tokens: Tensor, parents: Sequence[int], level: int) -> tuple[Tensor, Tensor]:
        """A step after tokens [k] of depth `level`, each with what it starts from [k, width] and the row that it
        follows, counted over all rows since `begin`. Returns outputs [k, width] and logits [k, draft_vocab]."""

    def target_ids(self, ids: Tensor) -> Tensor:
        """The target's ids of ids of the head's vocabulary."""
        return ids

    def prices(self) -> NDArray[np.float64]:
        return self._clock.prices(self._known.depth, self.backlog)

    def hopes(self) -> NDArray[np.float64]:
        return self._hopes.hopes()

    def spend(self, token_ms: float) -> None:
        self._token_ms = token_ms

    def close(self) -> None:
        self._known.save()

    def observe(self, tokens: Sequence[int]) -> None:
        """Learn from how the last proposal did."""
        guesses, self._guesses = self._guesses, None
        if guesses is None:
            return
        at, tried, reached = -1, 0, 0
        for token in tokens:
            offered = [(i, guess) for i, guess in enumerate(guesses) if guess.parent == at]
            if tried and not offered:
                break  # no step was made there
            tried += 1
            right = [guess.token == token for _, guess in offered]
            self._known.tell([guess.said for _, guess in offered], right)
            if not any(right):
                break
            at, reached = offered[right.index(True)][0], reached + 1
        self._known.proposed(tried, reached)
        self._hopes.proposed(tried, reached)

    @torch.inference_mode()
    def propose(self, limit: int) -> list[Branch]:
        started, backlog = self._clock.now(), self.backlog
        begun = self.begin()
        if begun is None:
            return []
        guesses, steps = self._grow(*begun, min(limit, self._known.depth))
        self._clock.observe(backlog, steps, 1000.0 * (self._clock.now() - started))
        order = sorted(range(len(guesses)), key=lambda i: -guesses[i].survival)
        kept = sorted(order[:MOST])  # whoever stays has a parent that survives at least as often
        place = {-1: -1} | {old: new for new, old in enumerate(kept)}
        self._guesses = [
            HeadGuess(place[g.parent], g.token, g.said, g.survival) for g in (guesses[i] for i in kept)
        ]
        return branches(self._guesses, self.name)

    def _grow(self, fed: Tensor, logits: Tensor, depth: int) -> tuple[list[HeadGuess], int]:
        """Guesses, and the number of steps that they took."""
        guesses: list[HeadGuess] = []
        rows: list[int] = [-1]  # guesses that the rows of the last step stand for
        row_of: dict[int, int] = {-1: -1}  # by guess, its row among all since the beginning
        for level in range(1, depth + 1):
            added = self._followers(guesses, rows, logits)
            added.sort(key=lambda i: -guesses[i].survival)
            ahead = added[:BEAM]
            if level == depth or not self._pays([guesses[i] for i in ahead], level):
                return guesses, level - 1
            above = [rows.index(guesses[i].parent) for i in ahead]
            tokens = torch.tensor([guesses[i].token for i in ahead], device=fed.device)
            fed, logits = self.step(fed[above], tokens, [row_of[guesses[i].parent] for i in ahead], level)
            row_of |= {guess: len(row_of) - 1 + index for index, guess in enumerate(ahead)}
            rows = ahead
        return guesses, 0

    def _pays(self, ahead: Sequence[HeadGuess], level: int) -> bool:
        """Whether a step after guesses of this depth brings tokens fast enough."""
        if not ahead:
            return False
        gain = sum(guess.survival for guess in ahead) * self._known.rates()[level]
        return bool(gain * self._token_ms > self._clock.step_ms)

    def _followers(self, guesses: list[HeadGuess], rows: Sequence[int], logits: Tensor) -> list[int]:
        """Add the likeliest tokens after each row's guess; returns their places."""
        chances, ids = logits.float().softmax(-1).topk(min(WIDTH, logits.shape[-1]))
        # Both in one copy from the device; a float64 holds any id.
        said, tokens = torch.stack([chances.double(), self.target_ids(ids).double()]).tolist()
        added = []
        for guess, row_said, row_ids in zip(rows, said, tokens, strict=True):
            above = 1.0 if guess < 0 else guesses[guess].survival
            known = self._known.chances(row_said)
            total = max(1.0, sum(known))
            for token, chance, own in zip(map(int, row_ids), known, row_said, strict=True):
                survival = above * chance / total
                if survival >= LEAST:
                    added.append(len(guesses))
                    guesses.append(HeadGuess(guess, token, own, survival))
        return added


def branches(guesses: Sequence[HeadGuess], name: str) -> list[Branch]:
    """One branch for each guess that nothing follows, the likeliest first."""
    above = {guess.parent for guess in guesses}
    found = []
    for leaf in range(len(guesses)):
        if leaf in above:
            continue
        path: list[HeadGuess] = []
        at = leaf
        while at >= 0:
            path.append(guesses[at])
            at = guesses[at].parent
        path.reverse()
        found.append(Branch([guess.token for guess in path], [guess.survival for guess in path], name))
    return sorted(found, key=lambda branch: -branch.survival[-1] * len(branch.tokens))
