from hypothesis import given
from hypothesis import strategies as st

from fastedit.formats.text.changes import TextChange, apply, collisions, compose, line_hunks, ordered
from fastedit.formats.text.views import ViewedText
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks

TEXT = st.text("ab\n", max_size=12)


@st.composite
def changes_of(draw, text):
    """Ordered changes that touch at most."""
    ends = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = zip(ends[0::2], ends[1::2], strict=False)
    return [TextChange(start, stop, draw(st.text("xy\n", max_size=4))) for start, stop in spans]


@given(TEXT, st.data())
def test_a_composed_change_makes_what_both_make_one_after_the_other(text, data):
    changes = data.draw(changes_of(text))
    middle = apply(text, changes)
    start = data.draw(st.integers(0, len(middle)))
    then = TextChange(
        start, data.draw(st.integers(start, len(middle))), data.draw(st.text("z\n", max_size=3))
    )
    composed = compose(changes, then)
    assert apply(text, composed) == apply(middle, [then])
    assert not list(collisions(ordered(composed)))


def test_a_composed_change_is_owned_by_all_that_it_touches():
    earlier = [TextChange(0, 1, "xx", frozenset({1})), TextChange(3, 4, "y", frozenset({2}))]
    assert compose(earlier, TextChange(1, 2, "z", frozenset({3}))) == [
        TextChange(0, 1, "xz", frozenset({1, 3})),
        TextChange(3, 4, "y", frozenset({2})),
    ]


@given(st.lists(st.sampled_from(["a", "b", ""]), max_size=6), st.data())
def test_line_hunks_make_the_changed_text_and_keep_lines_that_stay(rows, data):
    document = Document.from_text("".join(f"{row}\n" for row in rows))
    text = ViewedText(document)
    changes = data.draw(changes_of(text.whole))
    hunks = line_hunks(text, changes)
    wanted = apply(text.whole, changes)
    assert apply_hunks(document, hunks) == (wanted if wanted.endswith("\n") or not wanted else f"{wanted}\n")
    assert all(document.lines[hunk.start : hunk.stop] != hunk.lines for hunk in hunks)


def test_changes_collide_where_they_overlap_or_insert_at_one_position():
    def collide(*changes):
        return bool(list(collisions(ordered(changes))))

    assert collide(TextChange(0, 5, ""), TextChange(1, 2, ""), TextChange(6, 7, ""))
    assert collide(TextChange(0, 5, ""), TextChange(1, 2, ""), TextChange(4, 6, ""))
    assert not collide(TextChange(0, 2, "x"), TextChange(2, 3, "y"), TextChange(2, 2, "z"))
    assert collide(TextChange(1, 1, "x"), TextChange(1, 1, "y"))
    assert not collide(TextChange(1, 1, "x", stack=True), TextChange(1, 1, "y", stack=True))
    assert not collide(TextChange(1, 1, "x", frozenset({1})), TextChange(1, 1, "y", frozenset({1})))


def test_insertions_that_stack_stand_in_their_order_before_what_is_replaced_there():
    changes = [TextChange(1, 2, "c"), TextChange(1, 1, "a", stack=True), TextChange(1, 1, "b", stack=True)]
    assert apply("0_2", ordered(changes)) == "0abc2"
