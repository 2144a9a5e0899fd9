"""Drafts with an EAGLE head: a tree grown by what the head, and its record, say of each token."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from fastedit.draft.base import Branch, Drafter
from fastedit.draft.confidence import AnswerHopes, Confidence, kept_file
from fastedit.draft.seam import Computed
from fastedit.model.eagle import EagleHead
from fastedit.model.heads import load_head
from fastedit.model.heads.run import HeadRun

if TYPE_CHECKING:
    from fastedit.model.target import Target
    from fastedit.prompt.base import Prompt

DEPTH = 6  # steps at most
WIDTH = 4  # tokens that each guess is followed by
BEAM = 4  # guesses of a depth that are followed
MOST = 24  # tokens of a proposal
LEAST = 0.02  # survival below which a token is not proposed
REACH = 4096  # rows that may wait to be read
AHEAD = 8  # proposals over which the reading of a backlog is spread: novel text rarely comes alone


@dataclass(frozen=True, slots=True)
class Guess:
    """A token that may follow guess `parent` (-1: the output). `said` is the head's own probability."""

    parent: int
    token: int
    said: float
    survival: float
    depth: int


class EagleSource:
    """One head on one target, shared by all answers."""

    def __init__(self, head: EagleHead, known: Confidence, follow: float) -> None:
        """A guess is followed by a step of its own where its survival is at least `follow`."""
        self.head, self.known, self.follow = head, known, follow
        self.clock = _Clock(head)

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return (EagleDrafter(self),)


def source(target: Target, argument: str) -> EagleSource:
    """The head in folder `argument`. Raises ModelUnavailable where it does not belong to this target."""
    folder = Path(argument)
    head = load_head(folder, target.network, target.dtype)
    key = hashlib.sha256(repr((target.fingerprint, str(folder.resolve()), head.shape)).encode())
    known = Confidence(DEPTH, kept_file(f"eagle-{key.hexdigest()[:16]}"))
    # A step takes about as long as a layer of the target does; what it brings should take the target longer.
    return EagleSource(head, known, follow=max(0.05, 1.0 / (1 + target.network.layers)))


class EagleDrafter:
    """Reads nothing until it is asked for a proposal: then it reads at once all that has come since the last one."""

    name = "eagle"

    def __init__(self, source: EagleSource) -> None:
        self._source, self._known, self._clock = source, source.known, source.clock
        self.layers = frozenset(source.head.shape.layers)
        self._run = HeadRun(source.head)
        self._hopes = AnswerHopes(source.known)
        self._waiting: list[Computed] = []
        self._backlog = 0
        self._guesses: list[Guess] = []

    def read(self, computed: Computed) -> None:
        self._waiting.append(computed)
        self._backlog += len(computed.tokens)
        while self._backlog > REACH and len(self._waiting) > 1:
            self._backlog -= len(self._waiting.pop(0).tokens)

    def price(self) -> float:
        return self._clock.price(self._backlog)

    def hopes(self) -> NDArray[np.float64]:
        return self._hopes.hopes()

    def observe(self, tokens: Sequence[int]) -> None:
        """Learn from how the last proposal did."""
        guesses, self._guesses = self._guesses, []
        if not guesses:
            return
        at, reached = -1, 0
        for token in tokens:
            offered = [(i, guess) for i, guess in enumerate(guesses) if guess.parent == at]
            right = [guess.token == token for _, guess in offered]
            self._known.tell([guess.said for _, guess in offered], right)
            if not any(right):
                break
            at, reached = offered[right.index(True)][0], reached + 1
        self._known.proposed(reached)
        self._hopes.proposed(reached)

    def propose(self, limit: int) -> list[Branch]:
        if not self._waiting:
            return []
        started, backlog = perf_counter(), self._backlog
        guesses = self._grow(min(limit, DEPTH))
        steps = max((guess.depth for guess in guesses), default=1) - 1
        self._clock.observe(backlog, steps, 1000.0 * (perf_counter() - started))
        order = sorted(range(len(guesses)), key=lambda i: -guesses[i].survival)
        kept = sorted(order[:MOST])  # whoever stays has a parent that survives at least as often
        place = {old: new for new, old in enumerate(kept)}
        self._guesses = [_moved(guesses[i], place) for i in kept]
        return _branches(self._guesses, self.name)

    def close(self) -> None:
        self._known.save()

    def _catch_up(self) -> tuple[Tensor, Tensor]:
        waiting, self._waiting, self._backlog = self._waiting, [], 0
        layers = self._source.head.shape.layers
        states = torch.cat([torch.cat([c.states[layer] for layer in layers], dim=-1) for c in waiting])
        following = [token for c in waiting for token in (*c.tokens[1:], c.following)]
        return self._run.extend(states, following, waiting[0].start)

    def _grow(self, depth: int) -> list[Guess]:
        fed, logits = self._catch_up()
        guesses: list[Guess] = []
        rows: list[int] = [-1]  # guesses that the rows of the last step stand for
        row_of: dict[int, int] = {-1: -1}  # by guess, its row among all rows guessed
        for level in range(1, depth + 1):
            added = self._followers(guesses, rows, logits, level)
            if level == depth:
                break
            added.sort(key=lambda i: -guesses[i].survival)
            ahead = [i for i in added[:BEAM] if guesses[i].survival >= self._source.follow]
            if not ahead:
                break
            above = [rows.index(guesses[i].parent) for i in ahead]
            tokens = torch.tensor([guesses[i].token for i in ahead], device=fed.device)
            parents = [row_of[guesses[i].parent] for i in ahead]
            fed, logits = self._run.guess(fed[above], tokens, parents)
            row_of |= {guess: len(row_of) - 1 + index for index, guess in enumerate(ahead)}
            rows = ahead
        return guesses

    def _followers(self, guesses: list[Guess], rows: Sequence[int], logits: Tensor, level: int) -> list[int]:
        """Add the likeliest tokens behind each row's guess; returns their places."""
        said, ids = logits.float().softmax(-1).topk(min(WIDTH, logits.shape[-1]))
        tokens = self._source.head.target_ids(ids).tolist()
        added = []
        for guess, row_said, row_tokens in zip(rows, said.tolist(), tokens, strict=True):
            above = 1.0 if guess < 0 else guesses[guess].survival
            chances = self._known.chances(row_said)
            total = max(1.0, sum(chances))
            for token, chance, own in zip(row_tokens, chances, row_said, strict=True):
                survival = above * chance / total
                if survival >= LEAST:
                    added.append(len(guesses))
                    guesses.append(Guess(guess, token, own, survival, level))
        return added


class _Clock:
    """How long a head takes, from a trial at the start and from every proposal since."""

    def __init__(self, head: EagleHead) -> None:
        self._fixed_ms, self._step_ms, self._row_ms, self._steps = 0.0, 0.0, 0.0, 2.0
        few, many = (min(self._trial(head, rows) for _ in range(3)) for rows in (1, 65))
        self._fixed_ms, self._row_ms = few, max(0.0, many - few) / 64
        self._step_ms = few

    def price(self, backlog: int) -> float:
        return self._fixed_ms + self._steps * self._step_ms + backlog * self._row_ms / AHEAD

    def observe(self, backlog: int, steps: int, ms: float) -> None:
        """Follows slowly, for a machine may be busy at one time."""
        taken = ms - backlog * self._row_ms
        self._steps += 0.1 * (steps - self._steps)
        if taken > 0:
            each = taken / (1 + steps)
            self._fixed_ms += 0.1 * (each - self._fixed_ms)
            self._step_ms += 0.1 * (each - self._step_ms)

    @staticmethod
    def _trial(head: EagleHead, rows: int) -> float:
        shape, device = head.shape, head.fc.weight.device
        run = HeadRun(head)
        width = shape.target_hidden * len(shape.layers)
        started = perf_counter()
        _, logits = run.extend(torch.zeros(rows, width, device=device), [0] * rows, 0)
        logits.argmax(-1).tolist()  # waits for the device
        return 1000.0 * (perf_counter() - started)


def _moved(guess: Guess, place: dict[int, int]) -> Guess:
    parent = -1 if guess.parent < 0 else place[guess.parent]
    return Guess(parent, guess.token, guess.said, guess.survival, guess.depth)


def _branches(guesses: Sequence[Guess], name: str) -> list[Branch]:
    """One branch for each guess that nothing follows, the likeliest first."""
    above = {guess.parent for guess in guesses}
    found = []
    for leaf in range(len(guesses)):
        if leaf in above:
            continue
        path: list[Guess] = []
        at = leaf
        while at >= 0:
            path.append(guesses[at])
            at = guesses[at].parent
        path.reverse()
        found.append(Branch([guess.token for guess in path], [guess.survival for guess in path], name))
    return sorted(found, key=lambda branch: -branch.survival[-1] * len(branch.tokens))
