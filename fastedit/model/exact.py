"""Whether a row's bits really do not depend on the rows that run with it, on this machine and for this model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from fastedit_kernels.tree_attention import Batch, Span
from torch import Tensor

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Rows
from fastedit.model.cache import Cache

if TYPE_CHECKING:
    from fastedit.model.target import Target

PROMPT = 45  # tokens, so that a tree after them crosses a split
DRAFT = 24
NO_NODES = np.zeros((0, 0), dtype=np.uint64)


def check_exact(target: Target) -> None:
    """Compares the same tokens in one long pass, in several short ones, and as a path of a tree.

    Raises ModelUnavailable where any bit differs: products of fixed size are only as good as the library behind them.
    """
    tokens = np.random.default_rng(0).integers(0, target.vocab, PROMPT + DRAFT)
    cache = target.new_cache()
    whole = _chain(target, cache, tokens)
    cache.truncate(0)
    parts = [_chain(target, cache, part) for part in np.split(tokens[:PROMPT], [1, PROMPT - 7])]
    behind = _tree(target, cache, tokens[PROMPT:])
    same = torch.equal(torch.cat([*parts, behind]), whole)
    cache.free()
    if not same:
        raise ModelUnavailable(
            f"{target.name}: matrix products on this machine depend on how many rows share a pass, "
            "so that bitwise exactness is not to be had: use the default"
        )


def _chain(target: Target, cache: Cache, tokens: np.ndarray) -> Tensor:
    """Logits of tokens that follow each other, which the cache then holds."""
    count = len(tokens)
    cache.begin(count)
    span = Span(cache.length, count, cache.length + np.arange(count), NO_NODES, cache.pages)
    logits = target.forward(Rows(tokens, np.arange(count), Batch([span]))).clone()
    cache.keep(range(count))
    return logits


def _tree(target: Target, cache: Cache, tokens: np.ndarray) -> Tensor:
    """The same, where every token but the first has a sibling of another value right before it."""
    count = len(tokens)
    rows = np.concatenate([tokens[:1], np.stack([(tokens[1:] + 1) % target.vocab, tokens[1:]], 1).ravel()])
    path = np.arange(2, len(rows), 2) - 1  # the nodes that hold the tokens
    words = np.zeros((len(rows) - 1, 1), dtype=np.uint64)
    for node in range(len(rows) - 1):
        words[node] = np.uint64(1 << node) | sum(
            np.uint64(1 << int(above)) for above in path if above < node - node % 2
        )
    positions = cache.length + np.array([0, *(1 + np.arange(len(rows) - 1) // 2)])
    wanted = np.array([0, *(1 + path)])
    cache.begin(len(rows))
    logits = target.forward(Rows(rows, wanted, Batch([Span(cache.length, 1, positions, words, cache.pages)])))
    cache.keep(wanted.tolist())
    assert len(wanted) == count
    return logits
