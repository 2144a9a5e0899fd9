"""The memory of all requests on one model: keys and values in pages that requests may share."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, takewhile
from threading import Condition

import numpy as np
import torch
from fastedit_kernels.tree_attention import PAGE
from numpy.typing import NDArray
from torch import Tensor

Pages = NDArray[np.int32]


class PagePool:
    """`count` pages of PAGE slots each, in every layer, with a count of the caches that hold each page.

    One more page, from slot `slots` on, takes what rows write that only fill up a pass.

    A page whose tokens have been published is found again by the tokens from the sequence's start up to the page's
    end, also after its last holder has left. Such pages are taken back, the longest unused first, when pages run out
    and before a page from `watermark` on (default: `count`) is taken for the first time, which raises the watermark.
    Any thread may call anything; two caches never write to one page, because only full pages are published.
    """

    def __init__(
        self,
        layers: int,
        count: int,
        dtype: torch.dtype,
        device: torch.device | str = "cpu",
        watermark: int | None = None,
    ) -> None:
        self.count, self.dtype, self.device = count, dtype, torch.device(device)
        self.watermark = count if watermark is None else watermark
        # [slots, kv_heads, d] a layer, made when the layer first writes: only then is its shape known. On a CPU the
        # system gives memory to a page when it is first written.
        self.keys: list[Tensor | None] = [None] * layers
        self.values: list[Tensor | None] = [None] * layers
        self._holders = np.zeros(count, dtype=np.int32)
        self._page_of: OrderedDict[bytes, int] = OrderedDict()  # published pages, the longest unused first
        self._published = np.zeros(count, dtype=np.bool_)
        self._changed = Condition()

    @property
    def slots(self) -> int:
        return self.count * PAGE

    @property
    def width(self) -> int:
        """Numbers that one token takes in all the layers that have written."""
        return sum(store[0].numel() for store in (*self.keys, *self.values) if store is not None)

    def store(self, stores: list[Tensor | None], layer: int, heads: int, size: int) -> Tensor:
        """The layer's keys or values [slots, heads, size], made if this is the first write."""
        store = stores[layer]
        if store is None:
            shape = (self.slots + PAGE, heads, size)
            stores[layer] = store = torch.empty(shape, dtype=self.dtype, device=self.device)
        return store

    def fill(self, heads: int, size: int) -> None:
        """Make the stores of all layers now."""
        for stores in (self.keys, self.values):
            for layer in range(len(stores)):
                self.store(stores, layer, heads, size)

    def take(self, count: int) -> Pages | None:
        """Pages for one holder, side by side if possible; None where too few are free."""
        with self._changed:
            if int((self._holders == 0).sum()) < count:
                return None
            pages = self._choose(count)
            self._holders[pages] = 1
            self.watermark = max(self.watermark, int(pages.max(initial=-1)) + 1)
            return pages

    def open(
        self, tokens: Sequence[int], count: int, give_up: Callable[[], bool]
    ) -> tuple[Pages, Pages] | None:
        """What `find` finds of `tokens`, and what `take` takes to make it `count` pages.

        Waits until enough are free; None once `give_up` says so. Whoever waits holds nothing: two that held a part each
        would wait for each other for ever.
        """
        with self._changed:
            while True:
                found = self.find(tokens)
                taken = self.take(max(0, count - len(found)))
                if taken is not None:
                    return found, taken
                self._holders[found] -= 1
                if give_up():
                    return None
                self._changed.wait()

    def find(self, tokens: Sequence[int]) -> Pages:
        """The published pages that hold the longest beginning of `tokens`; the caller becomes a holder of each."""
        with self._changed:
            names = list(takewhile(self._page_of.__contains__, _names(tokens)))
            self._use(names)
            found = np.array([self._page_of[name] for name in names], dtype=np.int32)
            self._holders[found] += 1
            return found

    def publish(self, tokens: Sequence[int], pages: Pages) -> None:
        """Let others find the full pages of `tokens`, whose keys and values are final."""
        with self._changed:
            names = list(_names(tokens))
            for name, page in zip(names, pages.tolist(), strict=False):
                if name not in self._page_of and not self._published[page]:
                    self._page_of[name] = page
                    self._published[page] = True
            self._use(names)

    def release(self, pages: Pages) -> None:
        """One holder leaves these pages."""
        with self._changed:
            self._holders[pages] -= 1
            assert (self._holders[pages] >= 0).all()
            self._changed.notify_all()

    def wake(self) -> None:
        """Let those who wait for pages ask again whether to give up."""
        with self._changed:
            self._changed.notify_all()

    @torch.inference_mode()
    def move(self, source: NDArray[np.int64], target: NDArray[np.int64]) -> None:
        """Copy slots to slots in every layer."""
        where, whence = (torch.from_numpy(slots).to(self.device) for slots in (target, source))
        for store in (*self.keys, *self.values):
            if store is not None:
                store[where] = store[whence]

    def forget(self) -> None:
        """Nothing that was published is found any more."""
        with self._changed:
            self._page_of.clear()
            self._published[:] = False

    def check_integrity(self) -> None:
        """Raises AssertionError where the bookkeeping and the storage disagree."""
        with self._changed:
            assert (self._holders >= 0).all()
            assert sorted(self._page_of.values()) == np.flatnonzero(self._published).tolist()
            written = [store is not None for store in self.keys]
            assert written == [store is not None for store in self.values]
            assert all(written) or not any(written)
            for store in (*self.keys, *self.values):
                assert store is None or len(store) == self.slots + PAGE

    def _use(self, names: Sequence[bytes]) -> None:
        """Make these the last to be forgotten, the end of the text first: without its beginning it is not found."""
        for name in reversed(names):
            if name in self._page_of:
                self._page_of.move_to_end(name)

    def _choose(self, count: int) -> Pages:
        """`count` unused pages; there are so many once enough are forgotten."""
        while True:
            pages = _side_by_side((self._holders == 0) & ~self._published, count)
            if len(pages) == count and pages.max(initial=-1) < self.watermark:
                return pages
            if not self._forget_oldest(max(1, count - len(pages))):
                return pages

    def _forget_oldest(self, most: int) -> bool:
        """Up to so many that nobody holds; whether there was any."""
        unheld = (name for name, page in self._page_of.items() if self._holders[page] == 0)
        oldest = list(islice(unheld, most))
        for name in oldest:
            self._published[self._page_of.pop(name)] = False
        return bool(oldest)


def _side_by_side(unused: NDArray[np.bool_], count: int) -> Pages:
    """The first run of `count` unused pages; where no run is that long, the first `count` of them or all there are."""
    pages = np.flatnonzero(unused).astype(np.int32)
    if count:
        ends = pages[count - 1 :]
        runs = np.flatnonzero(ends - pages[: len(ends)] == count - 1)
        first = int(runs[0]) if len(runs) else 0
        return pages[first : first + count]
    return pages[:0]


def _names(tokens: Sequence[int]) -> Iterator[bytes]:
    """A name for each full page: a digest of all tokens up to its end."""
    digest = hashlib.blake2b(digest_size=16)
    for stop in range(PAGE, len(tokens) + 1, PAGE):
        digest.update(np.asarray(tokens[stop - PAGE : stop], dtype="<i8").tobytes())
        yield digest.digest()
