"""How drafts that were drawn at random are accepted, so that the answer is distributed as the model's own.

A drafter that tells what it drew from, q, can be held to more than one draw a row (`verify`): x ~ q stands with
probability min(1, p(x) / q(x)), and where it falls the next token is drawn from what p has left, max(0, p - q),
renormalised. Both ways below do so, and whatever they end on goes on through the rest of the tree by single draws.

All chances are drawn from streams of this pass alone: a later pass that decides the same position must not meet a
number that helped to reject an earlier draft of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from fastedit_kernels.tree_verify.forest import Drawn
from numpy.typing import NDArray

from fastedit.draft.tree import Offer, TokenTree
from fastedit.sampling import Sampling

Chances = NDArray[np.float64]
Row = Callable[[int], Chances]
"""p of a row of the logits: 0 decides the roots, 1 + i what follows node i."""

ACCEPT, REST = 1, 2  # streams; 0 is that of single draws, those from 3 on are drafters' (draft/drawing.py)


def uniform(seed: int, position: int, stream: int = 0, begun: int = 0, offer: int = 0) -> float:
    """A number in [0, 1). Philox is counter-based: these numbers name a stream that overlaps no other."""
    bits = np.random.Philox(key=seed % 2**64, counter=[offer, stream, begun, position])
    return float(np.random.Generator(bits).random())


def drawn(p: Chances, number: float) -> int:
    """The token at which the weight of all up to it passes the share `number` of all."""
    cumulative = p.cumsum()
    return int(np.searchsorted(cumulative, number * cumulative[-1], side="right"))


def by_branches(tree: TokenTree, row: Row, seed: int, position: int) -> tuple[list[int], int]:
    """Siblings are offered to what is left of p in turn: SpecInfer (Miao et al. 2024), section 4.3.

    Returns the nodes that stand, from a root down, and the token after them. A chain is accepted token by token, as in
    Leviathan et al. (2023).
    """
    number = partial(uniform, seed, begun=position)
    path: list[int] = []
    node = -1
    while True:
        p, at = row(1 + node), position + len(path)
        stands = None
        for index, offer in enumerate(o for o in tree.offers if o.parent == node):
            q, token = _like(offer.chances, p), tree.tokens[offer.node]
            if number(at, ACCEPT, offer=index) * q[token] < p[token]:
                stands = offer.node
                break
            p = _left(p, q)
        if stands is None:
            return path, drawn(p, number(at, REST))
        path.append(stands)
        node = stands


def by_block(tree: TokenTree, row: Row, seed: int, position: int) -> tuple[list[int], int]:
    """The first chain that was drawn is accepted as one: Block Verification (Sun et al. 2025), algorithm 2.

    What one token has to spare makes up for what another lacks, so that never fewer tokens stand than token by token.
    """
    number = partial(uniform, seed, begun=position)
    chain = _chain(tree.offers)
    tokens = [tree.tokens[offer.node] for offer in chain]
    rest = row(0) if not chain else _left(row(0), _like(chain[0].chances, row(0)))
    stand, weight = 0, 1.0
    for index, (offer, token) in enumerate(zip(chain, tokens, strict=True)):
        before, p = row(1 + offer.parent), row(1 + offer.node)
        weight = min(1.0, weight * float(before[token] / offer.chances[token]))
        if index + 1 < len(chain):
            spare = np.maximum(weight * p - _like(chain[index + 1].chances, p), 0.0)
            gained = float(spare.sum())
            chance = gained / (gained + 1.0 - weight) if gained > 0.0 else 0.0
        else:
            spare, chance = p, weight
        if number(position + index, ACCEPT) < chance:
            stand, rest = index + 1, spare
    return [offer.node for offer in chain[:stand]], drawn(rest, number(position + stand, REST))


def drawn_of(tree: TokenTree, sampling: Sampling, position: int) -> Drawn | None:
    """What kernels need for the same; None where nothing is accepted by what it was drawn from."""
    if not tree.offers or sampling.greedy or sampling.acceptance == "draw":
        return None
    block = sampling.acceptance == "block"
    offers = _chain(tree.offers) if block else tree.offers
    number = partial(uniform, sampling.seed, begun=position)
    siblings, accept = Counter[int](), []
    for offer in offers:
        at = position + int(tree.depths[offer.node]) - 1
        accept.append(number(at, ACCEPT, offer=siblings[offer.parent]))
        siblings[offer.parent] += 1
    rest = {depth: number(position + depth, REST) for depth in {0, *tree.depths.tolist()}}
    return Drawn(
        parents=np.array([offer.parent for offer in offers], dtype=np.int32),
        nodes=np.array([offer.node for offer in offers], dtype=np.int32),
        chances=[offer.chances for offer in offers],
        accept=np.array(accept, dtype=np.float32),
        rest=np.array([rest[depth] for depth in (0, *tree.depths.tolist())], dtype=np.float32),
        block=block,
    )


def _chain(offers: Sequence[Offer]) -> list[Offer]:
    """The tokens that were drawn first, each below the one before."""
    chain: list[Offer] = []
    node = -1
    while (found := next((offer for offer in offers if offer.parent == node), None)) is not None:
        chain.append(found)
        node = found.node
    return chain


def _like(q: NDArray[np.float32], p: Chances) -> Chances:
    """q over as many tokens as p: models of one tokenizer may pad their vocabularies to other sizes."""
    found = np.zeros(len(p))
    found[: len(q)] = q[: len(p)]
    return found


def _left(p: Chances, q: Chances) -> Chances:
    """max(0, p - q), renormalised. Rounding alone can leave nothing of two that are equal: p then stands for both."""
    left = np.maximum(p - q, 0.0)
    total = float(left.sum())
    return left / total if total > 0.0 else p
