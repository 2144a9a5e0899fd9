from __future__ import annotations

import random

import torch

from fastedit.decode.layout import PassPart, lay_out
from fastedit.draft.base import Branch
from fastedit.draft.tree import TokenTree
from fastedit.model.cache import Cache
from fastedit.model.pages import PagePool
from tests.decode.helpers import CHEAP
from tests.draft.helpers import choose


def cache_of(length: int) -> Cache:
    cache = Cache(PagePool(1, 20, torch.float32))
    cache.begin(length)
    cache.keep(range(length))
    return cache


def random_tree(rng: random.Random) -> TokenTree:
    branches = [
        Branch([rng.randrange(3) for _ in range(length)], [0.9**i for i in range(length)], "draft")
        for length in (rng.randrange(1, 90) for _ in range(5))
    ]
    return choose(branches, CHEAP, 150)


def test_a_trunk_without_a_tree_is_a_chain_that_wants_its_last_logits():
    rows = lay_out([PassPart([7, 8, 9], TokenTree.empty(), cache_of(5))])
    (span,) = rows.batch.spans
    assert rows.tokens.tolist() == [7, 8, 9]
    assert span.positions.tolist() == [5, 6, 7]
    assert span.sees().astype(int).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert (rows.wanted.tolist(), span.prefix, span.trunk, span.end) == ([2], 5, 3, 8)


def test_nodes_see_the_trunk_and_their_ancestors_and_stand_at_their_depth():
    rng = random.Random(0)
    for _ in range(30):
        tree, prefix = random_tree(rng), rng.randrange(9)
        trunk = [1] * rng.randrange(1, 4)
        rows = lay_out([PassPart(trunk, tree, cache_of(prefix))])
        (span,), n = rows.batch.spans, len(trunk)
        sees = span.sees()
        assert rows.tokens[n:].tolist() == tree.tokens.tolist()
        assert sees[n:, :n].all()
        assert not sees[:n, n:].any()
        for node, parent in enumerate(tree.parents.tolist()):
            line, depth = {node}, 1
            while parent >= 0:
                line.add(parent)
                depth, parent = depth + 1, tree.parents[parent].item()
            assert set(sees[n + node, n:].nonzero()[0].tolist()) == line
            assert span.positions[n + node] == prefix + n - 1 + depth


def test_several_requests_lie_one_behind_the_other():
    rng = random.Random(1)
    trees = [random_tree(rng), TokenTree.empty(), random_tree(rng)]
    caches, trunks = [cache_of(70), cache_of(0), cache_of(3)], [[5], list(range(9)), [6, 7]]
    parts = [PassPart(*part) for part in zip(trunks, trees, caches, strict=True)]
    rows = lay_out(parts)
    at = 0
    for index, part in enumerate(parts):
        alone = lay_out([part])
        stop = at + len(alone)
        assert rows.batch.starts[index : index + 2].tolist() == [at, stop]
        assert rows.tokens[at:stop].tolist() == alone.tokens.tolist()
        assert rows.batch.positions[at:stop].tolist() == alone.batch.positions.tolist()
        assert rows.batch.slots[at:stop].tolist() == alone.batch.slots.tolist()
        wanted = [row for row in rows.wanted.tolist() if at <= row < stop]
        assert [row - at for row in wanted] == alone.wanted.tolist()
        at = stop
