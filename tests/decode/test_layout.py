from __future__ import annotations

import random

import torch

from fastedit.decode.layout import lay_out
from fastedit.draft.base import Branch
from fastedit.draft.budget import choose
from fastedit.draft.tree import TokenTree
from tests.decode.helpers import CHEAP

CPU = torch.device("cpu")


def test_a_trunk_without_a_tree_is_a_chain_that_wants_its_last_logits():
    rows = lay_out([7, 8, 9], TokenTree.empty(), 5, CPU)
    assert rows.tokens.tolist() == [7, 8, 9]
    assert rows.span.positions.tolist() == [5, 6, 7]
    assert rows.span.sees.int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert (rows.wanted, rows.span.prefix) == (2, 5)


def test_nodes_see_the_trunk_and_their_ancestors_and_stand_at_their_depth():
    rng = random.Random(0)
    for _ in range(30):
        branches = [
            Branch([rng.randrange(3) for _ in range(length)], [0.9**i for i in range(length)], "draft")
            for length in (rng.randrange(1, 90) for _ in range(5))
        ]
        tree = choose(branches, CHEAP, 150)
        trunk, prefix = [1] * rng.randrange(1, 4), rng.randrange(9)
        rows = lay_out(trunk, tree, prefix, CPU)
        n = len(trunk)
        assert rows.tokens[n:].tolist() == tree.tokens.tolist()
        assert bool(rows.span.sees[n:, :n].all())
        assert not bool(rows.span.sees[:n, n:].any())
        for node, parent in enumerate(tree.parents.tolist()):
            line, depth = {node}, 1
            while parent >= 0:
                line.add(parent)
                depth, parent = depth + 1, tree.parents[parent].item()
            assert set(rows.span.sees[n + node, n:].nonzero().flatten().tolist()) == line
            assert rows.span.positions[n + node] == prefix + n - 1 + depth
