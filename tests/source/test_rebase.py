from __future__ import annotations

import pytest
from hypothesis import given

from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks, diff_lines
from fastedit.source.rebase import rebase
from tests.source.test_hunks import LINES


def document(lines) -> Document:
    return Document.from_text("".join(f"{line}\n" for line in lines))


@given(LINES, LINES, LINES, LINES)
def test_changes_that_are_apart_are_both_kept(head, new_head, tail, new_tail):
    wall = ["wall 1", "wall 2"]
    base, both = document(head + wall + tail), document(new_head + wall + new_tail)
    ours, theirs = document(new_head + wall + tail), document(head + wall + new_tail)
    for mine, other in ((ours, theirs), (theirs, ours)):
        rebased = rebase(diff_lines(base.lines, mine.lines), base, other)
        assert not rebased.conflicts
        assert apply_hunks(other, rebased.hunks) == both.text


@given(LINES, LINES)
def test_an_unchanged_file_takes_all_hunks_as_they_are(old, new):
    hunks = diff_lines(old, new)
    assert rebase(hunks, document(old), document(old)) == (hunks, ())


@given(LINES, LINES)
def test_a_change_made_on_both_sides_is_done_already(old, new):
    # Without blank and repeated lines, for which no one can tell whether it is the same change.
    old, new = [f"{i}{line}" for i, line in enumerate(old)], [f"{i}{line}" for i, line in enumerate(new)]
    hunks = diff_lines(old, new)
    assert rebase(hunks, document(old), document(new)) == ((), ())


@given(LINES, LINES, LINES)
def test_every_hunk_is_carried_over_or_reported_or_done(old, ours, theirs):
    hunks = diff_lines(old, ours)
    rebased = rebase(hunks, document(old), document(theirs))
    done = {*diff_lines(old, theirs)} & {*hunks} - {*rebased.conflicts}
    assert len(rebased.hunks) + len(rebased.conflicts) + len(done) == len(hunks)
    apply_hunks(document(theirs), rebased.hunks)


def test_a_touching_change_is_a_conflict():
    base = document("abcdef")
    assert rebase([Hunk(2, 3, ("C",))], base, document("abXdef")).conflicts == (Hunk(2, 3, ("C",)),)
    assert rebase([Hunk(2, 3, ("C",))], base, document("abcXef")).conflicts == (Hunk(2, 3, ("C",)),)
    assert rebase([Hunk(2, 2, ("n",))], base, document("abmcdef")).conflicts == (Hunk(2, 2, ("n",)),)
    assert rebase([Hunk(2, 3, ("C",))], base, document("abcdXf")).hunks == (Hunk(2, 3, ("C",)),)


@pytest.mark.parametrize(
    ("hunk", "theirs", "both"),
    [
        (Hunk(2, 3, ("C",)), "abXdef", None),  # the very line
        (Hunk(2, 3, ("C",)), "aXcdef", "aXCdef"),
        (Hunk(2, 3, ("C",)), "abcXef", "abCXef"),
        (Hunk(2, 3, ("C",)), "abXcdef", "abXCdef"),
        (Hunk(2, 3, ()), "abcXdef", "abXdef"),
        (Hunk(2, 2, ("n",)), "aXcdef", "aXncdef"),
        (Hunk(2, 2, ("n",)), "abXdef", "abnXdef"),
        (Hunk(2, 2, ("n",)), "abXcdef", None),  # which of the two comes first?
        (Hunk(2, 4, ("C",)), "abcXdef", None),
    ],
)
def test_a_change_that_only_touches_another_is_carried_over_where_that_is_wanted(hunk, theirs, both):
    base, current = document("abcdef"), document(theirs)
    carried, conflicts = rebase([hunk], base, current, adjoining=True)
    if both is None:
        assert conflicts == (hunk,)
    else:
        assert apply_hunks(current, carried) == document(both).text


def test_a_change_beside_one_of_several_equal_lines_is_a_conflict():
    base = document(["a", "x", "x", "x", "b"])
    current = document(["a", "x", "x", "b"])
    for place in (1, 2, 3):
        hunk = Hunk(place, place + 1, ("y",))
        assert rebase([hunk], base, current).conflicts == (hunk,)
