"""How far a head is followed, and what is learned of a proposal that a pass has only partly tried."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from fastedit.draft.clock import Clock
from fastedit.draft.confidence import AnswerHopes, Confidence
from fastedit.draft.heads.guesses import DEPTH, GuessingDrafter

PRIOR = 0.55


class Second(Clock):
    """Every step takes a millisecond."""

    def __init__(self) -> None:
        super().__init__(lambda rows: None, "cpu")

    @property
    def step_ms(self) -> float:
        return 1.0


class Sure(GuessingDrafter):
    """Guesses token 1 behind everything, and is as good as sure of it."""

    backlog = 0

    def read(self, computed):
        pass

    def begin(self):
        return torch.zeros(1, 1), self._logits(1)

    def step(self, fed, tokens, parents, level):
        return fed, self._logits(len(parents))

    def _logits(self, rows):
        return torch.tensor([[0.0, 9.0]]).expand(rows, -1)


def drafter(known: Confidence) -> Sure:
    return Sure("sure", [0], known, Second())


def deepest(head: Sure) -> int:
    return max(len(branch.tokens) for branch in head.propose(DEPTH))


def test_a_head_is_followed_as_long_as_a_step_brings_tokens_faster_than_the_pass_does():
    head = drafter(Confidence(DEPTH))
    head.spend(100.0)
    assert deepest(head) == DEPTH
    head.spend(1.0)
    assert deepest(head) == 1
    head.spend(1.0 / (0.9 * PRIOR))  # the second token pays a step, the third does not
    assert deepest(head) == 2


def test_tokens_of_a_draft_that_no_pass_has_tried_count_neither_for_nor_against_a_head():
    known = Confidence(DEPTH)
    head = drafter(known)
    for _ in range(300):
        assert deepest(head) > 2
        head.observe([1, 0])  # a pass that tried the first two
    assert known.rates()[:3] == pytest.approx([1.0, 0.0, PRIOR], abs=0.05)


def test_what_an_answer_hopes_for_begins_with_what_is_known_and_follows_what_happens_in_it():
    hopes = AnswerHopes(Confidence(3))
    assert hopes.hopes() == pytest.approx(PRIOR ** np.arange(1, 4))
    for _ in range(500):
        hopes.proposed(2, 2)
    assert hopes.hopes() == pytest.approx([1.0, 1.0, PRIOR], abs=0.02)
