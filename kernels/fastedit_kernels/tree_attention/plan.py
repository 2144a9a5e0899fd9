"""How the attention of a pass is cut into programs of about equal work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from fastedit_kernels.tree_attention.span import PAGE, Batch

Ints = NDArray[np.int32]
Numbers = NDArray[np.integer]
MOST_QUERIES = 1 << 15  # bytes of a tile's queries: with more, registers spill
LEAST_PAGES = 4  # a program that reads fewer keys than this is mostly its own start
# Exact items have extents that depend on their row's own position only: so many pages, or as many times more as leave
# no row more than so many items, whose results must be kept.
EXACT_PAGES = 16
EXACT_ITEMS = 16


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
    rows [N, 3]     how many slots a row sees from the first on; its position; the tile of its first query
    words [N, W]    a node's ancestors, 32 a word; 0 for rows of the trunk
    tiles [T, 5]    request, first query, last query + 1, first item, number of items
    items [I, 4]    tile, first slot, last slot + 1, number among the partial results (-1: the tile's only item)
    programs [P+1]  a program's first item, which is where the one before it ends
    counts [3]      tiles, items, rows; what lies behind them is left over from earlier passes

    Programs read about as many pages each, whatever tiles these belong to. In an `exact` plan a tile is one row, its
    slots are positions, and where its items begin and end depends on the row's position alone.
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
    programs: Tensor
    counts: Tensor

    @classmethod
    def of(cls, block: int, parts: int, tensors: Mapping[str, Tensor], *, exact: bool = False) -> Plan:
        names = ("spans", "table", "rows", "words", "tiles", "items", "programs", "counts")
        return cls(block, parts, exact, *(tensors[name] for name in names))


def power(number: int) -> int:
    """The power of two that is not below."""
    return 1 << (number - 1).bit_length()


def block_for(rows: int, heads: Heads, width: int = 2) -> int:
    """Queries of a tile, for requests of up to `rows` rows in numbers of `width` bytes: enough for the tensor cores, no
    more than there are."""
    wide = width if width < 4 else 4 * width  # products of float32 hold operands in parts too
    most = min(128, max(16, MOST_QUERIES // (wide * power(heads.size))))
    return min(most, max(16, power(rows * heads.group)))


def exact_block(heads: Heads) -> int:
    """Queries of a tile that holds one row."""
    return max(16, power(heads.group))


class _Tiles(NamedTuple):
    """Of each tile its request, its first query and the one after its last, the slots (exact: positions) it reads; of
    each row the tile of its first query."""

    request: Numbers
    first: Numbers
    stop: Numbers
    begin: Numbers
    end: Numbers
    of_row: Numbers


class _Items(NamedTuple):
    """Of each item its tile and the slots it reads; of each tile its first item and their number; of each program its
    first item."""

    tile: Numbers
    begin: Numbers
    end: Numbers
    first: Numbers
    pieces: Numbers
    programs: Numbers


def plan_arrays(
    batch: Batch, heads: Heads, block: int, programs: int, *, exact: bool = False, window: int | None = None
) -> tuple[dict[str, Ints], int]:
    """The arrays of a plan for about `programs` programs, all KV heads together; and its partial results. `window` is
    that of every layer; None where a layer has none, or they differ."""
    most = max(1, programs // heads.kv_heads)
    if exact:
        tiles = _rows_as_tiles(batch, heads.group, window)
        items = _fixed_items(tiles, most)
    else:
        tiles = _tiles(batch, heads.group, block, window)
        items = _even_items(tiles, most)
    split = items.pieces[items.tile] > 1
    parts = np.cumsum(split)
    reach = batch.prefixes[batch.of_row] + np.minimum(batch.within + 1, batch.trunks[batch.of_row])
    forest = batch.prefixes + batch.trunks
    arrays = {
        "spans": _columns(batch.starts[:-1], batch.prefixes, forest, batch.prefixes + batch.counts),
        "table": batch.table,
        "rows": _columns(reach, batch.positions, tiles.of_row),
        "words": _words(batch),
        "tiles": _columns(tiles.request, tiles.first, tiles.stop, items.first, items.pieces),
        "items": _columns(items.tile, items.begin, items.end, np.where(split, parts - 1, -1)),
        "programs": items.programs.astype(np.int32),
        "counts": np.array([len(tiles.request), len(items.tile), batch.rows], dtype=np.int32),
    }
    return arrays, int(parts[-1])


def capacity(
    rows: int, requests: int, pages: int, heads: Heads, block: int, programs: int, *, exact: bool = False
) -> dict[str, tuple[int, ...]]:
    """Shapes that hold the plan of any pass of up to so many rows, requests, and pages a request."""
    most = max(1, programs // heads.kv_heads)
    tiles = rows if exact else -(-rows * heads.group // block) + requests
    items = rows * min(EXACT_ITEMS, -(-pages // EXACT_PAGES)) if exact else tiles + most
    return {
        "spans": (requests, 4),
        "table": (requests, pages),
        "rows": (rows, 3),
        "words": (rows, 16),
        "tiles": (tiles, 5),
        "items": (items, 4),
        "programs": (most + 1,),
        "counts": (3,),
    }


def _columns(*columns: Numbers) -> Ints:
    found = np.empty((len(columns[0]), len(columns)), dtype=np.int32)
    for index, column in enumerate(columns):
        found[:, index] = column
    return found


def _tiles(batch: Batch, group: int, block: int, window: int | None) -> _Tiles:
    queries = batch.counts * group
    counts = -(-queries // block)
    before = np.cumsum(counts) - counts
    request = np.repeat(np.arange(len(counts)), counts)
    first = (np.arange(len(request)) - before[request]) * block
    stop = np.minimum(first + block, queries[request])
    prefix, trunk = batch.prefixes[request], batch.trunks[request]
    last_row = (stop - 1) // group
    end = prefix + np.where(last_row < trunk, last_row + 1, batch.counts[request])
    begin = np.zeros_like(end)
    if window is not None:
        nearest = prefix + np.minimum(first // group, trunk)  # of the positions of its rows
        begin = np.maximum(nearest - window + 1, 0) // PAGE * PAGE
    of_row = before[batch.of_row] + batch.within * group // block
    return _Tiles(request, first, stop, begin, end, of_row)


def _rows_as_tiles(batch: Batch, group: int, window: int | None) -> _Tiles:
    first, end = batch.within * group, batch.positions + 1
    begin = np.zeros_like(end) if window is None else np.maximum(end - window, 0) // PAGE * PAGE
    return _Tiles(batch.of_row, first, first + group, begin, end, np.arange(batch.rows))


def _fixed_items(tiles: _Tiles, most: int) -> _Items:
    pages = -(-tiles.end // PAGE)
    each = EXACT_PAGES * PAGE * -(-pages // (EXACT_PAGES * EXACT_ITEMS))
    number = tiles.begin // each
    counts = -(-tiles.end // each) - number
    first = np.cumsum(counts) - counts
    tile = np.repeat(np.arange(len(counts)), counts)
    start = (np.arange(len(tile)) - first[tile] + number[tile]) * each[tile]
    begin, end = np.maximum(start, tiles.begin[tile]), np.minimum(start + each[tile], tiles.end[tile])
    read = np.cumsum(end - begin)
    programs = np.searchsorted(read, np.arange(most + 1) * int(read[-1]) // most)
    programs[-1] = len(tile)
    return _Items(tile, begin, end, first, counts, programs)


def _even_items(tiles: _Tiles, most: int) -> _Items:
    """All pages of all tiles in a row, cut where a program ends and where a tile does (stream-K, Osama et al. 2023)."""
    behind = np.cumsum(-(-tiles.end // PAGE) - tiles.begin // PAGE)
    total = int(behind[-1])
    used = min(most, -(-total // LEAST_PAGES))
    bounds = np.arange(used + 1) * total // used
    cuts = np.concatenate([bounds, behind])
    cuts.sort()
    cuts = np.concatenate([cuts[:1], cuts[1:][cuts[1:] != cuts[:-1]]])
    begin, end = cuts[:-1], cuts[1:]
    tile = np.searchsorted(behind, begin, "right")
    tile_first = np.searchsorted(tile, np.arange(len(behind) + 1))
    # From pages of the row to slots of the tile.
    shift = tiles.begin // PAGE - np.concatenate([[0], behind[:-1]])
    programs = np.full(most + 1, len(tile))
    programs[:used] = np.searchsorted(begin, bounds[:-1])
    return _Items(
        tile,
        (begin + shift[tile]) * PAGE,
        np.minimum((end + shift[tile]) * PAGE, tiles.end[tile]),
        tile_first[:-1],
        tile_first[1:] - tile_first[:-1],
        programs,
    )


def _words(batch: Batch) -> Ints:
    widths = np.array([2 * span.ancestors.shape[1] for span in batch.spans])
    words = np.zeros((batch.rows, max(1, int(widths.max()))), dtype=np.int32)
    trees = [span.ancestors for span in batch.spans if span.trunk < span.rows]
    if trees:
        nodes = batch.within >= batch.trunks[batch.of_row]
        holds = nodes[:, None] & (np.arange(words.shape[1]) < widths[batch.of_row, None])
        words[holds] = np.concatenate([tree.ravel() for tree in trees]).astype("<u8", copy=False).view("<i4")
    return words
