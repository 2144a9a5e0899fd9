"""What one drafter does wrong, and what the others and the answer have of it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from fastedit.decode.session import Session
from fastedit.draft.base import Branch
from fastedit.sampling import Sampling
from tests.checkpoints import VOCAB
from tests.decode.helpers import CHEAP, answer, prompt_of, random_ids, target

SAMPLED = Sampling(temperature=1.0, seed=1, acceptance="branches")
FAIR = np.full((1, VOCAB), 1 / VOCAB, dtype=np.float32)
ELSEWHERE = np.eye(VOCAB, dtype=np.float32)[[5]]


class Holding:
    """Proposes one branch, and holds something until it is closed."""

    name = "holding"

    def __init__(self, *branches: Branch) -> None:
        self._branches = list(branches)
        self.closed = 0

    def observe(self, tokens):
        pass

    def propose(self, limit):
        if not self._branches:
            raise RuntimeError("nothing to say")
        return self._branches

    def close(self):
        self.closed += 1


@pytest.mark.parametrize(
    "branch",
    [
        Branch([1], [0.5], "drawn", FAIR[0]),
        Branch([1], [0.5], "drawn", FAIR * 2),
        Branch([1], [0.5], "drawn", np.repeat(FAIR, 2, axis=0)),
        Branch([1], [0.5], "drawn", ELSEWHERE),
        Branch([VOCAB - 1], [0.5], "drawn", FAIR[:, : VOCAB - 1] / FAIR[:, : VOCAB - 1].sum()),
    ],
    ids=["no rows", "sums to two", "too many rows", "does not hold its token", "too narrow for its token"],
)
def test_draws_from_what_is_no_distribution_switch_their_drafter_off_and_the_answer_is_finished(branch):
    session = _session(Holding(branch))
    assert len(answer(session)) == 6
    assert session.tally.switched_off == {"holding": 1}


def test_draws_from_a_distribution_are_taken():
    session = _session(Holding(Branch([1], [0.5], "drawn", FAIR)))
    assert len(answer(session)) == 6
    assert not session.tally.switched_off
    assert session.tally.drafted["drawn"] > 0


def test_a_drafter_is_closed_at_the_end_even_if_it_was_switched_off():
    for drafter in (Holding(), Holding(Branch([1], [0.5], "drawn"))):
        session = _session(drafter)
        answer(session)
        assert drafter.closed >= 1


def test_a_draft_that_is_cut_at_the_answers_limit_keeps_the_distributions_of_what_is_left():
    draws = Branch([1, 2, 3, 4, 5, 6, 7, 8], [0.9] * 8, "drawn", np.repeat(FAIR, 8, axis=0))
    last = Branch([1, 2, 3, 4, 5, 6, 7, 8], [0.9] * 8, "drawn", FAIR)
    session = _session(Holding(draws, last))
    assert len(answer(session)) == 6
    assert not session.tally.switched_off


def _session(drafter: Holding) -> Session:
    prompt = prompt_of(random_ids(random.Random(1), 20), limit=6)
    return Session(target(), prompt, [drafter], SAMPLED, costs=CHEAP)
