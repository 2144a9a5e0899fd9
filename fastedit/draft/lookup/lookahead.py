"""Lookahead decoding (Fu et al. 2024): the target itself drafts, by guessing at several places at once.

A window of guesses stands ahead of the answer in every pass. What the target says after each of them is the next
round's guess there (Jacobi iteration), and runs of successive guesses become n-grams that are proposed when the answer
comes by their first token. The window is a tree: a chain of the oldest guesses, and below each of them the later
rounds' guesses for the places after it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fastedit.draft.base import Branch, Drafter
from fastedit.draft.lookup.record import Odds
from fastedit.draft.tree import TokenTree

if TYPE_CHECKING:
    from fastedit.model.target import Target
    from fastedit.prompt.base import Prompt

WINDOW = 5  # places that are guessed at
NGRAM = 4  # tokens of an n-gram
POOL = 4096  # first tokens that are known, the longest unused forgotten first
EACH = 4  # n-grams of one first token
NEWS = 4  # accepted tokens in a pass up to which text is new, and worth a window
_ODDS = (0.3, 0.15, 0.1, 0.08)  # of an n-gram's first token, by how lately it was found
_GOES_ON = 0.6


class Lookahead:
    """Needs nothing but the target."""

    def __init__(self, target: Target, argument: str) -> None:
        pass

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return (LookaheadDrafter(prompt.original or prompt.ids),)


source = Lookahead


class LookaheadDrafter:
    """`seed` is what the first guesses are taken from."""

    name = "lookahead"

    def __init__(self, seed: Sequence[int]) -> None:
        step = max(1, len(seed) // WINDOW)
        self._levels = [list(seed[::step][:WINDOW])]
        self._pool: OrderedDict[int, list[tuple[int, ...]]] = OrderedDict()
        self._odds = Odds(_ODDS)
        self._last: int | None = None
        self._offered: list[tuple[int, ...]] = []
        self._new = True

    def propose(self, limit: int) -> list[Branch]:
        known = self._pool.get(self._last, []) if self._last is not None else []
        self._offered = [ngram[:limit] for ngram in known]
        found = [
            Branch(ngram, [self._odds[rank] * _GOES_ON**i for i in range(len(ngram))], self.name)
            for rank, ngram in enumerate(self._offered)
        ]
        if self._new:
            found += [Branch(path, [1e-3] * len(path), "window", probe=True) for path in self._window(limit)]
        return sorted(found, key=lambda branch: -branch.survival[0])

    def hear(self, tree: TokenTree, said: Sequence[int]) -> None:
        """`said[0]` is what the target says after the output, `said[1 + i]` after node i."""
        if not self._new:
            return
        children = {
            edge: node
            for node, edge in enumerate(zip(tree.parents.tolist(), tree.tokens.tolist(), strict=True))
        }
        guesses: list[int] = []
        for path in self._window(len(tree)):
            node = -1
            for token in path:
                node = children.get((node, token), -2)
            if node < 0:  # the window did not go into this pass
                return
            guesses.append(said[1 + node])
        if len(guesses) < len(self._levels[0]):
            return
        for ngram in zip(*self._levels, guesses, strict=True):
            if len(ngram) == NGRAM:
                self._keep(ngram[0], ngram[1:])
        self._levels = [*self._levels, guesses][-(NGRAM - 1) :]

    def observe(self, tokens: Sequence[int]) -> None:
        for rank, ngram in enumerate(self._offered):
            self._odds.observe(rank, ngram[0] == tokens[0])
        self._offered = []
        self._last = tokens[-1]
        self._new = len(tokens) <= NEWS

    def _window(self, limit: int) -> list[list[int]]:
        """One path a place: the oldest guesses up to it, then the later rounds' after it."""
        oldest, *later = self._levels
        paths = [[*oldest[: i + 1], *(level[i] for level in later)] for i in range(len(oldest))]
        return [path for path in paths if len(path) <= limit]

    def _keep(self, first: int, rest: tuple[int, ...]) -> None:
        known = self._pool.pop(first, [])
        self._pool[first] = [rest, *(other for other in known if other != rest)][:EACH]
        if len(self._pool) > POOL:
            self._pool.popitem(last=False)
