"""Which rows of a pass belong to one request, and what they may look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

PAGE = 64  # slots of a page; one page is one tile of the attention kernel


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """The rows of one request: a trunk, which is a chain, then the nodes of a forest that grows from its end.

    The request's slots are 0..prefix-1, committed, at the positions of the same numbers, then one a row.
    Slot s lies in page `pages[s // PAGE]` at s % PAGE. `positions` int64 [rows] is what RoPE turns by (depth,
    not index). `ancestors` uint64 [nodes, words]: bit j % 64 of word j // 64 of row i is set where node i sees
    node j; every node sees itself, the trunk and the committed slots.
    """

    prefix: int
    trunk: int
    positions: NDArray[np.int64]
    ancestors: NDArray[np.uint64]
    pages: NDArray[np.int32]

    @property
    def rows(self) -> int:
        return len(self.positions)

    @property
    def end(self) -> int:
        """One slot after the last that any row may see."""
        return self.prefix + self.rows

    def slots(self, start: int, stop: int) -> NDArray[np.int64]:
        """Where this request's slots `start` up to `stop` lie in a store."""
        return place(self.pages, np.arange(start, stop))

    def sees(self) -> NDArray[np.bool_]:
        """bool [rows, rows]: which rows see which."""
        sees = np.tri(self.rows, dtype=np.bool_)
        if self.trunk < self.rows:
            sees[self.trunk :, self.trunk :] = unpack(self.ancestors, self.rows - self.trunk)
        return sees


class Batch:
    """The rows of one pass: those of several requests, one after the other.

    Of each request: `counts` rows, `prefixes` committed slots, `trunks` rows of the trunk, `starts` [requests + 1] its
    first row, `table` int32 [requests, most pages] its pages, filled up with 0. Of each row: `of_row` its request,
    `own` its slot within that, `slots` where its key and value lie in a store, and `positions`.
    """

    def __init__(self, spans: Sequence[Span]) -> None:
        self.spans = tuple(spans)
        self.counts, self.prefixes, self.trunks = np.array(
            [(span.rows, span.prefix, span.trunk) for span in spans], dtype=np.int64
        ).T
        self.starts = np.zeros(len(spans) + 1, dtype=np.int64)
        self.counts.cumsum(out=self.starts[1:])
        self.rows = int(self.starts[-1])
        self.of_row = np.arange(len(spans)).repeat(self.counts)
        self.own = np.arange(self.rows) + (self.prefixes - self.starts[:-1])[self.of_row]
        self.positions = np.concatenate([span.positions for span in spans])
        self.table = _table([span.pages for span in spans])
        self.slots = self.table[self.of_row, self.own // PAGE].astype(np.int64) * PAGE + self.own % PAGE
        self._biases: dict[tuple[int, torch.dtype, torch.device, int | None], Tensor | None] = {}

    def bias(self, index: int, like: Tensor, window: int | None) -> Tensor | None:
        """What is added to the scores of span `index`: [rows, end], 0 or -inf; None where every slot is seen.

        With a window of w, a row at position p sees positions p-w+1..p. Made once and shared by every layer.
        """
        key = (index, like.dtype, like.device, window)
        if key not in self._biases:
            hidden = _hidden(self.spans[index], window)
            bias = None if hidden is None else np.where(hidden, np.float32(-np.inf), np.float32(0))
            self._biases[key] = None if bias is None else torch.from_numpy(bias).to(like.device, like.dtype)
        return self._biases[key]


def _table(pages: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    table = np.zeros((len(pages), max(map(len, pages))), dtype=np.int32)
    for row, one in zip(table, pages, strict=True):
        row[: len(one)] = one
    return table


def _hidden(span: Span, window: int | None) -> NDArray[np.bool_] | None:
    if span.rows == 1 and (window is None or span.prefix < window):
        return None
    hidden = np.zeros((span.rows, span.end), dtype=np.bool_)
    hidden[:, span.prefix :] = ~span.sees()
    if window is not None:
        keys = np.concatenate([np.arange(span.prefix), span.positions])
        hidden |= span.positions[:, None] - keys >= window
    return hidden


def place(pages: NDArray[np.int32], own: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where a request's own slots lie in a store."""
    return pages[own // PAGE].astype(np.int64) * PAGE + own % PAGE


def ancestor_words(
    ancestors: Sequence[NDArray[np.uint64]], first: Sequence[int] | NDArray[np.int64], rows: int
) -> NDArray[np.int32]:
    """Ancestor words of several forests, 32 bits a word, each from its first row on; 0 for all other rows."""
    words = np.zeros((rows, max(1, *(2 * one.shape[1] for one in ancestors))), dtype=np.int32)
    for one, at in zip(ancestors, first, strict=True):
        words[at : at + len(one), : 2 * one.shape[1]] = one.astype("<u8", copy=False).view("<i4")
    return words


def unpack(words: NDArray[np.uint64], nodes: int) -> NDArray[np.bool_]:
    """Ancestor words uint64 [n, words] -> bool [n, n]; bit j % 64 of word j // 64 becomes column j."""
    octets = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=nodes, bitorder="little").astype(np.bool_)
