"""Keys and values of one request, and what one pass does with those of all its requests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
import torch
from fastedit_kernels.exact import Splits
from fastedit_kernels.exact import attention as exact_attention
from fastedit_kernels.tree_attention import PAGE, Batch, place, tree_attention
from torch import Tensor

from fastedit.errors import TooLong
from fastedit.model.pages import PagePool


class Cache:
    """Slots [0, length) are committed; the rows of the pass in progress lie right after them, in flight.

    A pass is `begin(rows)`, a forward that writes them, then `keep(those that stay)`.
    """

    def __init__(self, pool: PagePool) -> None:
        self._pool = pool
        self.pages = np.empty(0, dtype=np.int32)
        self.length = self.in_flight = 0

    @property
    def capacity(self) -> int:
        return len(self.pages) * PAGE

    def reserve(self, slots: int) -> bool:
        """Take pages for `slots` in all, if there are so many. Raises TooLong for more than there will ever be."""
        self._check(slots)
        missing = -(-slots // PAGE) - len(self.pages)
        if missing > 0:
            taken = self._pool.take(missing)
            if taken is None:
                return False
            self.pages = np.concatenate([self.pages, taken])
        return True

    def adopt(self, tokens: Sequence[int], slots: int, give_up: Callable[[], bool]) -> int | None:
        """Start from what others have published of these tokens, with pages for `slots` in all.

        Returns how many tokens are committed by that. Waits until there are so many, holding none meanwhile; None once
        `give_up` says so. Raises TooLong for more than there will ever be.
        """
        assert self.capacity == 0
        self._check(slots)
        opened = self._pool.open(tokens, -(-slots // PAGE), give_up)
        if opened is None:
            return None
        self.pages = np.concatenate(opened)
        self.length = len(opened[0]) * PAGE
        return self.length

    def publish(self, tokens: Sequence[int]) -> None:
        """Let others adopt the full pages of `tokens`, which are those that are committed, from the first on."""
        self._pool.publish(tokens[: self.length], self.pages)

    def begin(self, rows: int) -> None:
        """Make room for a pass. Raises TooLong where there is none."""
        if not self.reserve(self.length + rows):
            raise TooLong(f"no room for {self.length + rows} tokens: other edits hold the cache, try again")
        self.in_flight = rows

    def keep(self, rows: Sequence[int], *, moved: bool = False) -> None:
        """Commit these in-flight rows, in this order, and drop the rest. Rows ascend; `moved` ones lie in front."""
        if not moved:
            kept = np.asarray(rows, dtype=np.int64)
            places = np.flatnonzero(kept != np.arange(len(kept)))
            if len(places):
                source, target = kept[places] + self.length, places + self.length
                self._pool.move(place(self.pages, source), place(self.pages, target))
        self.length += len(rows)
        self.in_flight = 0

    def truncate(self, length: int) -> None:
        """Forget every slot from `length` on. The pages stay; what was published must not be written again."""
        assert 0 <= length <= self.length
        self.length, self.in_flight = length, 0

    def free(self) -> None:
        """Give the pages back; the cache is empty again."""
        pages, self.pages = self.pages, np.empty(0, dtype=np.int32)
        self.length = self.in_flight = 0
        self._pool.release(pages)

    def _check(self, slots: int) -> None:
        if slots > self._pool.slots:
            raise TooLong(f"{slots} tokens do not fit in a cache of {self._pool.slots}: shorten the region")

    def check_integrity(self) -> None:
        """Raises AssertionError where the bookkeeping and the storage disagree."""
        assert 0 <= self.length <= self.length + self.in_flight <= self.capacity
        assert len(set(self.pages.tolist())) == len(self.pages)
        committed = torch.from_numpy(place(self.pages, np.arange(self.length)))
        for store in (*self._pool.keys, *self._pool.values):
            assert store is None or bool(torch.isfinite(store[committed.to(store.device)]).all())


class Attention(Protocol):
    """Attention of a pass's rows, q [rows, heads, d], to the stores of a layer, k and v [slots, kv_heads, d]."""

    def __call__(
        self, q: Tensor, k: Tensor, v: Tensor, *, scale: float, window: int | None = None
    ) -> Tensor: ...


class Memory:
    """Where one pass writes its keys and values, and what its rows see of them.

    transformers takes it as its own cache: the rows are written, and attention reads them by itself.
    """

    def __init__(self, pool: PagePool, slots: Tensor, attention: Attention) -> None:
        self._pool, self.slots, self._attention = pool, slots, attention

    @classmethod
    def of(cls, pool: PagePool, batch: Batch, *, exact: bool = False) -> Memory:
        """With attention in plain torch."""
        attend = (
            partial(exact_attention, splits=Splits(batch)) if exact else partial(tree_attention, batch=batch)
        )
        return cls(pool, torch.from_numpy(batch.slots).to(pool.device), attend)

    def write(self, layer: int, k: Tensor, v: Tensor) -> None:
        """k and v [rows, kv_heads, d]."""
        for stores, new in ((self._pool.keys, k), (self._pool.values, v)):
            store = self._pool.store(stores, layer, *new.shape[1:])
            store.index_copy_(0, self.slots, new.to(self._pool.dtype))

    def place(self, layer: int, heads: int, size: int) -> tuple[Tensor, Tensor, Tensor]:
        """For those that write by themselves: each row's slot, and the layer's keys and values [slots, heads, size]."""
        keys, values = (
            self._pool.store(stores, layer, heads, size) for stores in (self._pool.keys, self._pool.values)
        )
        return self.slots, keys, values

    def attend(self, layer: int, q: Tensor, *, scale: float, window: int | None = None) -> Tensor:
        """q [rows, heads, d] -> [rows, heads, dv], after the layer's write."""
        k, v = self._pool.keys[layer], self._pool.values[layer]
        assert k is not None
        assert v is not None
        return self._attention(q, k, v, scale=scale, window=window)

    def update(
        self, k: Tensor, v: Tensor, layer_idx: int, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """transformers' way to write: k and v [1, kv_heads, rows, d], handed back as they are."""
        self.write(layer_idx, k[0].transpose(0, 1), v[0].transpose(0, 1))
        return k, v
