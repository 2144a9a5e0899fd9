"""What `evals.shapes_heads` replays: heads that are right as often as it is said, and what is concluded of them."""

from __future__ import annotations

import random

import pytest
import torch

from evals import shapes_heads
from evals.replay import models
from evals.replay.ways import Pass, Written
from evals.shapes_heads import LOOKUP, RATES, ReplayedHead, figures, random_head, recommended
from fastedit.draft.confidence import Confidence
from fastedit.draft.eagle import EagleSource
from fastedit.draft.guesses import DEPTH
from fastedit.draft.seam import Computed


@pytest.fixture
def source(monkeypatch):
    monkeypatch.setitem(models.SHAPES, "tiny", ("qwen2", 6, 16, 32, 2, 1, 300, True))
    monkeypatch.setattr(shapes_heads, "DRAFT_VOCAB", 256)
    target = models.random_target("tiny", torch.device("cpu"), dtype=torch.float32)
    return EagleSource(random_head(target), Confidence(DEPTH))


def first_tokens_right(source, rate, answers):
    """Of how many proposals the first 1, 2, ... tokens are right, over all places of an answer."""
    wanted = [random.Random(0).randrange(256) for _ in range(answers)]
    drafter, reached = ReplayedHead(source, wanted, rate), [0] * DEPTH
    states = {layer: torch.zeros(1, 16) for layer in source.head.reads}
    for at, token in enumerate(wanted[:-DEPTH]):
        drafter.read(Computed([1], at, token, states))
        branch = drafter.propose(DEPTH)[0]
        for depth in range(1, len(branch.tokens) + 1):
            reached[depth - 1] += list(branch.tokens[:depth]) == wanted[at : at + depth]
        drafter.observe([token])
    drafter.close()
    return [count / (answers - DEPTH) for count in reached]


def test_a_replayed_head_is_right_as_often_as_its_rate_says_token_by_token(source):
    reached = first_tokens_right(source, 0.6, 300)
    assert reached[0] == pytest.approx(0.6, abs=0.08)
    assert reached[1] == pytest.approx(0.36, abs=0.08)


def test_what_pays_is_the_least_able_head_that_is_surely_faster():
    rows = {name: {"surely_faster": 0.6} for name in (LOOKUP, *RATES)}
    assert recommended(rows) == LOOKUP
    *_, last = RATES
    rows[last]["surely_faster"] = 0.99
    assert recommended(rows) == last


def test_speeds_are_those_behind_the_first_pass():
    def written(*seconds):
        return [Written(10, (Pass(10, 1, 0, 1, 1.0), Pass(1, 1, 10, 9, 1.0 + s))) for s in seconds]

    name = next(iter(RATES))
    rows = figures({LOOKUP: written(*[1.0] * 6), name: written(*[0.5] * 6)})
    assert rows[name]["x_lookup"] == pytest.approx(2.0)
    assert rows[name]["tokens_a_pass"] == pytest.approx(9.0)
    assert rows[name]["surely_faster"] == 1.0
