"""Drafters and prompts for decoding tests."""

from __future__ import annotations

import random
from collections.abc import Sequence

import torch

from fastedit.decode.session import Session, decode
from fastedit.draft.base import Branch
from fastedit.draft.budget import CostTable
from fastedit.model.target import Target
from fastedit.prompt.base import Prompt
from fastedit.sampling import Sampling
from tests.checkpoints import VOCAB, checkpoint

CHEAP = CostTable((1, 256), (10.0, 10.1))  # rows cost next to nothing: every drafted node is worth its row
GREEDY = Sampling()


def target(name: str = "qwen3", *, generic: bool = False) -> Target:
    return Target.load(checkpoint(name), dtype=torch.float32, generic=generic)


def prompt_of(ids: Sequence[int], *, stop: Sequence[int] = (), limit: int = 24) -> Prompt:
    return Prompt(
        ids=tuple(ids),
        original=(),
        update=(),
        prediction=None,
        stop=frozenset(stop),
        answer_limit=limit,
    )


def random_ids(rng: random.Random, length: int) -> list[int]:
    return [rng.randrange(VOCAB) for _ in range(length)]


class Noisy:
    """Knows the answer and proposes it with mistakes, dead ends, duplicates and overlong branches."""

    name = "noisy"

    def __init__(self, answer: Sequence[int], rng: random.Random, error: float) -> None:
        self._answer, self._rng, self._error = list(answer), rng, error
        self._at = 0
        self.observed: list[int] = []

    def observe(self, tokens: Sequence[int]) -> None:
        self.observed += tokens
        self._at += len(tokens)

    def propose(self, limit: int) -> list[Branch]:
        rng = self._rng
        return [self._branch(rng.randrange(1, 40), rng) for _ in range(rng.randrange(4))]

    def _branch(self, length: int, rng: random.Random) -> Branch:
        ahead = (self._answer[self._at :] + random_ids(rng, length))[:length]
        tokens = [rng.randrange(VOCAB) if rng.random() < self._error else token for token in ahead]
        survival = [0.9 ** (i + 1) for i in range(len(tokens))]
        return Branch(tokens, survival, rng.choice(["copy", "guess"]))


def answer(session: Session) -> list[int]:
    for _ in decode(session):
        pass
    return session.output
