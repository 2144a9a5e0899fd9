"""What the kernel accepts of drafts that were drawn at random, beside what plain numpy accepts of the same."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from fastedit_kernels.packing import send
from fastedit_kernels.tree_verify import Forest, forest_arrays
from fastedit_kernels.tree_verify.forest import Tree, offers_of

from fastedit.decode.rejection import drawn_of
from fastedit.decode.verify import draws, verdict
from fastedit.draft.base import Branch
from fastedit.draft.budget import CostTable
from fastedit.draft.tree import TokenTree
from fastedit.sampling import Sampling
from tests.draft.helpers import choose
from tests.kernels.helpers import DEVICE, needs_triton

VOCAB = 40
CHEAP = CostTable((1, 64), (1.0, 1.0))


def draft(rng: np.random.Generator, length: int, *, vocab: int = VOCAB) -> TokenTree:
    """A chain drawn at random, a second draw at each of its places, and a branch that was looked up."""
    tokens, chances, others = [], [], []
    for _ in range(length):
        q = rng.dirichlet([0.5] * vocab).astype(np.float32)
        first, second = rng.choice(
            vocab, p=q.astype(np.float64) / q.astype(np.float64).sum(), size=2
        ).tolist()
        others.append(Branch([*tokens, second], [0.5] * (len(tokens) + 1), "other", q[None]))
        tokens.append(first)
        chances.append(q)
    chain = Branch(tokens, [0.5] * length, "chain", np.stack(chances))
    return choose([chain, *others, Branch([1, 2], [0.6, 0.5], "lookup")], CHEAP, 32)


def logits_near(tree: TokenTree, rng: np.random.Generator) -> torch.Tensor:
    """Rows that are not far from what was offered behind them, so that some of it stands."""
    rows = rng.normal(size=(1 + len(tree), VOCAB)).astype(np.float32)
    for offer in tree.offers:
        q = offer.chances
        rows[1 + offer.parent, : len(q)] += np.log(q + 1e-3)
    return torch.from_numpy(rows)


def by_kernel(logits, trees, samplings, positions):
    from fastedit_kernels.tree_verify import rejection
    from fastedit_kernels.tree_verify import triton as kernels

    known = [
        Tree(t.tokens, t.parents, t.depths, t.ancestors, draws(t, s, at), drawn_of(t, s, at))
        for t, s, at in zip(trees, samplings, positions, strict=True)
    ]
    forest = Forest.of(send(forest_arrays(known), DEVICE))
    logits = logits.to(DEVICE)
    picked = kernels.pick(logits, forest)
    rejection.reject(logits, picked, forest, offers_of(known, VOCAB, DEVICE))
    found, paths = kernels.walk(picked, forest)
    return [
        (path[:count].tolist(), last) for (count, last), path in zip(found.tolist(), paths.cpu(), strict=True)
    ]


@needs_triton
@pytest.mark.parametrize(
    "cut", [{}, *(pytest.param(cut, marks=pytest.mark.slow) for cut in ({"top_k": 9}, {"top_p": 0.8}))]
)
@pytest.mark.parametrize("acceptance", ["branches", "block"])
def test_the_kernel_accepts_what_numpy_accepts(acceptance, cut):
    rng, stood = np.random.default_rng(1), 0
    for seed in range(2):
        trees = [draft(rng, length) for length in (3, 1)]
        samplings = [Sampling(0.9, seed=seed + i, acceptance=acceptance, **cut) for i in range(2)]
        each, positions = [logits_near(tree, rng) for tree in trees], [7, 30]
        found = by_kernel(torch.cat(each), trees, samplings, positions)
        for path, *given in zip(found, each, trees, samplings, positions, strict=True):
            expected = verdict(*given)
            assert path == (list(expected.path), expected.last)
            stood += len(expected.path)
    assert stood > 0


@needs_triton
def test_requests_of_a_pass_may_differ_in_how_drafts_are_accepted_and_none_draws_is_left_alone():
    rng = np.random.default_rng(2)
    trees = [draft(rng, 2), draft(rng, 2, vocab=VOCAB - 8), draft(rng, 2), TokenTree.empty()]
    samplings = [
        Sampling(0.9, seed=1, acceptance="block"), Sampling(1.1, seed=2, acceptance="branches"),
        Sampling(), Sampling(0.7, seed=3, acceptance="block"),
    ]  # fmt: skip
    each = [logits_near(tree, rng) for tree in trees]
    found = by_kernel(torch.cat(each), trees, samplings, [0, 1, 2, 3])
    for index, path in enumerate(found):
        expected = verdict(each[index], trees[index], samplings[index], index)
        assert path == (list(expected.path), expected.last)


@needs_triton
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the interpreter is numpy, which minds NaN
@pytest.mark.parametrize("acceptance", ["branches", "block"])
def test_a_root_without_numbers_accepts_nothing(acceptance):
    rng = np.random.default_rng(3)
    trees, samplings = [draft(rng, 2), draft(rng, 2)], [Sampling(0.9, seed=1, acceptance=acceptance)] * 2
    each = [logits_near(tree, rng) for tree in trees]
    each[0][0, 3] = torch.nan
    broken, whole = by_kernel(torch.cat(each), trees, samplings, [0, 0])
    expected = verdict(each[1], trees[1], samplings[1], 0)
    assert broken == ([], -1)
    assert whole == (list(expected.path), expected.last)
