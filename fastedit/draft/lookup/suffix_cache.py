"""Drafts what earlier answers of the same tenant went on with (SuffixDecoding, Oliaro et al. 2024).

Only what was new in an answer is kept: copied text is in the file already. Memory is bounded for each tenant, and so is
the number of tenants; the oldest goes first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING

from fastedit.draft.base import Branch, Drafter
from fastedit.draft.lookup.automaton import SuffixAutomaton
from fastedit.draft.lookup.record import Odds
from fastedit.sampling import Sampling

if TYPE_CHECKING:
    from fastedit.model.target import Target
    from fastedit.prompt.base import Prompt

TOKENS = 32_768  # of a tenant, at most
TENANTS = 64
KNOWN = 24  # tokens in one pass beyond which they came from a long draft, so from text that is known
CONTEXT = 8  # copied tokens that are kept before and after what is new
REACH = 32  # tokens of the output's end that are matched
LENGTH = 16  # tokens of a proposal at most
_ODDS = (0.05, 0.1, 0.3, 0.5, 0.65, 0.75)  # by bit length of the match
_GOES_ON = 0.85


class Shelf:
    """What one tenant's answers have had that was new: a younger and an older automaton of half the bound each.

    When the younger one is full it becomes the older one, whose place it takes.
    """

    def __init__(self, tokens: int = TOKENS) -> None:
        self._half = tokens // 2
        self._young, self._old = SuffixAutomaton(), SuffixAutomaton()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._young.text) + len(self._old.text)

    def add(self, texts: Sequence[Sequence[int]]) -> None:
        with self._lock:
            for text in texts:
                if len(self._young.text) + len(text) > self._half:
                    self._old, self._young = self._young, SuffixAutomaton()
                self._young.separate()
                self._young.add(text[-self._half :])

    def following(self, tail: Sequence[int], count: int) -> tuple[int, list[int]]:
        """How many tokens of the tail's end were met before, and what came after them then."""
        with self._lock:
            return max(
                (_following(automaton, tail, count) for automaton in (self._young, self._old)), key=_longest
            )


def _longest(found: tuple[int, list[int]]) -> int:
    return found[0]


def _following(automaton: SuffixAutomaton, tail: Sequence[int], count: int) -> tuple[int, list[int]]:
    state, matched = automaton.followed(*automaton.match(tail))
    if not state:
        return 0, []
    at = automaton.end[next(reversed(automaton.follow[state].values()))] - 1  # the way that was met last
    return matched, automaton.text[at : at + count]


class SuffixCache:
    """The shelves of all tenants, for one model."""

    def __init__(self, target: Target | None = None, argument: str = "", *, tokens: int = TOKENS) -> None:
        self._tokens = tokens
        self._shelves: OrderedDict[str, Shelf] = OrderedDict()
        self._lock = Lock()

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return (SuffixCacheDrafter(self),)

    def shelf(self, tenant: str) -> Shelf:
        with self._lock:
            shelf = self._shelves.setdefault(tenant, Shelf(self._tokens))
            self._shelves.move_to_end(tenant)
            if len(self._shelves) > TENANTS:
                self._shelves.popitem(last=False)
            return shelf


source = SuffixCache


class SuffixCacheDrafter:
    """Of one answer. What it adds is there once the answer is at its end."""

    name = "suffix-cache"

    def __init__(self, cache: SuffixCache) -> None:
        self._cache = cache
        self._shelf: Shelf | None = None
        self._tail: list[int] = []
        self._new: list[list[int]] = []
        self._joined = False  # whether the last of these goes on with the next token
        self._odds = Odds(_ODDS)
        self._offered: tuple[int, int] | None = None  # the kind of the last proposal and its first token

    def inform(self, sampling: Sampling, tenant: str) -> None:
        self._shelf = self._cache.shelf(tenant)

    def observe(self, tokens: Sequence[int]) -> None:
        if self._offered is not None:
            self._odds.observe(self._offered[0], self._offered[1] == tokens[0])
            self._offered = None
        if len(tokens) <= KNOWN:
            if not self._joined:
                self._new.append(self._tail[-CONTEXT:])
            self._new[-1] += tokens
        elif self._joined:
            self._new[-1] += tokens[:CONTEXT]
        self._joined = len(tokens) <= KNOWN
        self._tail = [*self._tail, *tokens][-REACH:]

    def propose(self, limit: int) -> list[Branch]:
        if self._shelf is None:
            return []
        matched, tokens = self._shelf.following(self._tail, min(limit, LENGTH))
        if not tokens:
            return []
        kind = min(matched.bit_length(), len(_ODDS) - 1)
        self._offered = (kind, tokens[0])
        chance = self._odds[kind]
        return [Branch(tokens, [chance * _GOES_ON**i for i in range(len(tokens))], self.name)]

    def close(self) -> None:
        new, self._new = self._new, []
        if self._shelf is not None and new:
            self._shelf.add(new)
        self._joined = False
