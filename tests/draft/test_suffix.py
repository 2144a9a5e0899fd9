from fastedit.draft.lookup.suffix import SuffixDrafter
from tests.draft.helpers import feed, proposals

UPDATE = [1, 2, 3, 4, 5, 6]
FILE = [*range(100, 150), 2, 3, *range(200, 250)]


def test_it_proposes_what_followed_the_longest_match():
    drafter = SuffixDrafter([UPDATE, FILE])
    feed(drafter, [149, 2, 3], a_pass=1)
    assert proposals(drafter)[0][:3] == [200, 201, 202]
    drafter = SuffixDrafter([UPDATE, FILE])
    feed(drafter, [1, 2, 3], a_pass=1)
    assert proposals(drafter)[0][:3] == [4, 5, 6]


def test_an_ambiguous_match_gives_a_branch_for_each_way_to_go_on():
    drafter = SuffixDrafter([UPDATE, FILE])
    feed(drafter, [77, 2, 3], a_pass=1)
    assert sorted(branch[0] for branch in proposals(drafter)) == [4, 200]


def test_it_learns_what_the_output_says_for_the_first_time():
    drafter = SuffixDrafter([FILE])
    feed(drafter, [50, 51, 52, 53, 54], a_pass=2)
    feed(drafter, [*FILE[:40], 50, 51], a_pass=1)
    assert proposals(drafter)[0][:3] == [52, 53, 54]


def test_texts_do_not_run_into_each_other():
    drafter = SuffixDrafter([[1, 2], [3, 4]])
    feed(drafter, [1, 2])
    assert proposals(drafter) == []


def test_a_longer_match_is_surer():
    short, long = SuffixDrafter([FILE]), SuffixDrafter([FILE])
    feed(short, FILE[39:40])
    feed(long, FILE[30:40])
    assert long.propose(1)[0].survival[0] > short.propose(1)[0].survival[0]


def test_copied_output_is_not_stored_again():
    drafter = SuffixDrafter([FILE])
    feed(drafter, FILE[:1])
    states = len(drafter._automaton.follow)
    feed(drafter, FILE[1:], a_pass=25)
    assert len(drafter._automaton.follow) < states + 60
