"""Which requests of a pass begin with the same pages, so that attention reads these once for all of their rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastedit_kernels.tree_attention.span import PAGE, Batch

# Queries whose partial results take the bytes of a page in bf16: a query of a shared prefix has one more result than it
# would need, and one of its own, both in float32, written and read.
QUERIES_A_PAGE = 16
WORTH = 8  # a plan that saves less than this part of what is read is not worth its larger tiles

Numbers = NDArray[np.integer]


class Shared(NamedTuple):
    """Runs of requests side by side, each [runs]: the first request, the one after the last, and how many pages, all of
    them committed, these begin with."""

    first: Numbers
    stop: Numbers
    pages: Numbers

    def most_rows(self, batch: Batch) -> int:
        """Of any request or run: those that one read of a page can serve."""
        each = int(batch.counts.max())
        if not len(self.first):
            return each
        return max(each, int((batch.starts[self.stop] - batch.starts[self.first]).max()))

    def run_of(self, requests: int) -> NDArray[np.int64]:
        """The run of each request; -1 where it has none."""
        steps = np.zeros(requests + 1, dtype=np.int64)
        number = np.arange(1, len(self.first) + 1)
        steps[self.first] += number
        steps[self.stop] -= number
        run: NDArray[np.int64] = np.cumsum(steps)[:-1] - 1
        return run


_NONE = np.zeros(0, dtype=np.int64)
ALONE = Shared(_NONE, _NONE, _NONE)


def shared_prefixes(batch: Batch, group: int, largest: int) -> Shared:
    """The runs that save most bytes, for tiles of up to `largest` queries and `group` of these a row.

    Requests share what their page tables begin with; only neighbours are compared, so those of one prefix must lie side
    by side. Where runs are nested (all share a system prompt, some a file after it) one level is chosen. A run is kept
    only where the pages that it saves outweigh the partial results that it costs.
    """
    if len(batch.spans) == 1:
        return ALONE
    common = _common(batch)
    depths = np.unique(common[common > 0])
    if not len(depths):
        return ALONE
    # One candidate a depth, all in one row: there requests stay together where they share that much.
    requests, shape = len(batch.spans), (len(depths), len(batch.spans))
    begins = np.ones(shape, dtype=np.bool_)
    begins[:, 1:] = common < depths[:, None]
    depth = np.full(shape, batch.table.shape[1])
    depth[:, 1:] = common
    first = np.flatnonzero(begins)
    pages = np.minimum.reduceat(np.where(begins, batch.table.shape[1], depth).ravel(), first)
    queries = np.tile(batch.counts * group, len(depths))
    own, joint = (np.add.reduceat(numbers, first) for numbers in (-(-queries // largest), queries))
    saved = QUERIES_A_PAGE * pages * (own + -joint // largest) - joint
    candidate = first // requests
    savings = np.bincount(candidate, np.maximum(saved, 0))
    best = savings.argmax()
    reads = -(-batch.counts * group // largest) @ -(-(batch.prefixes + batch.counts) // PAGE)
    if savings[best] * WORTH < reads * QUERIES_A_PAGE:
        return ALONE
    kept = (saved > 0) & (candidate == best)
    stop = np.append(first[1:], begins.size)[kept] - best * requests
    return Shared(first[kept] % requests, stop, pages[kept])


def _common(batch: Batch) -> Numbers:
    """How many committed pages each request has in common with the next, from the first on."""
    differs = batch.table[1:] != batch.table[:-1]
    if differs[:, 0].all():
        return _NONE
    whole = np.minimum(batch.prefixes[1:], batch.prefixes[:-1]) // PAGE
    until = np.where(differs.any(1), differs.argmax(1), differs.shape[1])
    common: Numbers = np.minimum(until, whole)
    return common
