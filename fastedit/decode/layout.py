"""How committed tokens and a draft tree lie in the rows of one pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from fastedit_kernels.tree_attention import Span
from numpy.typing import NDArray

from fastedit.draft.tree import TokenTree
from fastedit.model.base import Rows


def lay_out(trunk: Sequence[int], tree: TokenTree, prefix: int, device: torch.device) -> Rows:
    """Trunk tokens, which are certain but not in the cache yet, then the tree's nodes.

    Trunk row i has position prefix + i; a node's position follows the trunk by its depth. Logits are wanted
    from the last trunk row on: row 0 of them decides the roots, row 1 + i the children of node i.
    """
    steady, rows = len(trunk), len(trunk) + len(tree)
    tokens = np.concatenate([np.asarray(trunk, dtype=np.int64), tree.tokens])
    positions = np.arange(prefix, prefix + rows, dtype=np.int64)
    positions[steady:] = prefix + steady - 1 + tree.depths.astype(np.int64)
    sees = np.tri(rows, dtype=np.bool_)
    sees[steady:, steady:] = unpack(tree.ancestors, len(tree))
    span = Span(torch.from_numpy(sees).to(device), torch.from_numpy(positions).to(device), prefix)
    return Rows(torch.from_numpy(tokens).to(device), span, wanted=steady - 1)


def unpack(words: NDArray[np.uint64], nodes: int) -> NDArray[np.bool_]:
    """Ancestor words uint64[n, words] -> bool[n, n]; bit j % 64 of word j // 64 becomes column j."""
    octets = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=nodes, bitorder="little").astype(np.bool_)
