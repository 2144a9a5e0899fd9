"""Random passes over random pages."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
import pytest
import torch
from fastedit_kernels.tree_attention import PAGE, Batch, Span

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
_FOUND = importlib.util.find_spec("triton") is not None
_VERSION = tuple(map(int, version("triton").split(".")[:2])) if _FOUND else (0, 0)
needs_triton = pytest.mark.skipif(
    ((3, 6) if DEVICE.type == "cuda" else (3, 9)) > _VERSION,
    reason="needs triton 3.6 on a GPU, 3.9 for its interpreter: pip install '.[gpu]'",
)


def random_forest(rng: random.Random, nodes: int) -> tuple[np.ndarray, list[int], list[int]]:
    """Ancestor words, parents (-1 for a root) and depths (1 for a root)."""
    words = np.zeros((nodes, -(-nodes // 64)), dtype=np.uint64)
    parents, depths = [], []
    for node in range(nodes):
        parent = rng.randrange(max(-1, node - 9), node)
        if parent >= 0:
            words[node] = words[parent]
        words[node, node // 64] |= np.uint64(1 << node % 64)
        parents.append(parent)
        depths.append(1 if parent < 0 else depths[parent] + 1)
    return words, parents, depths


def batch_of(
    rng: random.Random, sizes: Sequence[tuple[int, int, int]], common: Sequence[int] = ()
) -> tuple[Batch, int]:
    """A pass over requests of these (prefix, trunk, nodes), on pages in random order; and how many pages there are.
    Request i + 1 begins with the first `common[i]` pages of request i."""
    counts = [-(-sum(size) // PAGE) for size in sizes]
    pages = list(range(sum(counts) + 2))
    rng.shuffle(pages)
    spans, at = [], 0
    for (prefix, trunk, nodes), count in zip(sizes, counts, strict=True):
        words, _, depths = random_forest(rng, nodes)
        last = prefix + trunk - 1
        positions = np.array([*range(prefix, prefix + trunk), *(last + depth for depth in depths)])
        own = np.array(pages[at : at + count], dtype=np.int32)
        if 0 < len(spans) <= len(common):
            own[: common[len(spans) - 1]] = spans[-1].pages[: common[len(spans) - 1]]
        spans.append(Span(prefix, trunk, positions, words, own))
        at += count
    return Batch(spans), len(pages)


def poisoned(
    batch: Batch, pages: int, kv_heads: int, size: int, dtype: torch.dtype = torch.float32
) -> torch.Tensor:
    """A store that is random where a span has slots and NaN everywhere else."""
    store = torch.full((pages * PAGE, kv_heads, size), torch.nan, dtype=dtype)
    for span in batch.spans:
        own = torch.from_numpy(span.slots(0, span.end))
        store[own] = torch.randn(len(own), kv_heads, size).to(dtype)
    return store
