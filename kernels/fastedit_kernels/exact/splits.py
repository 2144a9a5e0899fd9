"""What the rows of a pass see, by position instead of by slot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastedit_kernels.tree_attention.span import PAGE, Batch, Span, place, unpack

SPLIT = PAGE  # positions; a split begins at a multiple of it, whatever is committed
BLOCK = 8  # rows whose products share an operand: fewer would waste its reads, more the padding after a tree

Slots = NDArray[np.int64]


class RowBlock(NamedTuple):
    """Up to BLOCK rows of one request with the splits `first` up to `stop` that they see.

    `rows` count from the request's first. Without `own`, position p has slot p for all of them; else own [1 or rows,
    (stop - first) * SPLIT] is where each row's ancestors lie in a store, in the order of their depth: one line where
    all rows lie on one path. Positions that a row does not see have the slot of one that is seen.
    """

    rows: slice
    positions: Slots
    first: int
    stop: int
    own: Slots | None = None

    @property
    def together(self) -> bool:
        """Whether all rows read the same keys."""
        return self.own is None or len(self.own) == 1


class Request(NamedTuple):
    """`shared` [splits * SPLIT] is where its slots lie that are positions of the same number. A row's results are those
    of the blocks of its group, one after the other."""

    rows: int
    shared: Slots
    groups: list[tuple[RowBlock, ...]]


class Splits:
    """The rows of a pass, request after request."""

    def __init__(self, batch: Batch) -> None:
        self.requests = [_request(span) for span in batch.spans]


def _request(span: Span) -> Request:
    forest = span.prefix + span.trunk
    shared = np.arange(-(-forest // SPLIT) * SPLIT)
    shared[forest:] = 0
    return Request(span.rows, place(span.pages, shared), [*_trunk(span), *_tree(span)])


def _trunk(span: Span) -> Iterator[tuple[RowBlock, ...]]:
    for first in range(0, span.trunk, BLOCK):
        rows = slice(first, min(first + BLOCK, span.trunk))
        yield (RowBlock(rows, span.positions[rows], 0, -(-(span.prefix + rows.stop) // SPLIT)),)


def _tree(span: Span) -> Iterator[tuple[RowBlock, ...]]:
    if span.trunk == span.rows:
        return
    first = (span.prefix + span.trunk) // SPLIT
    sees = unpack(span.ancestors, span.rows - span.trunk)
    for start in range(span.trunk, span.rows, BLOCK):
        rows = slice(start, min(start + BLOCK, span.rows))
        positions = span.positions[rows]
        stop = int(positions.max()) // SPLIT + 1
        lines = sees[start - span.trunk : rows.stop - span.trunk]
        if not (lines & ~lines[-1]).any():  # every row lies on the last one's path, as most of a draft does
            lines = lines[-1:]
        own = _own(span, first, stop, [np.flatnonzero(line) for line in lines])
        yield RowBlock(rows, positions, 0, first), RowBlock(rows, positions, first, stop, own)


def _own(span: Span, first: int, stop: int, paths: Sequence[Slots]) -> Slots:
    forest = span.prefix + span.trunk
    trunk = forest - first * SPLIT
    own = np.zeros((len(paths), (stop - first) * SPLIT), dtype=np.int64)
    own[:, :trunk] = np.arange(first * SPLIT, forest)
    for line, path in zip(own, paths, strict=True):
        line[trunk : trunk + len(path)] = forest + path
    return place(span.pages, own)
