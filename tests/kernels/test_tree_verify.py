from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from fastedit_kernels.packing import send
from fastedit_kernels.tree_verify import Forest, forest_arrays, pick, walk
from fastedit_kernels.tree_verify.forest import Draw, Tree

from tests.kernels.helpers import DEVICE, needs_triton, random_forest


def trees_of(rng, sizes, vocab, draw=lambda: Draw()):
    """Random trees in which siblings hold different tokens."""
    trees = []
    for nodes in sizes:
        words, parents, depths = random_forest(rng, nodes)
        used: dict[int, set[int]] = {}
        tokens = []
        for parent in parents:
            free = [t for t in range(vocab) if t not in used.setdefault(parent, set())]
            tokens.append(rng.choice(free))
            used[parent].add(tokens[-1])
        trees.append(
            Tree(np.array(tokens, dtype=np.int64), np.array(parents, dtype=np.int32), np.array(depths, dtype=np.int32),
                 words, np.array([draw() for _ in range(nodes + 1)]))
        )  # fmt: skip
    return trees


def forest_of(trees):
    return Forest.of(send(forest_arrays(trees), DEVICE))


def on_cpu(forest):
    return Forest(*(getattr(forest, name).cpu() for name in ("requests", "nodes", "words", "draws")))


def guided(rng, trees, vocab, follow):
    """Logits under which each node is chosen with about the chance `follow` of its parent."""
    rows = sum(len(tree.tokens) + 1 for tree in trees)
    logits = torch.randn(rows, vocab)
    first = 0
    for tree in trees:
        for token, parent in zip(tree.tokens.tolist(), tree.parents.tolist(), strict=True):
            if rng.random() < follow:
                logits[first + 1 + parent, token] = 9.0 + rng.random()
        first += len(tree.tokens) + 1
    return logits.to(DEVICE)


@needs_triton
@pytest.mark.parametrize(
    ("sizes", "follow"), [([0], 0.0), ([1, 0, 33], 0.0), ([1, 0, 33], 0.7), ([64, 5], 1.0), ([512], 0.9)]
)
def test_the_kernel_walks_as_far_as_the_reference(sizes, follow):
    from fastedit_kernels.tree_verify import triton as kernels

    rng = random.Random(repr(sizes))
    torch.manual_seed(0)
    trees = trees_of(rng, sizes, 50)
    forest = forest_of(trees)
    logits = guided(rng, trees, 50, follow)
    picked = kernels.pick(logits, forest)
    expected = pick(logits.cpu(), on_cpu(forest))
    assert torch.equal(picked.tokens.cpu(), expected.tokens)
    torch.testing.assert_close(picked.margins.cpu(), expected.margins)
    found, paths = kernels.walk(picked, forest)
    right, right_paths = walk(expected, on_cpu(forest))
    assert torch.equal(found.cpu(), right)
    for request, count in enumerate(right[:, 0].tolist()):
        assert paths[request, :count].tolist() == right_paths[request, :count].tolist()


@needs_triton
def test_the_first_of_equal_logits_is_picked_and_its_margin_is_nothing():
    from fastedit_kernels.tree_verify import triton as kernels

    logits = torch.randn(4, 9000).clamp(max=3.0)
    logits[0, [17, 5000]] = 4.0
    logits[1, [3000, 8999]] = 4.0
    logits[2, 8999] = 5.0
    logits[3, 0] = 5.0
    forest = forest_of(trees_of(random.Random(0), [3], 50))
    picked = kernels.pick(logits.to(DEVICE), forest)
    assert picked.tokens.tolist() == [17, 3000, 8999, 0]
    assert picked.margins[:2].tolist() == [0.0, 0.0]
    assert (picked.margins[2:] > 1).all()


@needs_triton
def test_a_row_without_numbers_ends_its_request_alone():
    from fastedit_kernels.tree_verify import triton as kernels

    trees = trees_of(random.Random(0), [5, 5], 40)
    logits = guided(random.Random(0), trees, 40, 1.0)
    expected = walk(pick(logits.cpu(), on_cpu(forest_of(trees))), on_cpu(forest_of(trees))).found
    logits[0, 3] = torch.nan
    forest = forest_of(trees)
    found = kernels.walk(kernels.pick(logits, forest), forest).found.cpu()
    assert found[0, :2].tolist() == [0, -1]
    assert torch.equal(found[1], expected[1])
    assert pick(logits.cpu(), on_cpu(forest)).tokens[0] == -1


@needs_triton
@pytest.mark.parametrize(
    ("vocab", "spread", "top_k", "top_p"),
    [
        (50, 3, 0, 1.0),
        (50, 3, 7, 1.0),
        (50, 3, 1, 1.0),
        (50, 3, 0, 0.6),
        (9000, 3, 0, 1.0),
        (9000, 3, 20, 0.9),  # sought in few of the tokens
        (9000, 3, 0, 0.7),
        (9000, 0.1, 0, 0.97),  # too many are likely for that
        (9000, 0.1, 8500, 0.97),
    ],
)
def test_a_draw_is_the_one_of_the_reference(vocab, spread, top_k, top_p):
    from fastedit_kernels.tree_verify import triton as kernels

    torch.manual_seed(top_k)
    rng, rows = random.Random(vocab), 8 if vocab == 50 else 2
    trees = trees_of(rng, [rows - 1], 40, lambda: Draw(0.8, top_p, top_k, rng.random()))
    # Whole numbers make equals, which top_k keeps together and top_p tells apart by their ids.
    logits = spread * torch.randn(rows, vocab)
    logits = logits.round() if vocab == 50 else logits
    forest = forest_of(trees)
    picked = kernels.pick(logits.to(DEVICE), forest)
    assert picked.tokens.cpu().tolist() == pick(logits, on_cpu(forest)).tokens.tolist()
