"""What `evals.shapes_heads` replays: heads that are right as often as it is said, and what is concluded of them."""

from __future__ import annotations

import random

import pytest
import torch

from evals.replay.edits import Case
from evals.replay.models import random_target
from evals.replay.passes import ReplayedEdit, ReplayedPass
from evals.shapes_heads import (
    HEADS,
    LOOKUP,
    Kind,
    Reckoned,
    ReplayedHead,
    figures,
    reckoned,
    recommended,
    source_of,
)
from fastedit.draft.budget import CostTable
from fastedit.draft.clock import Clock
from fastedit.draft.heads.guesses import DEPTH
from fastedit.draft.seam import Computed
from tests.decode.helpers import prompt_of


@pytest.fixture(params=[False, True], ids=["eagle", "p-eagle"])
def source(request):
    target = random_target("tiny", torch.device("cpu"), dtype=torch.float32)
    return source_of(target, Kind(256, 1.0, parallel=request.param))


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
    rows = {name: {"surely_faster": 0.6} for name in (LOOKUP, *HEADS)}
    assert recommended(rows) == LOOKUP
    *_, last = HEADS
    rows[last]["surely_faster"] = 0.99
    assert recommended(rows) == last


def test_speeds_are_those_behind_the_first_pass():
    def written(*seconds):
        return [
            ReplayedEdit(10, (ReplayedPass(10, 1, 0, 1, 1.0), ReplayedPass(1, 1, 10, 9, 1.0 + s)))
            for s in seconds
        ]

    name = next(iter(HEADS))
    rows = figures({LOOKUP: written(*[1.0] * 6), name: written(*[0.5] * 6)})
    assert rows[name]["x_lookup"] == pytest.approx(2.0)
    assert rows[name]["tokens_a_pass"] == pytest.approx(9.0)
    assert rows[name]["surely_faster"] == 1.0


def test_reckoned_passes_take_what_the_table_says_and_proposals_what_their_head_was_timed_at():
    timed = Clock(lambda rows: None, "cpu")
    timed._first_ms, timed._row_ms = 5.0, 0.1
    times, costs = Reckoned(timed), CostTable((1, 100), (10.0, 109.0))

    def write(found: Case, most: int | None = None) -> ReplayedEdit:
        times.observe(backlog=10, steps=2, ms=99.0)
        return ReplayedEdit(10, (ReplayedPass(10, 1, 0, 1, 0.7), ReplayedPass(3, 3, 10, 2, 0.9)))

    prompt = prompt_of([1])
    written = reckoned(write, costs, times)((prompt, (1, 2, 3)), None)
    assert written.first.seconds == pytest.approx(0.019)
    assert written.decoding_s == pytest.approx(0.012 + 0.016)
    assert written.drafting_s == pytest.approx(0.016)
    alone = reckoned(write, costs)((prompt, (1, 2, 3)), None)
    assert alone.decoding_s == pytest.approx(0.012)
