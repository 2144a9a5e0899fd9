from __future__ import annotations

import random

import pytest

from fastedit.decode.session import Session
from fastedit.draft.lookup.lookahead import NGRAM, WINDOW, LookaheadDrafter
from fastedit.draft.registry import Drafting
from fastedit.draft.tree import Merger
from fastedit.sampling import Sampling
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, random_ids, target


@pytest.mark.parametrize("sampling", [GREEDY, Sampling(temperature=1.2, seed=2)], ids=["greedy", "sampled"])
def test_the_answer_is_that_of_plain_decoding(sampling):
    model, rng = target(), random.Random(1)
    for length in (1, 40):
        prompt = prompt_of(random_ids(rng, length), stop=[3], limit=24)
        plain = Session(model, prompt, (), sampling, costs=CHEAP, speculation=False)
        session = Session(model, prompt, Drafting(model).drafters("lookahead", prompt), sampling, costs=CHEAP)
        assert answer(session) == answer(plain)
        assert not session.tally.switched_off
        assert session.tally.drafted["window"] > 0


def whole(branches):
    merger = Merger(branches)
    return merger.tree([len(run.tokens) for run in merger.runs])


def test_successive_guesses_become_ngrams_that_are_proposed_behind_their_first_token():
    drafter = LookaheadDrafter([1, 2, 3, 4, 5])

    def says(token):  # a target that always counts on
        return (token + 10) % 100

    for output in (50, 60, 70):
        tree = whole(drafter.propose(60))
        drafter.hear(tree, [says(output), *map(says, tree.tokens.tolist())])
        drafter.observe([says(output)])
    # After three rounds each oldest guess is followed by what the target said of it, and of that, and so on.
    drafter.observe([1])
    proposals = [list(b.tokens) for b in drafter.propose(60) if not b.probe]
    assert [11, 21, 31] in proposals
    assert all(len(tokens) == NGRAM - 1 for tokens in proposals)


def test_the_window_is_as_large_as_it_is_meant_to_be():
    drafter = LookaheadDrafter([1, 2, 3, 4, 5])
    for _ in range(4):
        tree = whole(drafter.propose(60))
        drafter.hear(tree, [0, *(7 * t % 97 for t in tree.tokens.tolist())])
        drafter.observe([0])
    window = whole([b for b in drafter.propose(60) if b.probe])
    assert len(window) <= WINDOW * (NGRAM - 1)
    assert int(window.depths.max()) <= WINDOW + NGRAM - 2


def test_copied_text_needs_no_window():
    drafter = LookaheadDrafter([1, 2, 3, 4, 5])
    drafter.observe(list(range(20)))
    assert not drafter.propose(60)
