"""What a first edit would wait for, done when a model is loaded: kernels compiled, graphs captured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from fastedit_kernels.tree_attention import Batch, Span
from fastedit_kernels.tree_verify.forest import Draw, Tree

from fastedit.model.base import Rows, Taps

if TYPE_CHECKING:
    from fastedit.model.target import Target

NO_NODES = np.zeros((0, 0), dtype=np.uint64)


def warm(target: Target, layers: frozenset[int] = frozenset()) -> None:
    """Runs each of the device's sample passes, and decides it. The passes hand out the hidden states of `layers`, for
    which they have graphs of their own."""
    assert target.kernels is not None
    cache = target.new_cache()
    none = np.zeros(0, dtype=np.int32)
    root = Tree(none.astype(np.int64), none, none, NO_NODES, np.array([Draw()]))
    for counts, wanted in target.kernels.samples():
        if target.kernels is None:  # one has failed
            break
        most, total = counts[0], sum(counts)
        if most > min(target.context, target.pool.slots):
            continue
        if not cache.reserve(most):  # edits hold the pages: what they need they capture themselves
            break
        cache.begin(most)
        # All requests write the same numbers to the same slots.
        batch = Batch([Span(0, count, np.arange(count), NO_NODES, cache.pages) for count in counts])
        taps = Taps(layers) if layers else None
        rows = Rows(np.zeros(total, dtype=np.int64), np.arange(total - wanted, total), batch, taps)
        logits = target.forward(rows)
        if wanted:
            target.decide(logits[-len(counts) :], [root] * len(counts), rows)
        cache.truncate(0)
    cache.free()
