from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
import torch
from fastedit_kernels.tree_verify.forest import Draw

from fastedit.decode.verify import (
    by_draws,
    distribution,
    draws,
    leads_of,
    likeliest,
    probabilities,
    verdict,
    walk,
)
from fastedit.draft.tree import TokenTree
from fastedit.sampling import Sampling

VOCAB = 5


def tree_of(*edges: tuple[int, int]) -> TokenTree:
    """Nodes as (parent, token)."""
    parents = np.array([parent for parent, _ in edges], dtype=np.int32)
    depths, ancestors = np.ones(len(edges), dtype=np.int32), np.zeros((len(edges), 1), dtype=np.uint64)
    for node, parent in enumerate(parents):
        ancestors[node] = np.uint64(1 << node)
        if parent >= 0:
            depths[node] += depths[parent]
            ancestors[node] |= ancestors[parent]
    return TokenTree(
        tokens=np.array([token for _, token in edges], dtype=np.int64),
        parents=parents,
        depths=depths,
        sources=np.zeros(len(edges), dtype=np.int8),
        ancestors=ancestors,
        names=("draft",),
    )


def saying(*tokens: int) -> torch.Tensor:
    """Logits whose rows say these tokens."""
    return torch.nn.functional.one_hot(torch.tensor(tokens), VOCAB).float()


def greedy_walk(tree: TokenTree, *said: int) -> tuple[list[int], int]:
    return walk(tree, likeliest(leads_of(saying(*said))), 0)


def test_the_longest_path_that_the_model_says_stands():
    tree = tree_of((-1, 1), (-1, 2), (1, 3), (1, 4), (3, 0))
    assert greedy_walk(tree, 2, 0, 4, 0, 0, 3) == ([1, 3, 4], 3)
    assert greedy_walk(tree, 1, 2, 0, 0, 0, 0) == ([0], 2)
    assert greedy_walk(tree, 4, 0, 0, 0, 0, 0) == ([], 4)


def test_logits_of_a_narrow_type_are_decided_as_they_are_widened():
    tree = tree_of((-1, 1), (0, 3), (1, 0))
    narrow = torch.tensor(
        [[0, 2, 2, 1, 0], [0, 0, 1, 3.5, 0], [-1, -2, -1, -4, -1], [7, 1, 0, 0, 6]]
    ).bfloat16()
    found = verdict(narrow, tree, Sampling(), 0)
    assert found == verdict(narrow.float(), tree, Sampling(), 0) == ([0, 1, 2], 0, [0, 2.5, 0, 1], False)


def test_without_a_draft_the_model_says_one_token():
    assert greedy_walk(TokenTree.empty(), 3) == ([], 3)


def test_of_two_siblings_with_one_token_the_first_stands():
    tree = tree_of((-1, 1), (-1, 1), (0, 2), (1, 3))
    assert greedy_walk(tree, 1, 3, 3, 4, 4) == ([0], 3)


def test_the_distribution_is_cut_as_asked():
    logits = torch.tensor([2.0, 1.0, 0.0, -1.0, 1.0])
    exact = [math.exp(x / 0.5) for x in logits.tolist()]
    p = distribution(logits, Sampling(temperature=0.5))
    assert p.tolist() == pytest.approx([x / sum(exact) for x in exact])
    assert distribution(logits, Sampling(temperature=1.0, top_k=1)).tolist() == [1, 0, 0, 0, 0]
    assert distribution(logits, Sampling(temperature=1.0, top_k=4)).count_nonzero() == 4
    # 0.52, 0.19, 0.19, 0.07, 0.03: the first two reach 0.6, and among equals the lower id goes first.
    assert distribution(logits, Sampling(temperature=1.0, top_p=0.6)).nonzero().flatten().tolist() == [0, 1]
    assert distribution(logits, Sampling(temperature=1.0, top_p=0.01)).tolist() == [1, 0, 0, 0, 0]


def chi_square(counts: Counter, expected: dict[tuple[int, ...], float], trials: int) -> tuple[float, float]:
    """The statistic, and the value that chance exceeds once in 30,000 (Wilson and Hilferty 1931).

    Outcomes expected fewer than eight times count as one, as the test asks for.
    """
    assert set(counts) <= {outcome for outcome, p in expected.items() if p > 0}
    common = [outcome for outcome, p in expected.items() if trials * p >= 8]
    cells = [(counts[outcome], trials * expected[outcome]) for outcome in common]
    rare = trials - sum(mean for _, mean in cells)
    if rare >= 8:
        cells.append((trials - sum(count for count, _ in cells), rare))
    freedom = len(cells) - 1
    bound = freedom * (1 - 2 / (9 * freedom) + 4 * math.sqrt(2 / (9 * freedom))) ** 3
    return sum((count - mean) ** 2 / mean for count, mean in cells), bound


# One sibling group at the root, one below its second member, and a third level.
TREE = tree_of((-1, 0), (-1, 2), (-1, 3), (1, 2), (1, 4), (4, 1))


def outcomes(p: torch.Tensor) -> dict[tuple[int, ...], float]:
    """Every (accepted tokens, last token) and its probability when each token is drawn from its own row."""
    found: dict[tuple[int, ...], float] = {}

    def visit(node: int, said: tuple[int, ...], likelihood: float) -> None:
        for token in range(VOCAB):
            child = next(
                (c for c in range(len(TREE)) if TREE.parents[c] == node and TREE.tokens[c] == token), None
            )
            weight = likelihood * float(p[1 + node, token])
            if child is None:
                found[(*said, token)] = weight
            else:
                visit(child, (*said, token), weight)

    visit(-1, (), 1.0)
    return found


@pytest.mark.parametrize(
    "shape",
    [{"temperature": 1.0}, {"temperature": 0.7, "top_k": 4}, {"temperature": 1.4, "top_p": 0.9}],
    ids=["plain", "top-k", "top-p"],
)
def test_tokens_behind_a_draft_are_distributed_as_drawn_directly(shape):
    torch.manual_seed(5)
    logits = 0.6 * torch.randn(1 + len(TREE), VOCAB)
    p = torch.stack([distribution(row, Sampling(**shape)) for row in logits])
    trials, counts = 4000, Counter()
    row = probabilities(logits, Sampling(**shape))
    for seed in range(trials):
        path, last = walk(TREE, by_draws(row, seed), 0)
        counts[(*TREE.tokens[path].tolist(), last)] += 1
    statistic, bound = chi_square(counts, outcomes(p), trials)
    assert statistic < bound


def test_neighbouring_positions_and_seeds_draw_independently():
    torch.manual_seed(6)
    logits = 0.5 * torch.randn(1, VOCAB)
    p = distribution(logits[0], Sampling(temperature=1.0)).tolist()
    trials, counts = 4000, Counter()
    row = probabilities(logits, Sampling(temperature=1.0))
    for seed in range(trials):
        own, next_seed = by_draws(row, seed), by_draws(row, seed + 1)
        counts[(own(0, 5), own(0, 6), next_seed(0, 5))] += 1
    expected = {t: math.prod(p[i] for i in t) for t in itertools.product(range(VOCAB), repeat=3)}
    statistic, bound = chi_square(counts, expected, trials)
    assert statistic < bound


def test_a_cut_to_more_tokens_than_a_device_can_count_still_fits_it():
    tree = tree_of((-1, 1))
    numbers = [Draw(*draw).top_k for draw in draws(tree, Sampling(1.0, top_k=2**40), 0)]
    assert numbers == [2**31 - 1] * 2
