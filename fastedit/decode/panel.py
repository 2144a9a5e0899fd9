"""Selects the drafters of one answer, and isolates their failures."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from fastedit.draft.base import Branch, Closing, Copyable, Drafter
from fastedit.draft.budget import CostTable, RequestDrafts, merge, share
from fastedit.draft.gate import token_ms
from fastedit.draft.seam import Computed, Listener, Priced, StateReader
from fastedit.draft.tree import Merger, TokenTree
from fastedit.errors import reason

log = logging.getLogger(__name__)

T = TypeVar("T")
_SLACK = 1e-6  # of survivals that rounding has moved


class Prepared(NamedTuple):
    """What the drafters without a price propose once they have observed `tokens`. `copies`, by the id of the drafter
    whose place each takes then, have observed these already."""

    tokens: list[int]
    limit: int
    rate: float
    copies: dict[int, Drafter]
    branches: list[Branch]
    drafts: RequestDrafts


class Panel:
    """A drafter that raises, or proposes what cannot be, is asked no more; `off` counts by name.

    Drafters without a price are asked before every pass, in the order given. Those with one are asked after them, and
    only where what is known so far leaves them enough to gain. One that reads hidden states, and would gain too little
    where nothing else was known, is left out from then on: to hand out the states costs time.
    """

    def __init__(
        self, drafters: Sequence[Drafter], vocab: int, clock: Callable[[], float] = perf_counter
    ) -> None:
        self._vocab, self._clock = vocab, clock
        self._drafters = list(drafters)
        self._closing = [drafter for drafter in drafters if isinstance(drafter, Closing)]
        # What a drafter is does not change, and asking costs microseconds.
        self._priced = {id(drafter): drafter for drafter in drafters if isinstance(drafter, Priced)}
        self._readers = {id(drafter): drafter for drafter in drafters if isinstance(drafter, StateReader)}
        self._listeners = {id(drafter): drafter for drafter in drafters if isinstance(drafter, Listener)}
        self._prepared: Prepared | None = None
        self.off: Counter[str] = Counter()
        self.priced_ms = 0.0

    def __bool__(self) -> bool:
        return bool(self._drafters)

    @property
    def layers(self) -> frozenset[int]:
        """Those whose hidden states the drafters read."""
        return frozenset[int]().union(*(reader.layers for reader in self._readers.values()))

    def propose(self, limit: int, most: int, costs: CostTable, rate: float) -> RequestDrafts:
        """What could be drafted, in a tree of at most `most` nodes: branches of at most `limit` tokens, merged as
        `budget.merge` does it at this rate.

        `priced_ms` is then what drafters with a price have taken.
        """
        drafters = list(self._drafters)
        prepared, self._prepared = self._prepared, None
        if prepared is not None and (prepared.limit, prepared.rate) == (limit, rate):
            branches, drafts = prepared.branches, prepared.drafts
        else:
            branches = [branch for drafter in self._free() for branch in self._branches(drafter, limit)]
            drafts = RequestDrafts(merge(branches, costs, rate), most)
        start, self.priced_ms = self._clock(), 0.0
        for drafter in drafters:
            offer = self._priced.get(id(drafter))
            if offer is None:
                continue
            ms = self._token_ms(drafter, offer, drafts.merger, costs)
            if ms is None:
                if id(drafter) in self._readers and self._token_ms(drafter, offer, Merger(()), costs) is None:
                    self._leave(drafter)  # what waits to be read only grows, so it never will
            else:
                offer.spend(ms)
                # As many copied tokens as come in the time of one that it drafts.
                worth = max(1.0, rate * ms)
                branches += [replace(branch, value=worth) for branch in self._branches(drafter, limit)]
                drafts = RequestDrafts(merge(branches, costs, rate), most)
                self.priced_ms = 1000.0 * (self._clock() - start)
        return drafts

    def prepare(self, tokens: list[int], limit: int, most: int, costs: CostTable, rate: float) -> None:
        """Find out what `propose` is to begin with if `observe` is told these tokens first, and choose its tree.

        Does nothing where one of the drafters cannot be copied.
        """
        copies, branches = dict[int, Drafter](), list[Branch]()
        try:
            for drafter in self._free():
                if not isinstance(drafter, Copyable):
                    return
                copied = copies[id(drafter)] = drafter.copy()
                copied.observe(tokens)
                branches += self._checked(copied, limit)
        except Exception:  # it will fail again where that counts
            return
        drafts = RequestDrafts(merge(branches, costs, rate), most)
        (tree,) = share([drafts], costs, most, rate)
        self._prepared = Prepared(tokens, limit, rate, copies, branches, drafts._replace(tree=tree))

    def _free(self) -> list[Drafter]:
        return [drafter for drafter in self._drafters if id(drafter) not in self._priced]

    def _token_ms(self, drafter: Drafter, offer: Priced, known: Merger, costs: CostTable) -> float | None:
        return self._try(drafter, partial(token_ms, offer, known, costs), otherwise=None)

    def read(self, computed: Computed) -> None:
        for drafter in list(self._drafters):
            reader = self._readers.get(id(drafter))
            if reader is not None:
                self._try(drafter, partial(reader.read, computed), otherwise=None)

    @property
    def listens(self) -> bool:
        """Whether anyone wants to know what the target says after drafts."""
        return bool(self._listeners)

    def hear(self, tree: TokenTree, said: Sequence[int]) -> None:
        for drafter in list(self._drafters):
            listener = self._listeners.get(id(drafter))
            if listener is not None:
                self._try(drafter, partial(listener.hear, tree, said), otherwise=None)

    def observe(self, tokens: list[int]) -> None:
        if self._prepared is not None and self._prepared.tokens != tokens:
            self._prepared = None
        copies = {} if self._prepared is None else self._prepared.copies
        for drafter in [drafter for drafter in self._drafters if id(drafter) not in copies]:
            self._try(drafter, partial(drafter.observe, tokens), otherwise=None)
        self._drafters = [copies.get(id(drafter), drafter) for drafter in self._drafters]

    def close(self) -> None:
        """The answer is at its end. May be called more than once. Those switched off hold something too."""
        for drafter in self._closing:
            self._try(drafter, drafter.close, otherwise=None)

    def _branches(self, drafter: Drafter, limit: int) -> list[Branch]:
        return self._try(drafter, partial(self._checked, drafter, limit), otherwise=[])

    def _checked(self, drafter: Drafter, limit: int) -> list[Branch]:
        found = [_cut(branch, limit) for branch in drafter.propose(limit)]
        for branch in found:
            _check(branch, self._vocab)
        return found

    def _try(self, drafter: Drafter, does: Callable[[], T], otherwise: T) -> T:
        try:
            return does()
        except Exception as error:  # whatever a drafter does, the target can go on without it
            self._leave(drafter)
            self.off[drafter.name] += 1
            log.warning("the drafter %s is switched off for this answer: %s", drafter.name, reason(error))
            return otherwise

    def _leave(self, drafter: Drafter) -> None:
        self._drafters = [other for other in self._drafters if other is not drafter]
        for role in (self._priced, self._readers, self._listeners):
            role.pop(id(drafter), None)


def _check(branch: Branch, vocab: int) -> None:
    """Raises ValueError for what is no branch."""
    tokens, survival = branch.tokens, np.asarray(branch.survival, dtype=np.float64)
    if len(tokens) != len(survival):
        raise ValueError(f"{len(tokens)} tokens with {len(survival)} acceptance probabilities")
    if not len(tokens):
        return
    if min(tokens) < 0 or max(tokens) >= vocab:
        raise ValueError(f"a token outside the target's vocabulary of {vocab}")
    falls = bool((survival[1:] <= survival[:-1] + _SLACK).all())
    if not (falls and survival[0] <= 1.0 + _SLACK and survival[-1] >= 0.0):
        raise ValueError("acceptance probabilities that rise, or are none")
    if branch.chances is not None:
        _check_drawn(np.asarray(tokens), branch.chances, vocab)


def _check_drawn(tokens: NDArray[np.int64], chances: NDArray[np.float32], vocab: int) -> None:
    if chances.ndim != 2 or not 0 < len(chances) <= len(tokens) or chances.shape[1] > vocab:
        raise ValueError(f"distributions of shape {chances.shape} for {len(tokens)} tokens")
    drawn = tokens[-len(chances) :]
    if drawn.max() >= chances.shape[1] or not bool((chances[np.arange(len(drawn)), drawn] > 0.0).all()):
        raise ValueError("tokens that their own distributions do not hold")
    if not (bool((chances >= 0.0).all()) and np.allclose(chances.sum(axis=1), 1.0, atol=1e-3)):
        raise ValueError("distributions that do not sum to one")


def _cut(branch: Branch, length: int) -> Branch:
    """Tokens beyond the answer's limit would lie beyond the context."""
    over = len(branch.tokens) - length
    if over <= 0:
        return branch
    chances = branch.chances
    if chances is not None:
        chances = chances[:-over] if over < len(chances) else None
    return replace(branch, tokens=branch.tokens[:length], survival=branch.survival[:length], chances=chances)
