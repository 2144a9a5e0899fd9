"""Tiles of queries: which of them read which slots together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastedit_kernels.tree_attention.shared import Shared
from fastedit_kernels.tree_attention.span import PAGE, Batch

Numbers = NDArray[np.integer]


class Tiles(NamedTuple):
    """Of each tile its (first) request, its first query and the one after its last, the slots (exact: positions) it
    reads, the first tile of a shared prefix (-1: none), and whether other tiles have its queries too."""

    request: Numbers
    first: Numbers
    stop: Numbers
    begin: Numbers
    end: Numbers
    prefix: Numbers
    partial: NDArray[np.bool_]


def first_tiles(batch: Batch, group: int, block: int) -> Numbers:
    """Of each row the first tile of its request."""
    counts = -(-(batch.counts * group) // block)
    first: Numbers = (counts.cumsum() - counts)[batch.of_row]
    return first


def tiles_of(batch: Batch, group: int, block: int, window: int | None) -> Tiles:
    """Of each request by itself."""
    request, first, stop, _ = _in_blocks(batch.starts[:-1] * group, batch.starts[1:] * group, block)
    prefix, trunk = batch.prefixes[request], batch.trunks[request]
    last_row = (stop - 1) // group - batch.starts[request]
    end = prefix + np.where(last_row < trunk, last_row + 1, batch.counts[request])
    begin = np.zeros_like(end)
    if window is not None:
        nearest = prefix + np.minimum(
            first // group - batch.starts[request], trunk
        )  # of the positions of its rows
        begin = np.maximum(nearest - window + 1, 0) // PAGE * PAGE
    return Tiles(request, first, stop, begin, end, *_alone(len(end)))


def _alone(tiles: int) -> tuple[Numbers, NDArray[np.bool_]]:
    """`prefix` and `partial` of tiles that share none."""
    return np.full(tiles, -1), np.zeros(tiles, dtype=np.bool_)


def cascade(own: Tiles, batch: Batch, group: int, block: int, shared: Shared) -> Tiles:
    """The same without the prefixes that requests share, and after them tiles that read each of these once."""
    run, first, stop, before = _in_blocks(
        batch.starts[shared.first] * group, batch.starts[shared.stop] * group, block
    )
    run_of = shared.run_of(len(batch.spans))[own.request]
    shares = run_of >= 0
    return Tiles(
        np.concatenate([own.request, shared.first[run]]),
        np.concatenate([own.first, first]),
        np.concatenate([own.stop, stop]),
        np.concatenate([np.where(shares, shared.pages[run_of] * PAGE, 0), np.zeros_like(run)]),
        np.concatenate([own.end, shared.pages[run] * PAGE]),
        np.concatenate([np.where(shares, len(own.first) + before[run_of], -1), np.full_like(run, -1)]),
        np.concatenate([shares, np.ones(len(run), dtype=np.bool_)]),
    )


def _in_blocks(begin: Numbers, end: Numbers, block: int) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Stretches of queries in blocks: of each block its stretch, its first query and the one after its last; of each
    stretch its first block."""
    counts = -(-(end - begin) // block)
    before = counts.cumsum() - counts
    stretch = np.arange(len(counts)).repeat(counts)
    first = np.arange(len(stretch)) * block + (begin - before * block)[stretch]
    return stretch, first, np.minimum(first + block, end[stretch]), before


def rows_as_tiles(batch: Batch, group: int, window: int | None) -> Tiles:
    row, end = np.arange(batch.rows), batch.positions + 1
    begin = np.zeros_like(end) if window is None else np.maximum(end - window, 0) // PAGE * PAGE
    return Tiles(batch.of_row, row * group, (row + 1) * group, begin, end, *_alone(len(end)))
