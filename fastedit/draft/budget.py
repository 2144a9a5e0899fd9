"""How many proposed tokens are worth a pass: the rows that bring most expected tokens per millisecond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

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


@lru_cache(maxsize=64)
def _costs(table: CostTable, most: int) -> NDArray[np.float64]:
    """float64[most + 1]: milliseconds by number of rows."""
    counts = np.arange(most + 1)
    costs = np.interp(counts, table.rows, table.ms)
    if len(table.rows) > 1 and most > table.rows[-1]:
        slope = (table.ms[-1] - table.ms[-2]) / (table.rows[-1] - table.rows[-2])
        costs += np.maximum(counts - table.rows[-1], 0) * slope
    return costs


def choose(branches: Sequence[Branch], table: CostTable, limit: int) -> TokenTree:
    """The tree of at most `limit` nodes that a pass should verify.

    Nodes are taken in order of survival, up to where the expected tokens per millisecond are highest. A pass
    has one row more than nodes, for the last committed token, and yields one token more than it accepts.
    """
    merger = Merger(branches)
    if not merger.runs or limit <= 0:
        return TokenTree.empty()
    survival = merger.survival()
    order = np.argsort(-survival, kind="stable")[:limit]
    taken = survival[order]
    tokens = 1.0 + np.concatenate(([0.0], np.cumsum(taken)))
    best = int(np.argmax(tokens / _costs(table, limit + 1)[1 : len(tokens) + 1]))
    if len(merger.runs) == 1:
        return merger.tree([best])
    kept = np.zeros(len(survival), dtype=np.int64)
    kept[order[:best]] = 1
    starts = np.cumsum([0, *(len(run.tokens) for run in merger.runs[:-1])])
    return merger.tree(np.add.reduceat(kept, starts).tolist())
