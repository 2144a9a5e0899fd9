"""How the attention of a pass is cut into programs of about equal work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from fastedit_kernels.tree_attention.span import PAGE, Batch, Span

Ints = NDArray[np.int32]
LEAST_PAGES = 4  # a program that reads fewer keys than this is mostly its own start
EXACT_PAGES = 16  # of an item whose extent must not depend on anything else


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of a model, as far as attention's work is cut by them."""

    heads: int
    kv_heads: int
    size: int

    @property
    def group(self) -> int:
        return self.heads // self.kv_heads


@dataclass(frozen=True, slots=True)
class Plan:
    """What the kernel reads of a pass, int32 on the device.

    A *query* is one row and one of the heads that share a KV head; those of a request are numbered row by row. A tile
    is `block` queries of one request; an item is a tile with a stretch of the slots that it sees. With R requests:

    spans [R, 4]    first row, prefix, prefix + trunk, end
    table [R, P]    pages
    rows [N, 2]     how many slots a row sees from the first on; its position
    words [N, W]    a node's ancestors, 32 a word; 0 for rows of the trunk
    tiles [T, 5]    request, first query, last query + 1, first item, number of items
    items [I, 4]    tile, first slot, last slot + 1, number among the partial results (-1: the tile's only item)
    counts [2]      tiles, items; what lies behind them is left over from earlier passes

    In an `exact` plan a tile is one row, its slots are positions, and an item is EXACT_PAGES pages of these.
    """

    block: int
    parts: int
    exact: bool
    spans: Tensor
    table: Tensor
    rows: Tensor
    words: Tensor
    tiles: Tensor
    items: Tensor
    counts: Tensor

    @classmethod
    def of(cls, block: int, parts: int, tensors: Mapping[str, Tensor], *, exact: bool = False) -> Plan:
        names = ("spans", "table", "rows", "words", "tiles", "items", "counts")
        return cls(block, parts, exact, *(tensors[name] for name in names))


def block_for(rows: int, heads: Heads) -> int:
    """Queries of a tile, for requests of up to `rows` rows: enough for the tensor cores, no more than there are."""
    most = 64 if heads.size > 128 else 128
    return min(most, max(16, 1 << (rows * heads.group - 1).bit_length()))


def exact_block(heads: Heads) -> int:
    """Queries of a tile that holds one row."""
    return max(16, 1 << (heads.group - 1).bit_length())


def plan_arrays(
    batch: Batch, heads: Heads, block: int, programs: int, *, exact: bool = False
) -> tuple[dict[str, Ints], int]:
    """The arrays of a plan whose items, times the KV heads, are about `programs` programs; and its partial results."""
    table = np.zeros((len(batch.spans), max(len(span.pages) for span in batch.spans)), dtype=np.int32)
    for index, span in enumerate(batch.spans):
        table[index, : len(span.pages)] = span.pages
    starts = batch.starts[:-1]
    spans = [
        (start, s.prefix, s.prefix + s.trunk, s.end) for start, s in zip(starts, batch.spans, strict=True)
    ]
    if exact:
        tiles = np.concatenate([_rows(i, span, heads.group) for i, span in enumerate(batch.spans)])
        items, tiles[:, 3], tiles[:, 4] = _fixed_items(tiles[:, 3])
    else:
        tiles = np.concatenate([_tiles(i, span, heads.group, block) for i, span in enumerate(batch.spans)])
        items, tiles[:, 3], tiles[:, 4] = _items(tiles[:, 3], heads.kv_heads, programs)
    arrays = {
        "spans": np.array(spans, dtype=np.int32),
        "table": table,
        "rows": np.stack([np.concatenate([_reach(span) for span in batch.spans]), batch.positions], axis=1),
        "words": _words(batch),
        "tiles": tiles,
        "items": items,
        "counts": np.array([len(tiles), len(items)], dtype=np.int32),
    }
    return arrays, int((items[:, 3] >= 0).sum())


def capacity(
    rows: int, requests: int, pages: int, heads: Heads, block: int, programs: int, *, exact: bool = False
) -> dict[str, tuple[int, ...]]:
    """Shapes that hold the plan of any pass of up to so many rows, requests, and pages a request."""
    tiles = rows if exact else -(-rows * heads.group // block) + requests
    items = rows * -(-pages // EXACT_PAGES) if exact else 2 * tiles + -(-programs // heads.kv_heads)
    return {
        "spans": (requests, 4),
        "table": (requests, pages),
        "rows": (rows, 2),
        "words": (rows, 16),
        "tiles": (tiles, 5),
        "items": (items, 4),
        "counts": (2,),
    }


def _reach(span: Span) -> NDArray[np.int64]:
    return span.prefix + np.minimum(np.arange(span.rows) + 1, span.trunk)


def _tiles(index: int, span: Span, group: int, block: int) -> Ints:
    """A request's tiles; in place of the first item stands the last slot + 1 that the tile sees."""
    queries = span.rows * group
    first = np.arange(0, queries, block)
    stop = np.minimum(first + block, queries)
    last_row = (stop - 1) // group
    ends = np.where(last_row < span.trunk, span.prefix + last_row + 1, span.end)
    return np.stack([np.full_like(first, index), first, stop, ends, ends], axis=1).astype(np.int32)


def _rows(index: int, span: Span, group: int) -> Ints:
    """A tile a row; in place of the first item stands the last position + 1 that the row sees."""
    first = np.arange(span.rows) * group
    ends = span.positions + 1
    return np.stack([np.full_like(first, index), first, first + group, ends, ends], axis=1).astype(np.int32)


def _fixed_items(ends: Ints) -> tuple[Ints, Ints, Ints]:
    each = EXACT_PAGES * PAGE
    counts = -(-ends // each)
    first = np.cumsum(counts) - counts
    tile = np.repeat(np.arange(len(ends)), counts)
    begin = (np.arange(len(tile)) - first[tile]) * each
    split = counts[tile] > 1
    part = np.where(split, np.cumsum(split) - 1, -1)
    return (
        np.stack([tile, begin, np.minimum(begin + each, ends[tile]), part], axis=1).astype(np.int32),
        first,
        counts,
    )


def _items(ends: Ints, kv_heads: int, programs: int) -> tuple[Ints, Ints, Ints]:
    """Items [I, 4], and for each tile its first item and how many it has."""
    pages = -(-ends // PAGE)
    each = max(LEAST_PAGES, -(-int(pages.sum()) * kv_heads // programs))
    counts = -(-pages // each)
    first = np.cumsum(counts) - counts
    tile = np.repeat(np.arange(len(ends)), counts)
    number = np.arange(len(tile)) - first[tile]
    # Pieces of a tile differ by a page at most.
    begin = number * pages[tile] // counts[tile] * PAGE
    stop = np.minimum((number + 1) * pages[tile] // counts[tile] * PAGE, ends[tile])
    split = counts[tile] > 1
    part = np.where(split, np.cumsum(split) - 1, -1)
    return np.stack([tile, begin, stop, part], axis=1).astype(np.int32), first, counts


def _words(batch: Batch) -> Ints:
    most = max(1, max(2 * span.ancestors.shape[1] for span in batch.spans))
    words = np.zeros((batch.rows, most), dtype=np.int32)
    for start, span in zip(batch.starts, batch.spans, strict=False):
        if span.trunk < span.rows:
            halves = np.ascontiguousarray(span.ancestors, dtype="<u8").view("<i4")
            words[start + span.trunk : start + span.rows, : halves.shape[1]] = halves
    return words
