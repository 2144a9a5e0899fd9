from fastedit.draft.lookup.original import OriginalDrafter
from tests.draft.helpers import feed, proposals

FILE = list(range(100, 400))


def test_it_starts_by_drafting_the_whole_original():
    assert proposals(OriginalDrafter(FILE), limit=127) == [FILE[:127]]


def test_a_copy_goes_on_where_it_is_and_ends_with_the_text():
    drafter = OriginalDrafter(FILE)
    feed(drafter, FILE[:280])
    assert proposals(drafter) == [FILE[280:]]
    feed(drafter, FILE[280:])
    assert proposals(drafter) == []


def test_after_an_insertion_it_finds_its_place_again():
    drafter = OriginalDrafter(FILE)
    feed(drafter, [*FILE[:50], 1, 2, 3])
    feed(drafter, FILE[50:51])
    assert proposals(drafter)[0][:5] == FILE[51:56]


def test_after_a_deletion_it_finds_its_place_again():
    drafter = OriginalDrafter(FILE)
    feed(drafter, [*FILE[:50], FILE[90]])
    assert proposals(drafter)[0][:5] == FILE[91:96]


def test_a_place_found_again_is_trusted_once_enough_was_copied():
    drafter = OriginalDrafter(FILE)
    feed(drafter, [*FILE[:50], 1, 2, 3, *FILE[60:80]], a_pass=5)
    assert proposals(drafter) == [FILE[80:110]]


def test_where_the_place_is_ambiguous_there_are_several_branches():
    text = [1, 2, 3, 10, 11, 1, 2, 3, 20, 21, 1, 2, 3, 30, 31]
    drafter = OriginalDrafter(text)
    feed(drafter, [9, 8, 1, 2, 3], a_pass=1)
    assert {branch[0] for branch in proposals(drafter)} >= {10, 20, 30}


def test_what_lies_ahead_is_preferred_to_what_was_passed():
    loop = [1, 2, 3, 4]
    text = [*loop, *range(100, 130), *loop, *range(200, 230), *loop, *range(300, 330)]
    drafter = OriginalDrafter(text)
    feed(drafter, text[:50])  # inside the second stretch
    feed(drafter, [9, 9, *loop], a_pass=1)
    assert proposals(drafter)[0][0] == 300


def test_a_failed_draft_makes_the_next_one_less_sure_and_success_restores_it():
    drafter = OriginalDrafter(FILE)
    feed(drafter, FILE[:100])
    sure = drafter.propose(20)[0].survival[-1]
    drafter.observe([7])
    drafter.observe(FILE[101:103])
    shaken = drafter.propose(20)[0].survival[-1]
    feed(drafter, FILE[103:250])
    assert shaken < drafter.propose(20)[0].survival[-1]
    assert shaken < sure


def test_survival_is_about_what_comes_true():
    """A text that breaks every 30 tokens or so: of the tokens drafted at 0.5 to 0.9, about that share is right."""
    wanted = [token + 1000 * (i % 31 == 30) for i, token in enumerate(range(100, 4100))]
    drafter, at, hopes, hits = OriginalDrafter(range(100, 4100)), 0, 0.0, 0
    while at < len(wanted):
        branch = next(iter(drafter.propose(64)), None)
        right = 0
        if branch is not None:
            while (
                right < len(branch.tokens)
                and branch.tokens[right : right + 1] == wanted[at + right : at + right + 1]
            ):
                right += 1
            likely = [i for i, chance in enumerate(branch.survival) if 0.5 <= chance <= 0.9]
            hopes += sum(float(branch.survival[i]) for i in likely)
            hits += sum(i < right for i in likely)
        drafter.observe(wanted[at : at + right + 1])
        at += right + 1
    assert hits > 500
    assert 0.6 < hopes / hits < 1.4
