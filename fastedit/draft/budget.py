"""How many proposed tokens are worth a pass: the rows that bring most expected tokens per millisecond."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from time import perf_counter, thread_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastedit.draft.base import Branch
from fastedit.draft.tree import Merger, TokenTree


@dataclass(frozen=True, slots=True)
class CostTable:
    """Measured pass times: `ms[i]` for `rows[i]` rows, rows rising; linear between the entries."""

    rows: tuple[int, ...]
    ms: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.rows or len(self.rows) != len(self.ms) or any(np.diff(self.rows) <= 0):
            raise ValueError(
                f"a cost table needs rising rows and a time for each, not {self.rows}, {self.ms}"
            )

    def cost(self, rows: int) -> float:
        """Milliseconds of a pass over `rows` rows; beyond the last entry the last slope goes on."""
        return float(_costs(self, rows)[rows])


def clock_for(device: str) -> Callable[[], float]:
    """The clock of cost tables, and so of everything that is weighed against them, in seconds.

    On a processor the thread's own time counts: what else runs there lengthens a pass or a draft and says nothing about
    its rows.
    """
    # On Windows that clock ticks 64 times a second.
    return thread_time if device == "cpu" and sys.platform != "win32" else perf_counter


@lru_cache(maxsize=64)
def _costs(table: CostTable, most: int) -> NDArray[np.float64]:
    """float64[most + 1]: milliseconds by number of rows."""
    counts = np.arange(most + 1)
    costs = np.interp(counts, table.rows, table.ms)
    if len(table.rows) > 1 and most > table.rows[-1]:
        slope = (table.ms[-1] - table.ms[-2]) / (table.rows[-1] - table.rows[-2])
        costs += np.maximum(counts - table.rows[-1], 0) * slope
    return costs


@lru_cache(maxsize=64)
def _least_slope(table: CostTable) -> float:
    """Milliseconds that a further row costs at the least."""
    if len(table.rows) == 1:
        return 0.0
    return max(0.0, float(np.min(np.diff(table.ms) / np.diff(table.rows))))


class Pace:
    """Tokens per millisecond that a decoding reaches, passes costed by the table.

    A row is worth what the milliseconds that it costs would bring elsewhere. Measuring that by this very decoding
    and choosing by it again is Dinkelbach's (1967) way to the best ratio of sums.
    """

    def __init__(self, table: CostTable) -> None:
        self._table = table
        self._tokens, self._ms = 800.0, 20 * table.cost(32)  # what edits reach as a rule

    @property
    def rate(self) -> float:
        return self._tokens / self._ms

    @staticmethod
    def joint(paces: Sequence[Pace]) -> float:
        """The rate of decodings that share their passes."""
        return sum(pace._tokens for pace in paces) / sum(pace._ms for pace in paces)

    def observe(self, rows: int, tokens: int, share: float = 1.0, draft_ms: float = 0.0) -> None:
        """A pass over `rows` rows, `share` of them for this decoding, has brought it `tokens` tokens.

        `draft_ms` is what drafters with a price have taken for it.
        """
        self._tokens += tokens
        self._ms += self._table.cost(rows) * share + draft_ms


class RequestDrafts(NamedTuple):
    """What one request could draft: all its branches, merged, and the most nodes that it may have.

    Tokens that must be verified are taken whatever they bring; where they are too many, they are as good as others.
    `tree` is what `share` gives it where no other rows are in the pass, if that is known already.
    """

    merger: Merger
    most: int
    tree: TokenTree | None = None


def merge(branches: Sequence[Branch], table: CostTable, rate: float) -> Merger:
    """The branches that could pay at this rate, merged. Branches are given the most trusted first."""
    return Merger(branches, rate * _least_slope(table) / _saved(table, rate, 1))


def _saved(table: CostTable, rate: float, answers: int) -> float:
    """How many tokens a branch's first one is worth: it saves an answer its share of a pass, and `rate` tokens come in
    a millisecond. Those after it would be copied as fast in the next pass."""
    return max(1.0, rate * table.cost(answers) / answers)


def share(
    requests: Sequence[RequestDrafts], table: CostTable, limit: int, rate: float, rows: int = 1
) -> list[TokenTree]:
    """The trees, one a request and together of at most `limit` nodes, that a pass over `rows` other rows should verify.

    Nodes are taken in order of survival, whosever they are, as long as they bring more tokens than would come elsewhere
    in the time that they cost, at `rate` tokens per millisecond (see Pace).
    """
    held = _held(requests, limit)
    first = _saved(table, rate, len(requests))
    survivals = [_within(drafts, taken, first) for drafts, taken in zip(requests, held, strict=True)]
    survival = np.concatenate(survivals)
    most = min(limit, int(np.count_nonzero(survival)))
    if most <= 0:
        return [TokenTree.empty()] * len(requests)
    forced = np.concatenate(
        [np.zeros(len(part)) if taken is None else taken for part, taken in zip(survivals, held, strict=True)]
    )
    order = (-survival - forced).argsort(kind="stable")[:most]
    tokens = np.zeros(most + 1)
    survival[order].cumsum(out=tokens[1:])
    costs = _costs(table, rows + limit)[rows : rows + most + 1]
    least = int(forced.sum())  # what they cost is spent in any case: others have to pay for themselves alone
    best = least + int((tokens - rate * costs)[least:].argmax())
    kept = np.zeros(len(survival), dtype=np.int64)
    kept[order[:best]] = 1
    parts = np.split(kept, np.cumsum([len(part) for part in survivals])[:-1])
    return [
        _tree(drafts.merger, part, offers=taken is not None)
        for drafts, part, taken in zip(requests, parts, held, strict=True)
    ]


def _held(requests: Sequence[RequestDrafts], limit: int) -> list[NDArray[np.bool_] | None]:
    """For each request the nodes that must be taken, for they lead to tokens that must be verified; None where none
    does.

    Which requests may keep theirs depends on how many tokens they drew, and never on which.
    """
    must = [drafts.merger.must for drafts in requests]
    if sum(must) > limit:
        return [None] * len(requests)
    return [
        drafts.merger.held() if 0 < count <= drafts.most else None
        for drafts, count in zip(requests, must, strict=True)
    ]


def _within(drafts: RequestDrafts, held: NDArray[np.bool_] | None, first: float) -> NDArray[np.float64]:
    """What a request's nodes are expected to bring; 0 for those beyond the most that it may have."""
    if not drafts.merger.runs:
        return np.zeros(0)
    survival = drafts.merger.worth(first)
    if len(survival) > drafts.most:
        order = -survival if held is None else -survival - held
        survival = survival.copy()
        survival[order.argsort(kind="stable")[max(drafts.most, 0) :]] = 0.0
    return survival


def _tree(merger: Merger, kept: NDArray[np.int64], *, offers: bool) -> TokenTree:
    """The nodes marked 1, which are a beginning of each run."""
    if not kept.any():
        return TokenTree.empty()
    starts = list(accumulate((len(run.tokens) for run in merger.runs[:-1]), initial=0))
    return merger.tree(np.add.reduceat(kept, starts).tolist(), offers=offers)
