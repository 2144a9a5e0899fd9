"""Keys and values of one request: preallocated, contiguous, one slot a token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from fastedit.errors import TooLong

FIRST_CAPACITY = 256


class Cache:
    """Slots [0, length) are committed; the rows of the pass in progress lie right behind them, in flight.

    A pass is `begin(rows)`, one `update` a layer, then `keep(those that stay)`. Storage grows by doubling up
    to `limit` slots. transformers takes it as `past_key_values`.
    """

    def __init__(
        self, layers: int, limit: int, dtype: torch.dtype, device: torch.device | str = "cpu"
    ) -> None:
        self.limit, self.dtype, self.device = limit, dtype, device
        self.length = 0
        self.in_flight = 0
        self.capacity = 0
        # [1, kv_heads, capacity, d] a layer, made when the layer first writes: only then is its shape known.
        self._keys: list[Tensor | None] = [None] * layers
        self._values: list[Tensor | None] = [None] * layers

    def begin(self, rows: int) -> None:
        """Make room for a pass. Raises TooLong beyond the limit."""
        needed = self.length + rows
        if needed > self.limit:
            raise TooLong(f"{needed} tokens do not fit in a cache of {self.limit}: shorten the region")
        if needed > self.capacity:
            self.capacity = min(self.limit, max(needed, 2 * self.capacity, FIRST_CAPACITY))
            for store in (self._keys, self._values):
                for layer, old in enumerate(store):
                    store[layer] = None if old is None else self._grown(old)
        self.in_flight = rows

    def update(
        self, k: Tensor, v: Tensor, layer_idx: int, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Write a layer's rows in flight, k and v [1, kv_heads, rows, d]; returns all slots up to the last
        row's."""
        end = self.length + self.in_flight
        assert k.shape[2] == self.in_flight
        return self._write(self._keys, layer_idx, k, end), self._write(self._values, layer_idx, v, end)

    @torch.inference_mode()
    def keep(self, rows: Sequence[int]) -> None:
        """Commit these in-flight rows, in this order, and drop the rest. Rows ascend."""
        same = next((i for i, row in enumerate(rows) if i != row), len(rows))
        if same < len(rows):
            source = torch.tensor(rows[same:], device=self.device) + self.length
            target = slice(self.length + same, self.length + len(rows))
            for store in (*self._keys, *self._values):
                if store is not None:
                    store[:, :, target] = store.index_select(2, source)
        self.length += len(rows)
        self.in_flight = 0

    def truncate(self, length: int) -> None:
        """Forget every slot from `length` on."""
        assert 0 <= length <= self.length
        self.length, self.in_flight = length, 0

    def free(self) -> None:
        """Give the memory back; the cache is empty again."""
        self._keys = [None] * len(self._keys)
        self._values = [None] * len(self._values)
        self.length = self.in_flight = self.capacity = 0

    def check_integrity(self) -> None:
        """Raises AssertionError where the bookkeeping and the storage disagree."""
        assert 0 <= self.length <= self.length + self.in_flight <= self.capacity <= self.limit
        written = [store is not None for store in self._keys]
        assert written == [store is not None for store in self._values]
        assert all(written) or not any(written) or self.length == 0
        for store in (*self._keys, *self._values):
            if store is not None:
                assert store.shape[2] == self.capacity
                assert store.is_contiguous()
                assert bool(torch.isfinite(store[:, :, : self.length]).all())

    def _write(self, stores: list[Tensor | None], layer: int, rows: Tensor, end: int) -> Tensor:
        store = stores[layer]
        if store is None:
            shape = (1, rows.shape[1], self.capacity, rows.shape[3])
            stores[layer] = store = torch.empty(shape, dtype=self.dtype, device=self.device)
        store[:, :, self.length : end] = rows
        return store[:, :, :end]

    def _grown(self, old: Tensor) -> Tensor:
        new = old.new_empty((1, old.shape[1], self.capacity, old.shape[3]))
        new[:, :, : self.length] = old[:, :, : self.length]
        return new
