"""A model that reads an answer along: what it has read, what it says comes next, and how far it is set back."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import torch
from fastedit_kernels.tree_attention import Batch, Span

from fastedit.draft.tree import TokenTree
from fastedit.model.base import Rows

if TYPE_CHECKING:
    from torch import Tensor

    from fastedit.model.target import Target

CHUNK = 512  # rows a pass


class CachedSequence:
    """One sequence in the cache of a model of its own; `length` tokens of it have been read."""

    def __init__(self, model: Target, lock: Lock) -> None:
        """`lock` is the model's: one pass runs at a time."""
        self._model, self._lock = model, lock
        self._cache = model.new_cache()
        self.passes = 0

    @property
    def length(self) -> int:
        return self._cache.length

    def read(self, tokens: Sequence[int], wanted: int = 1) -> Tensor:
        """Logits [wanted, vocab] after the last `wanted` of these tokens. Raises TooLong where there is no room."""
        assert 0 < wanted <= len(tokens)
        logits = None
        start = 0
        while start < len(tokens):
            # The wanted rows are read in one pass: at most the last chunk is longer than others.
            stop = min(start + CHUNK, len(tokens) - wanted)
            stop = len(tokens) if stop <= start else stop
            logits = self._pass(tokens[start:stop], wanted if stop == len(tokens) else 1)
            start = stop
        assert logits is not None
        return logits

    def back_to(self, length: int) -> None:
        """Forget every token from `length` on."""
        self._cache.truncate(length)

    def close(self) -> None:
        self._cache.free()

    def _pass(self, tokens: Sequence[int], wanted: int) -> Tensor:
        cache, rows = self._cache, len(tokens)
        cache.begin(rows)
        positions = np.arange(cache.length, cache.length + rows)
        span = Span(cache.length, rows, positions, TokenTree.empty().ancestors, cache.pages)
        laid = Rows(np.asarray(tokens, dtype=np.int64), np.arange(rows - wanted, rows), Batch([span]))
        with self._lock:
            # A copy in any case: the next pass overwrites what a graph hands out.
            logits = self._model.forward(laid).to(torch.float32, copy=True)
        cache.keep(range(rows))
        self.passes += 1
        return logits
