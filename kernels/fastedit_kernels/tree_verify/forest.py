"""The trees of a pass as verification reads them, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from fastedit_kernels.tree_attention.span import ancestor_words

Ints = NDArray[np.int32]
MOST_NODES = 512  # of one tree


class Draw(NamedTuple):
    """How a row's token is drawn: temperature 0 is greedy; top_k 0 and top_p 1 cut nothing; `uniform` in [0, 1)."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    uniform: float = 0.0


class Drawn(NamedTuple):
    """What of a tree was drawn at random from distributions that are known, an entry an offer, in the order drawn.

    `parents` (-1: the root) and `nodes`; `chances` float32 [up to vocab] are what each was drawn from. `accept` are
    numbers in [0, 1) that decide whether each stands; `rest` [1 + nodes], the root's first, draw what follows a row
    where none does. With `block` the offers are one chain from the root, accepted as a whole.
    """

    parents: NDArray[np.int32]
    nodes: NDArray[np.int32]
    chances: Sequence[NDArray[np.float32]]
    accept: NDArray[np.float32]
    rest: NDArray[np.float32]
    block: bool


class Tree(NamedTuple):
    """One request's nodes: tokens, parents (-1: the root), depths from 1, ancestor words uint64 [nodes, words].

    Siblings hold different tokens. `draws` float64 [1 + nodes, 4] has a `Draw` for the root and one a node; `drawn` is
    there where tokens are accepted by what they were drawn from.
    """

    tokens: NDArray[np.int64]
    parents: NDArray[np.int32]
    depths: NDArray[np.int32]
    ancestors: NDArray[np.uint64]
    draws: NDArray[np.float64]
    drawn: Drawn | None = None


@dataclass(frozen=True, slots=True)
class Forest:
    """The same on the device, int32. The logits have one row for each root, followed by those of its nodes.

    requests [R, 2]  first row of the logits, nodes
    nodes [N, 3]     of row i, if it is a node's: token, row that decides it, depth
    words [N, W]     ancestors, 32 a word
    draws [N, 4]     temperature, top_p, uniform as the bits of a float32; top_k
    """

    requests: Tensor
    nodes: Tensor
    words: Tensor
    draws: Tensor

    @classmethod
    def of(cls, tensors: Mapping[str, Tensor]) -> Forest:
        return cls(*(tensors[f"forest_{name}"] for name in ("requests", "nodes", "words", "draws")))


class Picked(NamedTuple):
    """For each row of the logits: the token that the model chooses, -1 where they hold no numbers; and how far the best
    logit is ahead of the second, float32."""

    tokens: Tensor
    margins: Tensor


class Walked(NamedTuple):
    """For each request: `found` int32 [R, 2], how many nodes stand and the token that follows them (-1: no numbers);
    `paths` int32 [R, MOST_NODES], the nodes that stand, from the root down."""

    found: Tensor
    paths: Tensor


def forest_arrays(trees: Sequence[Tree]) -> dict[str, Ints]:
    counts = np.array([len(tree.tokens) for tree in trees])
    first = np.cumsum(counts + 1) - (counts + 1)
    rows = int((counts + 1).sum())
    of_node = np.repeat(np.arange(len(trees)), counts)
    row = np.arange(rows - len(trees)) + of_node + 1
    nodes = np.zeros((rows, 3), dtype=np.int32)
    nodes[row, 0] = np.concatenate([tree.tokens for tree in trees])
    nodes[row, 1] = first[of_node] + 1 + np.concatenate([tree.parents for tree in trees])
    nodes[row, 2] = np.concatenate([tree.depths for tree in trees])
    every = np.concatenate([tree.draws for tree in trees])
    draws = np.empty((rows, 4), dtype=np.int32)
    draws[:, :3].view(np.float32)[:] = every[:, [0, 1, 3]]
    draws[:, 3] = every[:, 2]
    return {
        "forest_requests": np.stack([first, counts], axis=1).astype(np.int32),
        "forest_nodes": nodes,
        "forest_words": ancestor_words([tree.ancestors for tree in trees], first + 1, rows),
        "forest_draws": draws,
    }


def forest_capacity(rows: int, requests: int) -> dict[str, tuple[int, ...]]:
    """Shapes that hold the trees of any pass of up to so many rows and requests."""
    return {
        "forest_requests": (requests, 2),
        "forest_nodes": (rows, 3),
        "forest_words": (rows, MOST_NODES // 32),
        "forest_draws": (rows, 4),
    }


@dataclass(frozen=True, slots=True)
class Offers:
    """What of a pass was drawn at random, on the device. Offers of a request lie side by side.

    requests [R, 3]      int32: first offer, offers, and how they are accepted (0: nothing was drawn, BRANCHES, BLOCK)
    offers [O, 3]        int32: row that decides it, row of its node, token
    accept [O]           float32
    rest [N]             float32, -1 for rows that no offer concerns
    chances [O, vocab]   float32
    """

    requests: Tensor
    offers: Tensor
    accept: Tensor
    rest: Tensor
    chances: Tensor


BRANCHES, BLOCK = 1, 2


def offers_of(trees: Sequence[Tree], vocab: int, device: torch.device) -> Offers:
    """Of trees of which at least one has something drawn."""
    requests, offers, accept, chances = [], list[NDArray[np.int64]](), [], list[NDArray[np.float32]]()
    rest = np.full(sum(len(tree.tokens) + 1 for tree in trees), -1.0, dtype=np.float32)
    root = 0
    for tree in trees:
        drawn = tree.drawn
        if drawn is None:
            requests.append((len(chances), 0, 0))
        else:
            requests.append((len(chances), len(drawn.nodes), BLOCK if drawn.block else BRANCHES))
            rows = root + 1 + drawn.nodes
            offers.append(np.stack([root + 1 + drawn.parents, rows, tree.tokens[drawn.nodes]], axis=1))
            accept.append(drawn.accept)
            chances += drawn.chances
            concerned = np.unique([0, *(1 + drawn.parents), *(1 + drawn.nodes)])
            rest[root + concerned] = drawn.rest[concerned]
        root += len(tree.tokens) + 1
    wide = np.zeros((len(chances), vocab), dtype=np.float32)
    for line, q in zip(
        wide, chances, strict=True
    ):  # models of one tokenizer may pad their vocabularies differently
        line[: len(q)] = q[:vocab]
    arrays = (
        np.array(requests, dtype=np.int32), np.concatenate(offers).astype(np.int32), np.concatenate(accept), rest, wide
    )  # fmt: skip
    return Offers(*(torch.from_numpy(array).to(device) for array in arrays))
