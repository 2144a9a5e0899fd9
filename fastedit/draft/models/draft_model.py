"""Drafts with a smaller model of the same tokenizer (Leviathan et al. 2023).

It reads nothing until it is asked. Then it goes on from where the answer stands, one token a step, and proposes its
chain, with the next best tokens beside each of its places. Where an answer is sampled and drafts are accepted by what
they were drawn from, it draws instead, from its own distribution at the answer's temperature.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from operator import mul
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from fastedit.draft.base import Branch, Drafter
from fastedit.draft.clock import Clock
from fastedit.draft.confidence import known_of
from fastedit.draft.lookup.cursor import agreeing
from fastedit.draft.lookup.record import Odds
from fastedit.draft.models.reading import CachedSequence
from fastedit.draft.models.vocabulary import check_same, vocabulary
from fastedit.model.target import Target
from fastedit.sampling import Sampling

if TYPE_CHECKING:
    from fastedit.prompt.base import Prompt

DEPTH = 8  # tokens of a chain at most
WIDTH = 3  # tokens that are proposed at each of its places
LEAST = 0.02  # survival below which a token is not proposed
RIGHT = 0.7  # of a chain's tokens, before anything is known
STREAM = 3  # of random numbers: `decode.rejection` draws from 0 to 2
Chances = NDArray[np.float32]


class ChainPlace(NamedTuple):
    """One place of a chain: its token first, then the others that may stand there instead; with what the model gives
    them, and their chance to survive where everything before them does."""

    tokens: list[int]
    said: list[float]
    chances: list[float]


class DraftModel:
    """One small model for one target, shared by all answers."""

    def __init__(self, name: str, model: Target, target: Target, depth: int = DEPTH) -> None:
        self.name, self.model, self.depth = name, model, depth
        self.vocab = min(model.vocab, target.vocab)
        self.known = known_of(name, target, depth, model.name, model.fingerprint)
        self.lock = Lock()  # held for a pass: answers draft beside each other
        self.clock = Clock(self._trial, model.device.type, trials=2)
        self.right = Odds(
            (RIGHT,) * depth
        )  # of a chain's token at each depth, where those before it are right

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return (DraftModelDrafter(self, prompt),)

    def _trial(self, rows: int) -> None:
        reading = CachedSequence(self.model, self.lock)
        reading.read([0] * rows).argmax(-1).tolist()  # waits for the device
        reading.close()

    def hopes(self) -> NDArray[np.float64]:
        """float64[depth]: how likely a chain's first 1, 2, ... tokens are right, as they were in all answers so far."""
        rates = (self.right[depth] for depth in range(self.depth))
        return np.fromiter(accumulate(rates, mul), dtype=np.float64)

    def pays(self, survival: float, depth: int, token_ms: float) -> bool:
        """Whether a step after a chain of this depth brings tokens fast enough."""
        return survival * self.right[depth] * token_ms > self.clock.step_ms


def source(target: Target, argument: str) -> DraftModel:
    """The model in folder `argument`. Raises ModelUnavailable where it is none, or has another tokenizer."""
    return DraftModel("draft", load_draft(target, Path(argument)), target)


def load_draft(target: Target, folder: Path) -> Target:
    """Raises ModelUnavailable."""
    model = Target.load(folder, device=str(target.device))
    assert target.folder is not None
    check_same(vocabulary(folder, model.vocab), vocabulary(target.folder, target.vocab))
    return model


class DraftModelDrafter:
    """Of one answer."""

    def __init__(self, source: DraftModel, prompt: Prompt) -> None:
        self.name = source.name
        self._source = source
        self._reading = CachedSequence(source.model, source.lock)
        self._pending = list(prompt.ids)  # certain tokens that the model has not read
        self._ahead: list[int] = []  # guessed tokens that it has
        self._chain: list[int] = []  # of the last proposal
        self._places: list[ChainPlace] = []  # and what is to be learned of it
        self._sampling = Sampling()
        self._random = np.random.default_rng(0)
        self._token_ms = float("inf")

    def inform(self, sampling: Sampling, tenant: str) -> None:
        self._sampling = sampling
        stream = np.random.Philox(key=sampling.seed % 2**64, counter=[0, STREAM, 0, 0])
        self._random = np.random.Generator(stream)

    def prices(self) -> NDArray[np.float64]:
        return self._source.clock.prices(self._source.depth, len(self._pending))

    def hopes(self) -> NDArray[np.float64]:
        return self._source.hopes()

    def spend(self, token_ms: float) -> None:
        self._token_ms = token_ms

    def observe(self, tokens: list[int]) -> None:
        same = agreeing(self._ahead, 0, tokens)
        self._reading.back_to(self._reading.length - len(self._ahead) + same)
        self._ahead = []
        self._pending += tokens[same:]
        self._learn(tokens)

    def propose(self, limit: int) -> list[Branch]:
        if not self._pending:  # asked twice without a word in between: what was said still holds
            return []
        clock = self._source.clock
        started, backlog, passes = clock.now(), len(self._pending), self._reading.passes
        logits = self._reading.read(self._pending)
        self._pending = []
        limit = min(limit, self._source.depth)
        drawing = not self._sampling.greedy and self._sampling.acceptance != "draw"
        branches = self._drawn(logits, limit) if drawing else self._guessed(logits, limit)
        steps = self._reading.passes - passes - 1
        clock.observe(backlog, steps, 1000.0 * (clock.now() - started))
        return branches

    def close(self) -> None:
        self._reading.close()
        self._source.known.save()

    def _guessed(self, logits: Tensor, limit: int) -> list[Branch]:
        """The likeliest tokens."""
        self._places = list(self.chain(logits, limit))
        tokens: list[int] = []
        survival: list[float] = []
        found: list[Branch] = []
        for place in self._places:
            above = survival[-1] if survival else 1.0
            for token, chance in zip(place.tokens[1:], place.chances[1:], strict=True):
                if above * chance >= LEAST:
                    found.append(Branch([*tokens, token], [*survival, above * chance], self.name))
            tokens.append(place.tokens[0])
            survival.append(above * place.chances[0])
        self._chain = tokens
        return [Branch(tokens, survival, self.name), *found]

    def chain(self, logits: Tensor, limit: int) -> Iterator[ChainPlace]:
        """Place after place, until going on is no longer worth a step. logits [1, vocab] decide the first."""
        survival = 1.0
        for index in range(limit):
            place = self.place(logits)
            survival *= place.chances[0]
            yield place
            if index + 1 == limit or not self._source.pays(survival, index + 1, self._token_ms):
                return
            self._ahead.append(place.tokens[0])
            logits = self._reading.read([place.tokens[0]])

    def place(self, logits: Tensor) -> ChainPlace:
        said, ids = logits[-1, : self._source.vocab].float().softmax(-1).topk(min(WIDTH, self._source.vocab))
        values: list[float] = said.tolist()
        chances = self._source.known.chances(values)
        total = max(1.0, sum(chances))
        return ChainPlace(ids.tolist(), values, [chance / total for chance in chances])

    def _drawn(self, logits: Tensor, limit: int) -> list[Branch]:
        """A chain drawn at random, and one more draw at each of its places. How long it is hangs on earlier proposals
        alone: what was drawn must not decide over it."""
        hopes = self._source.hopes()[:limit].tolist()
        depth = 1
        while depth < limit and self._source.pays(hopes[depth - 1], depth, self._token_ms):
            depth += 1
        tokens: list[int] = []
        rows: list[Chances] = []
        others: list[Branch] = []
        for index in range(depth):
            q = self._distribution(logits)
            first, second = (self._draw(q) for _ in range(2))
            others.append(Branch([*tokens, second], [*hopes[:index], hopes[index] / 2], self.name, q[None]))
            tokens.append(first)
            rows.append(q)
            if index + 1 < depth:
                self._ahead.append(first)
                logits = self._reading.read([first])
        self._chain = tokens
        return [Branch(tokens, hopes[:depth], self.name, np.stack(rows)), *others]

    def _distribution(self, logits: Tensor) -> Chances:
        scaled = logits[-1, : self._source.vocab].float() / self._sampling.temperature
        q: Chances = scaled.softmax(-1).cpu().numpy()
        return q

    def _draw(self, q: Chances) -> int:
        cumulative = q.astype(np.float64).cumsum()
        return int(np.searchsorted(cumulative, self._random.random() * cumulative[-1], side="right"))

    def _learn(self, tokens: list[int]) -> None:
        """From how the last proposal did."""
        chain, places = self._chain, self._places
        self._chain, self._places = [], []
        reached = agreeing(chain, 0, tokens)
        for place, token in zip(places[: reached + 1], tokens, strict=False):
            self._source.known.tell(place.said, [offered == token for offered in place.tokens])
        for depth in range(min(reached + 1, len(chain))):
            self._source.right.observe(depth, depth < reached)
