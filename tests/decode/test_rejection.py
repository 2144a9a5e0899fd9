"""Drafts that are drawn at random from another distribution, accepted by what they were drawn from."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
import torch

from fastedit.decode.rejection import by_block, by_branches, drawn, uniform
from fastedit.decode.verify import reject, verdict, walk
from fastedit.draft.base import Branch
from fastedit.draft.budget import CostTable
from fastedit.draft.tree import TokenTree
from fastedit.sampling import Sampling
from tests.decode.test_verify import chi_square
from tests.draft.helpers import choose

VOCAB, LENGTH = 3, 2
CHEAP = CostTable((1, 64), (1.0, 1.0))
DEAR = CostTable((1, 64), (1.0, 1000.0))
PREFIXES = [p for n in range(LENGTH + 1) for p in itertools.product(range(VOCAB), repeat=n)]
Model = dict[tuple[int, ...], np.ndarray]


def model(seed: int) -> Model:
    """What it says behind every prefix, of answers of up to LENGTH + 1 tokens."""
    rng = np.random.default_rng(seed)
    return {prefix: rng.dirichlet([0.8] * VOCAB) for prefix in PREFIXES}


def paths(tree: TokenTree, said: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What stands before each row of a pass: the output's, then those of the nodes."""
    found = [said]
    for token, parent in zip(tree.tokens.tolist(), tree.parents.tolist(), strict=True):
        found.append((*found[parent + 1], token))
    return found


def drafted(draft: Model, said: tuple[int, ...], limit: int, rng: np.random.Generator) -> list[Branch]:
    """A chain drawn from the draft model and a second draw at each of its places, as drafters with a model do."""
    tokens, chances, others = [], [], []
    for _ in range(limit):
        q = draft[(*said, *tokens)]
        first, second = rng.choice(VOCAB, p=q, size=2).tolist()
        others.append(Branch([*tokens, second], [0.5] * (len(tokens) + 1), "other", q[None]))
        tokens.append(first)
        chances.append(q)
    return [Branch(tokens, [0.5] * limit, "chain", np.stack(chances)), *others] if limit else []


def step(target: Model, branches: list[Branch], said: tuple[int, ...], sampling: Sampling, costs: CostTable):
    """One pass: the tokens that it accepts, and the one behind them."""
    tree = choose(branches, costs, 32, rate=1.0)
    rows = [target[path] for path in paths(tree, said)]

    def single(row: int, position: int) -> int:
        return drawn(rows[row], uniform(sampling.seed, position))

    if tree.offers and sampling.acceptance != "draw":
        path, last = reject(tree, rows.__getitem__, single, sampling, len(said))
    else:
        path, last = walk(tree, single, len(said))
    return (*tree.tokens[path].tolist(), last)


def answer(target: Model, draft: Model, sampling: Sampling, costs: CostTable) -> tuple[int, ...]:
    """LENGTH + 1 tokens; one branch is looked up and not drawn."""
    said: tuple[int, ...] = ()
    rng = np.random.default_rng(sampling.seed)
    while len(said) <= LENGTH:
        left = LENGTH - len(said)
        lookup = [Branch((0, 1)[:left], [0.4] * left, "lookup")] if left else []
        said += step(target, [*lookup, *drafted(draft, said, left, rng)], said, sampling, costs)
    return said


@pytest.mark.parametrize(
    ("acceptance", "costs"), [("block", CHEAP), ("branches", CHEAP), ("branches", DEAR)], ids=str
)
def test_answers_are_distributed_as_the_models_own_however_drafts_are_accepted(acceptance, costs):
    target, draft = model(1), model(2)
    expected = {
        said: float(np.prod([target[said[:i]][said[i]] for i in range(LENGTH + 1)]))
        for said in itertools.product(range(VOCAB), repeat=LENGTH + 1)
    }
    trials = 2000
    seeds = (Sampling(1.0, seed=seed, acceptance=acceptance) for seed in range(trials))
    counts = Counter(answer(target, draft, sampling, costs) for sampling in seeds)
    statistic, bound = chi_square(counts, expected, trials)
    assert statistic < bound


def accepted(acceptance: str, width: int) -> float:
    """Accepted tokens in the first pass, on average."""
    target, draft = model(5), model(6)
    rng, stood = np.random.default_rng(1), 0
    for seed in range(800):
        sampling = Sampling(1.0, seed=seed, acceptance=acceptance)
        stood += len(step(target, drafted(draft, (), LENGTH, rng)[:width], (), sampling, CHEAP)) - 1
    return stood / 800


def test_of_a_chain_more_stands_by_the_block_than_token_by_token_than_by_single_draws():
    assert accepted("block", 1) > accepted("branches", 1) > accepted("draw", 1)


def test_with_siblings_more_stands_than_of_the_chain_alone():
    assert accepted("branches", 3) > accepted("branches", 1)


def test_a_draft_model_that_is_the_model_itself_is_accepted_whole():
    target, rng = model(7), np.random.default_rng(1)
    for acceptance in ("block", "branches"):
        for seed in range(10):
            chain = drafted(target, (), LENGTH, rng)[:1]
            tokens = step(target, chain, (), Sampling(1.0, seed=seed, acceptance=acceptance), CHEAP)
            assert list(tokens[:-1]) == chain[0].tokens


@pytest.mark.parametrize("acceptance", ["draw", "block", "branches"])
def test_greedy_answers_are_the_likeliest_tokens_however_drafts_are_accepted(acceptance):
    torch.manual_seed(3)
    logits = {prefix: 2 * torch.randn(VOCAB) for prefix in PREFIXES}
    likeliest: tuple[int, ...] = ()
    while len(likeliest) < LENGTH + 1:
        likeliest += (int(logits[likeliest].argmax()),)
    rng = np.random.default_rng(2)
    for temperature in (0.0, 0.01):  # near 0 drafts are still accepted by draws, and one token is certain
        for seed in range(10):
            sampling = Sampling(temperature, seed=seed, acceptance=acceptance)
            tree = choose(drafted(model(4), (), LENGTH, rng), CHEAP, 32)
            rows = torch.stack([logits[path] for path in paths(tree, ())])
            path, last, _, _ = verdict(rows, tree, sampling, 0)
            found = (*tree.tokens[path].tolist(), last)
            assert found == likeliest[: len(found)]


def test_a_smaller_vocabulary_of_the_drafter_counts_as_never_drawn_beyond_it():
    p = np.array([0.2, 0.3, 0.5])
    tree = choose([Branch([1], [0.5], "d", np.array([[0.5, 0.5]], dtype=np.float32))], CHEAP, 8)
    for rule in (by_branches, by_block):
        said = Counter()
        for seed in range(1000):
            path, last = rule(tree, lambda row: p, seed, 0)
            said[1 if path else last] += 1
        # The draft is always 1: it stands with 0.3 / 0.5, else what p has left beyond q, which is all on 2.
        assert said[1] / 1000 == pytest.approx(0.6, abs=0.06)
        assert said[2] / 1000 == pytest.approx(0.4, abs=0.06)


def test_drawn_tokens_are_verified_all_together_or_not_as_draws_at_all():
    branches = drafted(model(2), (), LENGTH, np.random.default_rng(1))
    assert len(choose(branches, DEAR, 32, rate=1.0).offers) == 2 * LENGTH
    assert choose(branches, CHEAP, 3).offers == ()
