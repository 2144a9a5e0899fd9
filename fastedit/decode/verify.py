"""Which drafted tokens stand, and what follows them.

A pass gives p(. | node) for every node of a draft tree. From the root: draw x ~ p(. | node); if a child holds
x, go there and go on; if none does, x is the last token of the pass.

Why that is the rejection rule. A drafted token is a point mass, q(x) = 1. Leviathan et al. (2023) accept x
with probability min(1, p(x) / q(x)) = p(x) and draw from the residual norm(max(0, p - q)) otherwise: p
without x, renormalised. SpecInfer (Miao et al. 2024, section 4.3) offers siblings x1, x2, .. to the residuals
in turn. So x1 stands with p(x1), x2 with (1 - p(x1)) * p(x2) / (1 - p(x1)) = p(x2), and any y outside with
p(y): a single draw from p does the same. One draw also makes the answer independent of the draft: each output
position has a random stream of its own, so a seed gives the same tokens whatever was drafted, and none when
speculation is off.

A draft that was drawn at random from a q that is known can do better: `Sampling.acceptance` chooses how (`rejection`).
The distribution stays the model's own; which text a seed stands for then depends on what was drafted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import isfinite, nan
from typing import NamedTuple

import numpy as np
import torch
from fastedit_kernels.tree_verify.forest import Draw
from numpy.typing import NDArray
from torch import Tensor

from fastedit.decode.rejection import Chances, Row, by_block, by_branches, drawn, uniform
from fastedit.draft.tree import TokenTree
from fastedit.errors import ModelUnavailable
from fastedit.sampling import Sampling


class Verdict(NamedTuple):
    """Accepted nodes from the root down, the token that follows them, for each of these tokens how far the best logit
    is ahead of the second, and whether the keys and values of the nodes have been moved after the trunk's already."""

    path: Sequence[int]
    last: int
    margins: Sequence[float]
    moved: bool = False


def verdict(logits: Tensor, tree: TokenTree, sampling: Sampling, position: int) -> Verdict:
    """logits [1 + nodes, vocab]: row 0 decides the roots, row 1 + i the children of node i. Raises ModelUnavailable
    where a row that decides holds no numbers."""
    leads, row = leads_of(logits), probabilities(logits, sampling)
    choose = likeliest(leads) if sampling.greedy else by_draws(row, sampling.seed)
    if tree.offers and not sampling.greedy and sampling.acceptance != "draw":
        path, last = reject(tree, cache(row), choose, sampling, position)
    else:
        path, last = walk(tree, choose, position)
    margins = [leads(row).margin for row in (0, *(1 + node for node in path))]
    if not np.isfinite(margins).all():
        raise no_numbers(position)
    return Verdict(path, last, margins)


class LikeliestToken(NamedTuple):
    """The likeliest token of a row, the lowest id among equals, and how far its logit is ahead of the second; not a
    number where the row holds none."""

    token: int
    margin: float


def leads_of(logits: Tensor) -> Callable[[int], LikeliestToken]:
    """Of the rows of logits [rows, vocab] in any float type; each is looked at when it is first asked for.

    Most rows of a draft that fails decide nothing, and a single row stays in the processor's cache while it is widened
    and searched twice: a copy of all rows would not.
    """
    return cache(lambda row: _lead(logits[row]))


def _lead(logits: Tensor) -> LikeliestToken:
    # On a CPU numpy finds the largest of a row ten times as fast as torch, and promises the first of equals.
    row: NDArray[np.float32] = logits.to("cpu", torch.float32, copy=True).numpy()
    token = int(row.argmax())
    best = row[token]
    row[token] = -np.inf
    second = np.maximum(row.max(), np.finfo(np.float32).min)
    return LikeliestToken(token, float(best - second) if isfinite(best) else nan)


def no_numbers(position: int) -> ModelUnavailable:
    return ModelUnavailable(
        f"the model gave no numbers at output token {position}: its weights are broken or its type has too little range"
    )


def draws(tree: TokenTree, sampling: Sampling, position: int) -> NDArray[np.float64]:
    """How the rows of a tree are decided, its root first, as `Tree` holds it: with the random stream of the position
    that each decides."""
    if sampling.greedy:
        return np.full((1 + len(tree), 4), Draw())
    top_k = min(sampling.top_k, 2**31 - 1)  # more than any vocabulary, and what the device can hold
    depths = [0, *tree.depths.tolist()]
    numbers = {depth: uniform(sampling.seed, position + depth) for depth in set(depths)}
    return np.array([Draw(sampling.temperature, sampling.top_p, top_k, numbers[depth]) for depth in depths])


Chooser = Callable[[int, int], int]
"""From a row of the logits and an output position the token there."""


def likeliest(leads: Callable[[int], LikeliestToken]) -> Chooser:
    return lambda row, position: leads(row).token


def by_draws(row: Row, seed: int) -> Chooser:
    """A draw from p of the row, by the random stream of the position."""
    return lambda index, position: drawn(row(index), uniform(seed, position))


def distribution(logits: Tensor, sampling: Sampling) -> Tensor:
    """Probabilities float32 [vocab], of logits [vocab].

    Temperature first, then top-k (with the equals of the k-th), then the smallest set that reaches top-p.
    """
    scaled = logits.float() / sampling.temperature
    if 0 < sampling.top_k < len(scaled):
        least = scaled.topk(sampling.top_k).values[-1]
        scaled = scaled.masked_fill(scaled < least, -torch.inf)
    p = scaled.softmax(dim=0)
    if sampling.top_p < 1.0:
        ordered, order = p.sort(descending=True, stable=True)
        outside = ordered.cumsum(0) - ordered >= sampling.top_p
        p = p.index_fill(0, order[outside], 0.0)
    return p / p.sum()


def walk(tree: TokenTree, choose: Chooser, position: int) -> tuple[list[int], int]:
    """Accepted nodes from the root down, and the token that follows them.

    `choose(0, position)` decides the token at `position`; row 1 + i decides what follows node i.
    """
    return _go_on(tree, choose, position, [], choose(0, position))


def probabilities(logits: Tensor, sampling: Sampling) -> Row:
    """`distribution` of the rows of logits [rows, vocab], each worked out when it is asked for."""

    def row(index: int) -> Chances:
        p: Chances = distribution(logits[index], sampling).double().cpu().numpy()
        return p

    return row


def reject(
    tree: TokenTree, row: Row, choose: Chooser, sampling: Sampling, position: int
) -> tuple[list[int], int]:
    """As `walk`, with what was drawn at random accepted by what it was drawn from."""
    rule = by_block if sampling.acceptance == "block" else by_branches
    path, token = rule(tree, row, sampling.seed, position)
    return _go_on(tree, choose, position, path, token)


def _go_on(
    tree: TokenTree, choose: Chooser, position: int, path: list[int], token: int
) -> tuple[list[int], int]:
    """From a path that stands and the token decided after it, on while the tree holds what is decided."""
    # Among siblings that hold the same token the first stands.
    children: dict[tuple[int, int], int] = {}
    for node, edge in enumerate(zip(tree.parents.tolist(), tree.tokens.tolist(), strict=True)):
        children.setdefault(edge, node)
    node = path[-1] if path else -1
    while (child := children.get((node, token))) is not None:
        path.append(child)
        node = child
        token = choose(1 + node, position + len(path))
    return path, token
