"""How committed tokens and draft trees lie in the rows of one pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from fastedit_kernels.tree_attention import Batch, Span

from fastedit.draft.tree import TokenTree
from fastedit.model.base import Rows, Taps
from fastedit.model.cache import Cache


class PassPart(NamedTuple):
    """What one request brings to a pass: trunk tokens, which are certain but not in its cache yet, and a draft."""

    trunk: Sequence[int]
    tree: TokenTree
    cache: Cache


def lay_out(parts: Sequence[PassPart], taps: Taps | None = None, *, decides: bool = True) -> Rows:
    """Part after part: the trunk's tokens, then the tree's nodes. Makes room for them in the caches.

    Trunk row i has position length + i; a node's position follows the trunk by its depth. Logits are wanted from the
    last trunk row of each part on, 1 + len(tree) of them: row 0 of these decides the roots, row 1 + i the children of
    node i. A pass that decides nothing wants none.
    """
    tokens, wanted, spans = [], [], []
    start = 0
    for trunk, tree, cache in parts:
        rows = len(trunk) + len(tree)
        cache.begin(rows)
        tokens += [np.asarray(trunk, dtype=np.int64), tree.tokens]
        wanted.append(np.arange(start + (len(trunk) - 1 if decides else rows), start + rows))
        spans.append(_span(len(trunk), tree, cache))
        start += rows
    return Rows(np.concatenate(tokens), np.concatenate(wanted), Batch(spans), taps)


def _span(trunk: int, tree: TokenTree, cache: Cache) -> Span:
    prefix = cache.length
    positions = np.arange(prefix, prefix + trunk + len(tree))
    positions[trunk:] = prefix + trunk - 1 + tree.depths
    return Span(prefix, trunk, positions, tree.ancestors, cache.pages)
