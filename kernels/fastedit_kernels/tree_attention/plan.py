"""How the attention of a pass is cut into programs of about equal work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from fastedit_kernels.tree_attention.queries import Tiles, cascade, first_tiles, rows_as_tiles, tiles_of
from fastedit_kernels.tree_attention.shared import ALONE, Shared, shared_prefixes
from fastedit_kernels.tree_attention.span import PAGE, Batch, ancestor_words

Ints = NDArray[np.int32]
Numbers = NDArray[np.integer]
MOST_QUERIES = 1 << 15  # bytes of a tile's queries: with more, registers spill
MOST_ROWS = 1 << 12  # with so many every tile is as large as it gets
LEAST_PAGES = 4  # a program that reads fewer keys than this is mostly its own start
FEW_PAGES = 10  # where programs read fewer, a page is more than a tenth of their work, and is cut in half
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
class PassPlan:
    """What the kernel reads of a pass, int32 on the device.

    A *query* is one row and one of the heads that share a KV head; they are numbered row by row. A tile is `block`
    queries of one request with the slots that it sees, or of several requests with a prefix that they share, which
    their own tiles then leave out (a cascade: Ye et al. 2025, FlashInfer). An item is a tile with a stretch of its
    slots. With R requests:

    spans [R, 4]    first row, prefix, prefix + trunk, end
    table [R, P]    pages
    rows [N, 3]     how many slots a row sees from the first on; its position; the first tile of its request
    words [N, W]    a node's ancestors, 32 a word; 0 for rows of the trunk
    tiles [T, 6]    (first) request, first query, last query + 1, first item, number of items, first tile of the prefix
                    that its request shares (-1: none)
    items [I, 4]    tile, first slot, last slot + 1, number among the partial results (-1: all that its queries see)
    programs [P+1]  a program's first item, which is where the one before it ends
    live [1]        rows; what lies after them is left over from earlier passes

    Tiles, items and programs are those of layers with one window; where layers have several, there is a plan for each,
    and the rest is the same. Programs read about as many pages each, whatever tiles these belong to. In an `exact` plan
    a tile is one row, its slots are positions, and where its items begin and end depends on the row's position alone.
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
    live: Tensor

    @classmethod
    def of(
        cls,
        block: int,
        parts: int,
        tensors: Mapping[str, Tensor],
        *,
        exact: bool = False,
        window: int | None = None,
    ) -> PassPlan:
        same, cut = ("spans", "table", "rows", "words"), ("tiles", "items", "programs")
        names = (*same, *(cut_name(name, window) for name in cut), "live")
        return cls(block, parts, exact, *(tensors[name] for name in names))


def cut_name(name: str, window: int | None) -> str:
    """Of the tiles, items or programs for layers with this window."""
    return name if window is None else f"{name} {window}"


def power(number: int) -> int:
    """The power of two that is not below."""
    return 1 << (number - 1).bit_length()


def block_for(rows: int, heads: Heads, width: int = 2) -> int:
    """Queries of a tile, for requests of up to `rows` rows in numbers of `width` bytes: enough for the tensor cores, no
    more than there are."""
    wide = width if width < 4 else 4 * width  # products of float32 hold operands in parts too
    most = min(128, max(16, MOST_QUERIES // (wide * power(heads.size))))
    return min(most, max(16, power(rows * heads.group)))


def heights(heads: Heads, width: int = 2) -> tuple[int, ...]:
    """The most rows of a request that each tile holds, but for the largest, of which requests take several."""
    found, block = [], 16
    while block < block_for(MOST_ROWS, heads, width):
        found.append(block // heads.group)
        block *= 2
    return tuple(height for height in found if height)


def cut_for(batch: Batch, heads: Heads, width: int, *, windowed: bool = False) -> tuple[int, Shared]:
    """Queries of a tile for this pass, in numbers of `width` bytes, and the prefixes that its requests share.

    Where every layer is `windowed`, little of a prefix is read at all, and each request reads its own.
    """
    shared = ALONE
    if not windowed:
        shared = shared_prefixes(batch, heads.group, block_for(MOST_ROWS, heads, width))
    return block_for(shared.most_rows(batch), heads, width), shared


def exact_block(heads: Heads) -> int:
    """Queries of a tile that holds one row."""
    return max(16, power(heads.group))


class _Items(NamedTuple):
    """Of each item its tile and the slots it reads; of each tile its first item and their number; of each program its
    first item."""

    tile: Numbers
    begin: Numbers
    end: Numbers
    first: Numbers
    pieces: Numbers
    programs: Ints


def plan_arrays(
    batch: Batch,
    heads: Heads,
    block: int,
    programs: int,
    *,
    exact: bool = False,
    window: int | None = None,
    shared: Shared = ALONE,
) -> tuple[dict[str, Ints], int]:
    """The arrays of a plan for about `programs` programs, all KV heads together; and its partial results. `block` and
    `shared` are those of `cut_for`."""
    cut, parts = cut_arrays(batch, heads, block, programs, exact=exact, window=window, shared=shared)
    return seen_arrays(batch, heads, block, exact=exact) | cut, parts


def seen_arrays(batch: Batch, heads: Heads, block: int, *, exact: bool = False) -> dict[str, Ints]:
    """What is the same for all windows: which slots there are, and which each row sees."""
    forest = batch.prefixes + batch.trunks
    reach = np.minimum(batch.own + 1, forest[batch.of_row])
    tile = np.arange(batch.rows) if exact else first_tiles(batch, heads.group, block)
    return {
        "spans": _columns(batch.starts[:-1], batch.prefixes, forest, batch.prefixes + batch.counts),
        "table": batch.table,
        "rows": _columns(reach, batch.positions, tile),
        "words": ancestor_words(
            [span.ancestors for span in batch.spans], batch.starts[:-1] + batch.trunks, batch.rows
        ),
        "live": np.array([batch.rows], dtype=np.int32),
    }


def cut_arrays(
    batch: Batch,
    heads: Heads,
    block: int,
    programs: int,
    *,
    exact: bool = False,
    window: int | None = None,
    shared: Shared = ALONE,
) -> tuple[dict[str, Ints], int]:
    """How the work of layers with this window is cut; and its partial results."""
    most = max(1, programs // heads.kv_heads)
    if exact:
        tiles = rows_as_tiles(batch, heads.group, window)
        items = _fixed_items(tiles, most)
    else:
        tiles = tiles_of(batch, heads.group, block, window)
        if len(shared.first):
            tiles = cascade(tiles, batch, heads.group, block, shared)
        items = _even_items(tiles, most)
    split = ((items.pieces > 1) | tiles.partial)[items.tile]
    parts = split.cumsum()
    arrays = {
        "tiles": _columns(tiles.request, tiles.first, tiles.stop, items.first, items.pieces, tiles.prefix),
        "items": _columns(items.tile, items.begin, items.end, np.where(split, parts - 1, -1)),
        "programs": items.programs,
    }
    return arrays, int(parts[-1])


def capacity(
    rows: int,
    requests: int,
    pages: int,
    heads: Heads,
    block: int,
    programs: Mapping[int | None, int],
    *,
    exact: bool = False,
) -> dict[str, tuple[int, ...]]:
    """Shapes that hold the plan of any pass of up to so many rows, requests, and pages a request, for layers of each
    window with so many programs. Rows of the table are a multiple of 16 wide, as the kernels' other sizes are: Triton
    compiles another kernel where one is not."""
    requests = min(requests, rows)
    # At most every row has a shared prefix too, in runs of two requests or more.
    tiles = rows if exact else 2 * -(-rows * heads.group // block) + requests + requests // 2
    shapes: dict[str, tuple[int, ...]] = {
        "spans": (requests, 4),
        "table": (requests, -(-pages // 16) * 16),
        "rows": (rows, 3),
        "words": (rows, 16),
        "live": (1,),
    }
    for window, number in programs.items():
        most = max(1, number // heads.kv_heads)
        items = rows * min(EXACT_ITEMS, -(-pages // EXACT_PAGES)) if exact else tiles + most
        cut = {"tiles": (tiles, 6), "items": (items, 4), "programs": (most + 1,)}
        shapes |= {cut_name(name, window): shape for name, shape in cut.items()}
    return shapes


def _columns(*columns: Numbers) -> Ints:
    return np.array(columns, dtype=np.int32).T


def _fixed_items(tiles: Tiles, most: int) -> _Items:
    pages = -(-tiles.end // PAGE)
    each = EXACT_PAGES * PAGE * -(-pages // (EXACT_PAGES * EXACT_ITEMS))
    number = tiles.begin // each
    counts = -(-tiles.end // each) - number
    first = np.cumsum(counts) - counts
    tile = np.repeat(np.arange(len(counts)), counts)
    start = (np.arange(len(tile)) - first[tile] + number[tile]) * each[tile]
    begin, end = np.maximum(start, tiles.begin[tile]), np.minimum(start + each[tile], tiles.end[tile])
    read = np.cumsum(end - begin)
    programs = np.searchsorted(read, np.arange(most + 1) * int(read[-1]) // most).astype(np.int32)
    programs[-1] = len(tile)
    return _Items(tile, begin, end, first, counts, programs)


def _even_items(tiles: Tiles, most: int) -> _Items:
    """All pages of all tiles in a row, cut where a program ends and where a tile does (stream-K, Osama et al. 2023)."""
    first, last = tiles.begin // PAGE, -(-tiles.end // PAGE)
    pages, unit = int((last - first).sum()), PAGE
    used = min(most, -(-pages // LEAST_PAGES))
    if pages < FEW_PAGES * used:
        unit //= 2
        first, last = 2 * first, -(-tiles.end // unit)
    behind = (last - first).cumsum()
    total = int(behind[-1])
    bounds = np.arange(used + 1) * total // used
    cuts = np.concatenate([bounds, behind])
    cuts.sort()
    apart = cuts[1:] != cuts[:-1]
    begin, end = cuts[:-1][apart], cuts[1:][apart]
    tile = behind.searchsorted(begin, "right")
    tile_first = tile.searchsorted(np.arange(len(behind) + 1))
    shift = last - behind  # from units of the row to those of the tile
    programs = np.full(most + 1, len(tile), dtype=np.int32)
    programs[:used] = begin.searchsorted(bounds[:-1])
    return _Items(
        tile,
        (begin + shift[tile]) * unit,
        np.minimum((end + shift[tile]) * unit, tiles.end[tile]),
        tile_first[:-1],
        tile_first[1:] - tile_first[:-1],
        programs,
    )
