from fastedit.draft.lookup.ngram import LENGTH, NgramDrafter
from tests.draft.helpers import feed, proposals


def test_it_proposes_what_last_followed_the_last_two_tokens():
    drafter = NgramDrafter([[1, 2, 3, 4, 1, 2, 5, 6]])
    feed(drafter, [1, 2])
    assert proposals(drafter) == [[5, 6]]


def test_the_output_teaches_it():
    drafter = NgramDrafter([[1, 2, 3]])
    feed(drafter, [1, 2, 9, 1, 2])
    assert proposals(drafter)[0][0] == 9


def test_a_chain_of_guesses_is_short_and_less_sure_with_every_token():
    drafter = NgramDrafter([list(range(50))])
    feed(drafter, [10, 11])
    (branch,) = drafter.propose(30)
    assert list(branch.tokens) == list(range(12, 12 + LENGTH))
    assert list(branch.survival) == sorted(set(branch.survival), reverse=True)


def test_a_follower_that_never_changed_is_surer():
    drafter = NgramDrafter([[1, 2, 3] * 5, [4, 5, 6, 4, 5, 7]])
    feed(drafter, [1, 2])
    steady = drafter.propose(1)[0].survival[0]
    feed(drafter, [4, 5])
    assert drafter.propose(1)[0].survival[0] < steady


def test_it_says_nothing_of_pairs_it_never_saw():
    drafter = NgramDrafter([[1, 2, 3]])
    assert proposals(drafter) == []
    feed(drafter, [2, 1])
    assert proposals(drafter) == []
