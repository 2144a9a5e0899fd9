"""One prefix tree of proposed tokens, flat as a model's forward pass wants it.

Branches become runs: stretches of nodes without a fork. A tree has a handful of runs and a hundred nodes, so
all work on single nodes is numpy's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastedit.draft.base import Branch

Survival = NDArray[np.float64]
_UNLIKELY = 1e-6  # survival of a token that nothing is left for and that must be verified all the same


class Offer(NamedTuple):
    """A node that was drawn at random below `parent` (-1: below the output), and what it was drawn from, by token."""

    parent: int
    node: int
    chances: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class TokenTree:
    """A forest whose roots follow the last committed token; parents come before their children.

    Arrays over the n nodes: `tokens` int64[n]; `parents` int32[n], -1 for a root; `depths` int32[n], 1 for a
    root; `sources` int8[n] into `names`; `ancestors` uint64[n, ceil(n / 64)], bit j % 64 of word j // 64 of row i
    set iff j is i or an ancestor of i. `offers` are the nodes drawn at random, in the order drawn; one node may have
    been drawn twice.
    """

    tokens: NDArray[np.int64]
    parents: NDArray[np.int32]
    depths: NDArray[np.int32]
    sources: NDArray[np.int8]
    ancestors: NDArray[np.uint64]
    names: tuple[str, ...]
    offers: tuple[Offer, ...] = ()

    def __len__(self) -> int:
        return len(self.tokens)

    @classmethod
    def empty(cls) -> TokenTree:
        return _flatten([], [], ())


@dataclass(slots=True, eq=False)
class Run:
    """Nodes without a fork between them, below node `offset` of `parent` (None: below the output)."""

    parent: Run | None
    offset: int
    tokens: Sequence[int]
    survival: Survival
    source: int
    forks: list[Run]
    start: int = 0  # index of the first node; `_flatten` sets it, and `kept`
    kept: int = 0  # so many of the first nodes are in the tree made last
    held: int = 0  # so many of the first nodes lead to a token that must be verified
    worth: Survival | None = None  # survival times what a token is worth, where that is not one


class Merger:
    """Merges branches into runs, in the order given: those to be trusted most come first.

    Where two branches agree the higher survival holds. Where they part, only one can be right: the later one
    is scaled down to what the others have left of their common parent's survival.

    `must` counts the tokens that are to be verified in any case, those that branches share once for each.
    """

    def __init__(self, branches: Iterable[Branch], floor: float = 0.0) -> None:
        self.runs: list[Run] = []
        self._roots: list[Run] = []
        self._sources: dict[str, int] = {}
        self.must = 0
        self._drawn: list[tuple[Run | None, int, Run, int, NDArray[np.float32]]] = []
        for branch in branches:
            if len(branch.tokens) and (branch.survival[0] * branch.value > floor or branch.probe):
                self._add(branch)
                if branch.chances is not None or branch.probe:
                    self._hold(branch)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._sources)

    def survival(self) -> Survival:
        """Of all nodes, run after run: the probability that the node and all its ancestors are accepted."""
        return (
            self.runs[0].survival if len(self.runs) == 1 else np.concatenate([r.survival for r in self.runs])
        )

    def worth(self, first: float = 1.0) -> Survival:
        """Of all nodes, run after run: what each is expected to bring, where a branch's first token is worth `first`
        tokens at least. Never rises from a node to its children."""
        found = [run.survival if run.worth is None else run.worth for run in self.runs]
        if first > 1.0:
            for index, run in enumerate(self.runs):
                if run.parent is None:
                    found[index] = found[index].copy()
                    found[index][0] = max(found[index][0], first * run.survival[0])
        return found[0] if len(found) == 1 else np.concatenate(found)

    def tree(self, kept: Sequence[int], *, offers: bool = False) -> TokenTree:
        """The first `kept[i]` nodes of each run i. A node kept has its ancestors kept.

        With `offers`, which asks for all nodes that are held, what was drawn is accepted by what it was drawn from.
        """
        flat = _flatten(self.runs, kept, self.names)
        if not offers:
            return flat
        drawn = (
            Offer(-1 if above is None else above.start + under, run.start + offset, chances)
            for above, under, run, offset, chances in self._drawn
        )
        return replace(flat, offers=tuple(drawn))

    def expected(self) -> list[int]:
        """The tokens that the tree made last would bring if its likeliest branch were accepted whole: the branch, and
        the token that is proposed after it. None where nothing is."""
        tokens: list[int] = []
        run = max(self._roots, key=_first, default=None)
        while run is not None:
            onward = _onward(run)
            stop = len(run.tokens) if onward is None else onward.offset + 1
            if run.kept < stop:
                return [*tokens, *run.tokens[: run.kept + 1]]
            tokens += run.tokens[:stop]
            run = onward
        return []

    def held(self) -> NDArray[np.bool_]:
        """Of all nodes, run after run: those that lead to a token that must be verified."""
        return np.concatenate([np.arange(len(run.tokens)) < run.held for run in self.runs])

    def _hold(self, branch: Branch) -> None:
        """Find a branch's tokens again and note where those that were drawn lie."""
        above, under = None, -1
        chances = () if branch.chances is None else branch.chances
        first = len(branch.tokens) - len(chances)
        self.must += len(branch.tokens) if branch.probe else len(chances)
        for index, token in enumerate(branch.tokens):
            run, offset = self._below(above, under, token)
            run.held = max(run.held, offset + 1)
            if index >= first:
                self._drawn.append((above, under, run, offset, chances[index - first]))
            above, under = run, offset

    def _below(self, above: Run | None, under: int, token: int) -> tuple[Run, int]:
        """Where a token lies that was added below node `under` of run `above`."""
        if above is not None and under + 1 < len(above.tokens) and above.tokens[under + 1] == token:
            return above, under + 1
        siblings = self._roots if above is None else [fork for fork in above.forks if fork.offset == under]
        run = _starting(siblings, token)
        assert run is not None
        return run, 0

    def _add(self, branch: Branch) -> None:
        tokens = branch.tokens
        survival = np.asarray(branch.survival, dtype=np.float64)
        parent, offset, at, siblings = None, -1, 0, self._roots
        while run := _starting(siblings, tokens[at]):
            shared = _common(run.tokens, tokens, at)
            if survival[at + shared - 1] > run.survival[shared - 1]:
                higher = np.maximum(run.survival[:shared], survival[at : at + shared])
                run.survival = np.concatenate((higher, run.survival[shared:]))
            _raise_worth(run, shared, branch.value)
            at += shared
            if at == len(tokens):
                return
            parent, offset = run, shared - 1
            siblings = [fork for fork in run.forks if fork.offset == offset]
        left = _left(parent, offset, siblings)
        if branch.chances is not None or branch.probe:
            left = max(left, _UNLIKELY)
        if left <= 0.0:
            return
        if at:
            tokens, survival = tokens[at:], survival[at:]
        if survival[0] > left:
            survival = survival * (left / survival[0])
        source = self._sources.setdefault(branch.source, len(self._sources))
        added = Run(parent, offset, tokens, survival, source, [])
        _raise_worth(added, len(tokens), branch.value)
        (self._roots if parent is None else parent.forks).append(added)
        self.runs.append(added)


def _starting(runs: Sequence[Run], token: int) -> Run | None:
    for run in runs:
        if run.tokens[0] == token:
            return run
    return None


def _first(run: Run) -> float:
    return float(run.survival[0])


def _onward(run: Run) -> Run | None:
    """The first fork that is likelier than to go on in the run itself."""
    for fork in sorted(run.forks, key=lambda fork: (fork.offset, -_first(fork))):
        after = fork.offset + 1
        if after == len(run.tokens) or _first(fork) > run.survival[after]:
            return fork
    return None


def _raise_worth(run: Run, count: int, value: float) -> None:
    """The first `count` nodes are worth at least `value` tokens each."""
    if value == 1.0 and run.worth is None:
        return
    worth = run.survival.copy() if run.worth is None else np.maximum(run.worth, run.survival)
    worth[:count] = np.maximum(worth[:count], value * run.survival[:count])
    run.worth = worth


def _left(parent: Run | None, offset: int, siblings: Sequence[Run]) -> float:
    """The survival that the children of a node have not yet claimed."""
    total = 1.0 if parent is None else float(parent.survival[offset])
    claimed = sum(float(run.survival[0]) for run in siblings)
    if parent is not None and offset + 1 < len(parent.tokens):
        claimed += float(parent.survival[offset + 1])
    return total - claimed


def _common(run: Sequence[int], branch: Sequence[int], start: int) -> int:
    """How many tokens of `run` and of `branch` from `start` on agree."""
    most = min(len(run), len(branch) - start)
    ahead = branch[start : start + most]
    if run[:most] == ahead:
        return most
    return next((i for i, (mine, theirs) in enumerate(zip(run, ahead, strict=False)) if mine != theirs), most)


def _flatten(runs: Sequence[Run], kept: Sequence[int], names: tuple[str, ...]) -> TokenTree:
    """The kept nodes, run after run. A single run is the common case and costs no more than its chain."""
    count = sum(kept)
    parents = np.arange(-1, count - 1, dtype=np.int32)
    depths = np.arange(1, count + 1, dtype=np.int32)
    sources = np.zeros(count, dtype=np.int8)
    chain = _chain_ancestors(count)
    ancestors = chain.copy()
    tokens: list[int] = []
    for run, length in zip(runs, kept, strict=True):
        run.kept = length
        if length == 0:
            continue
        start, stop = len(tokens), len(tokens) + length
        run.start = start
        tokens += run.tokens[:length]
        sources[start:stop] = run.source
        if start:
            above = -1 if run.parent is None else run.parent.start + run.offset
            parents[start] = above
            depths[start:stop] -= start - (0 if above < 0 else depths[above])
            ancestors[start:stop] ^= chain[start - 1]
            if above >= 0:
                ancestors[start:stop] |= ancestors[above]
    return TokenTree(
        tokens=np.array(tokens, dtype=np.int64),
        parents=parents,
        depths=depths,
        sources=sources,
        ancestors=ancestors,
        names=names,
    )


@lru_cache(maxsize=512)
def _chain_ancestors(count: int) -> NDArray[np.uint64]:
    """uint64[count, ceil(count / 64)]: row i has bits 0..i."""
    bits = np.tri(count, -(-count // 64) * 64, dtype=np.uint8)
    words = np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    words.flags.writeable = False
    return words
