"""Drafts the tokens that most lately followed the last two: a guess where nothing longer is known."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from fastedit.draft.base import Branch
from fastedit.draft.lookup.record import Odds

NEWS = 16  # output beyond that came out of a long draft: it is known, and says nothing about short guesses
LENGTH = 6  # tokens; a chain of pair guesses is rarely right for longer
# How likely a follower is right, by how often in a row it followed this pair before: 1, 2, 3 or more times.
_ODDS = (0.15, 0.3, 0.5)


class NgramDrafter:
    name = "ngram"

    def __init__(self, texts: Sequence[Sequence[int]]) -> None:
        self._latest: dict[tuple[int, int], tuple[int, int]] = {}  # pair -> follower, times in a row
        self._odds = Odds(_ODDS)
        self._pair: tuple[int, int] = (-1, -1)
        self._unread = texts  # until something is observed: before that nothing is proposed

    def copy(self) -> NgramDrafter:
        twin = copy(self)
        twin._latest, twin._odds = self._latest.copy(), self._odds.copy()
        return twin

    def observe(self, tokens: Sequence[int]) -> None:
        for text in self._unread:
            self._learn(text)
        self._unread = ()
        known = self._latest.get(self._pair)
        if known is not None and len(tokens) <= NEWS:
            self._odds.observe(min(known[1], 3) - 1, known[0] == tokens[0])
        text = [*self._pair, *tokens[-NEWS:]]
        self._learn(text)
        self._pair = (text[-2], text[-1])

    def propose(self, limit: int) -> list[Branch]:
        pair, chance = self._pair, 1.0
        tokens: list[int] = []
        survival: list[float] = []
        while len(tokens) < min(limit, LENGTH) and (known := self._latest.get(pair)):
            chance *= self._odds[min(known[1], 3) - 1]
            tokens.append(known[0])
            survival.append(chance)
            pair = (pair[1], known[0])
        return [Branch(tokens, survival, self.name)] if tokens else []

    def _learn(self, text: Sequence[int]) -> None:
        latest = self._latest
        for first, second, follower in zip(text, text[1:], text[2:], strict=False):
            pair = (first, second)
            known = latest.get(pair)
            latest[pair] = (follower, known[1] + 1 if known is not None and known[0] == follower else 1)
