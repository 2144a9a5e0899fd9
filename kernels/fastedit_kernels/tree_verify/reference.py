"""Verification in plain torch: what the kernels are compared with.

`fastedit.decode.verify` derives why one draw a row is the rejection rule for drafts that are single tokens.
"""

from __future__ import annotations

import torch
from torch import Tensor

from fastedit_kernels.tree_verify.forest import MOST_NODES, Forest, Picked, Walked


def pick(logits: Tensor, forest: Forest) -> Picked:
    """logits [rows, vocab]: the likeliest token of each row, the lowest id among equals, or a draw."""
    tokens, margins = [], []
    for row, draw in zip(logits.float(), forest.draws, strict=False):
        best, second = row.topk(2).values
        margins.append(best - second)
        temperature, top_p, uniform = draw[:3].view(torch.float32).tolist()
        if not bool(torch.isfinite(row.amax())):
            tokens.append(-1)
        elif temperature == 0.0:
            tokens.append(int((row == best).nonzero()[0]))
        else:
            tokens.append(_draw(row / temperature, int(draw[3]), top_p, uniform))
    return Picked(torch.tensor(tokens, dtype=torch.int32), torch.stack(margins))


def _draw(scores: Tensor, top_k: int, top_p: float, uniform: float) -> int:
    """top_k keeps the equals of the k-th; then the smallest set that reaches top_p, lower ids first among equals."""
    if 0 < top_k < len(scores):
        scores = scores.masked_fill(scores < scores.topk(top_k).values[-1], -torch.inf)
    p = scores.softmax(0).double()
    ordered, order = p.sort(descending=True, stable=True)
    p[order[ordered.cumsum(0) - ordered >= top_p]] = 0.0
    cumulative = p.cumsum(0)
    return int(torch.searchsorted(cumulative, uniform * float(cumulative[-1]), right=True))


def walk(picked: Picked, forest: Forest) -> Walked:
    """From each root down: a node stands where its parent stands and the row that decides it picked its token."""
    found = torch.zeros(len(forest.requests), 2, dtype=torch.int32)
    paths = torch.zeros(len(forest.requests), MOST_NODES, dtype=torch.int32)
    for request, (first, count) in enumerate(forest.requests.tolist()):
        at, path = first, list[int]()
        while True:
            below = (node for node in range(first + 1, first + 1 + count) if forest.nodes[node, 1] == at)
            child = next((node for node in below if forest.nodes[node, 0] == picked.tokens[at]), None)
            if child is None:
                break
            path.append(child - first - 1)
            at = child
        found[request] = torch.tensor([len(path), int(picked.tokens[at])])
        paths[request, : len(path)] = torch.tensor(path, dtype=torch.int32)
    return Walked(found, paths)
