from fastedit.draft.lookup.index import TextIndex
from fastedit.draft.lookup.original import OriginalDrafter
from fastedit.draft.lookup.substitution import Substitutions
from tests.draft.helpers import feed, proposals

FOO, BAR, QUX = [5, 6], [7, 8, 9], [3]


def text_with(name: list[int]) -> list[int]:
    """Six stretches of 30 tokens of their own, `name` between them."""
    return [token for part in range(6) for token in (*range(100 * part + 100, 100 * part + 130), *name)]


def test_a_rewrite_is_carried_to_later_places():
    old, new = text_with(FOO), text_with(BAR)
    drafter = OriginalDrafter(old, substitute=True)
    feed(drafter, new[:60], a_pass=7)
    branches = drafter.propose(60)
    changed = next(branch for branch in branches if branch.source == "substitution")
    assert list(changed.tokens[:30]) == new[60:90]
    assert list(next(b for b in branches if b.source == "original").tokens[:10]) == old[59:69]


def test_the_copy_goes_on_behind_a_rewrite_that_was_right():
    old, new = text_with(FOO), text_with(BAR)
    drafter = OriginalDrafter(old, substitute=True)
    feed(drafter, new[:60], a_pass=7)
    drafter.observe(new[60:80])
    assert new[80:110] in proposals(drafter)


def test_rewrites_become_surer_when_they_repeat_and_are_dropped_when_they_do_not():
    odds = []
    for output in (text_with(BAR), text_with(BAR)[:33] + text_with(FOO)[32:]):
        drafter = OriginalDrafter(text_with(FOO), substitute=True)
        feed(drafter, output[:150], a_pass=5)
        branch = next((b for b in drafter.propose(60) if b.source == "substitution"), None)
        odds.append(branch.survival[40] if branch is not None and len(branch.survival) > 40 else 0.0)
    assert odds[0] > 0.4
    assert odds[1] < 0.1


def test_without_leave_nothing_is_carried():
    drafter = OriginalDrafter(text_with(FOO))
    feed(drafter, text_with(BAR)[:60], a_pass=7)
    assert {branch.source for branch in drafter.propose(60)} == {"original"}


def test_several_changes_one_for_one_are_learned_apart():
    text = [1, 5, 2, 6, 3, *range(100, 120), 4, 5, 8, *range(200, 220), 4, 6, 8]
    changes = Substitutions(TextIndex(text))
    changes.learn(1, 4, [50, 2, 60])
    view = changes.view(5, len(text))
    assert view is not None
    assert view.tokens == [*range(100, 120), 4, 50, 8, *range(200, 220), 4, 60, 8]


def test_an_insertion_is_carried_by_what_stands_around_it():
    text = [1, 2, *range(100, 120), 1, 2, *range(200, 220), 1, 3]
    changes = Substitutions(TextIndex(text))
    changes.learn(1, 1, QUX)
    view = changes.view(2, len(text))
    assert view is not None
    assert view.tokens == [*range(100, 120), 1, *QUX, 2, *range(200, 220), 1, *QUX, 3] or view.tokens == [
        *range(100, 120), 1, *QUX, 2, *range(200, 220), 1, 3,
    ]  # fmt: skip


def test_a_view_knows_its_places_in_the_text():
    text = text_with(FOO)
    changes = Substitutions(TextIndex(text))
    changes.learn(30, 32, BAR)
    view = changes.view(40, 80)
    assert view is not None
    start = view.tokens.index(BAR[0])
    assert view.place(40, start) == 40 + start
    assert view.place(40, start + 1) is None
    assert view.place(40, start + len(BAR)) == 40 + start + len(FOO)


def test_a_long_rewrite_is_not_expected_again():
    text = text_with(list(range(10, 30)))
    changes = Substitutions(TextIndex(text))
    changes.learn(30, 50, list(range(40, 70)))
    assert changes.view(50, 200) is None
