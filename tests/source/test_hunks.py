from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, HunkStream, apply_hunks, diff_lines, trim

LINE = st.sampled_from(["", "a", "b", "c", "}", "\f", "x\u2028y"])
LINES = st.lists(LINE, max_size=14)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def documents(draw, ends=ENDS):
    lines = draw(LINES)
    text = "".join(line + draw(ends) for line in lines)
    if draw(st.booleans()):
        text += "last"
    return Document.from_text(text)


@given(documents(), LINES)
def test_a_diff_applied_gives_the_new_lines(document, new):
    # A final line that is empty and has no end is no line at all.
    new = [*new, "z"]
    text = apply_hunks(document, diff_lines(document.lines, new))
    assert list(Document.from_text(text).lines) == new
    assert text.endswith(("\n", "\r")) == (not document.ends or document.ends[-1] != "")


def test_a_diff_of_thousands_of_equal_lines_is_found_all_the_same():
    # Compared pair by pair these would take hours.
    old = ["{", "}"] * 10_000
    new = ["first", *(["{", "{", "}"] * 6_000), "last"]
    document = Document.from_text("\n".join(old))
    assert apply_hunks(document, diff_lines(old, new)) == "\n".join(new)


@pytest.mark.parametrize(("before", "after"), [(100_000, 150), (150, 100_000), (4_000, 4_000)])
def test_a_diff_of_texts_that_share_blank_lines_alone_is_found_all_the_same(before, after):
    # With blank lines as places to begin at these would take minutes.
    old, new = (
        [f"{word} {i}" if i % 2 else "" for i in range(count)]
        for word, count in (("old", before), ("new", after))
    )
    assert apply_hunks(Document.from_text("\n".join(old)), diff_lines(old, new)) == "\n".join(new)


def test_untouched_lines_keep_their_own_ends_and_new_ones_take_their_neighbours():
    document = Document.from_text("a\r\nb\nc\rd\n")
    hunks = [Hunk(0, 1, ("A",)), Hunk(2, 2, ("between",)), Hunk(2, 3, ("C", "C2"))]
    assert apply_hunks(document, hunks) == "A\r\nb\nbetween\nC\rC2\rd\n"


def test_a_line_before_the_first_takes_the_end_of_the_line_after():
    assert apply_hunks(Document.from_text("a\r\nb\n"), [Hunk(0, 0, ("x",))]) == "x\r\na\r\nb\n"


@pytest.mark.parametrize(
    ("text", "hunk", "expected"),
    [
        ("a\r\nb", Hunk(2, 2, ("c",)), "a\r\nb\r\nc"),
        ("a\r\nb", Hunk(1, 2, ("B",)), "a\r\nB"),
        ("a\r\nb", Hunk(1, 2, ()), "a"),
        ("a\nb\n", Hunk(1, 2, ()), "a\n"),
        ("a\nb\n", Hunk(2, 2, ("c",)), "a\nb\nc\n"),
        ("a", Hunk(0, 1, ("b", "c")), "b\nc"),
        ("a\n", Hunk(0, 1, ()), ""),
        ("", Hunk(0, 0, ("a",)), "a\n"),
    ],
)
def test_the_final_newline_stays_as_it_was(text, hunk, expected):
    assert apply_hunks(Document.from_text(text), [hunk]) == expected


def test_a_new_line_between_cr_and_lf_stays_a_line():
    replaced = apply_hunks(Document.from_text("a\rb\n\n"), [Hunk(0, 2, ("x",))])
    inserted = apply_hunks(Document.from_text("a\rb\n"), [Hunk(1, 2, ("", "b"))])
    assert Document.from_text(replaced).lines == ("x", "")
    assert Document.from_text(inserted).lines == ("a", "", "b")


@pytest.mark.parametrize(
    "hunks",
    [
        [Hunk(1, 2, ()), Hunk(0, 1, ())],
        [Hunk(0, 2, ()), Hunk(1, 2, ())],
        [Hunk(0, 3, ())],
        [Hunk(3, 3, ("x",))],
    ],
)
def test_hunks_out_of_order_overlapping_or_beyond_the_end_are_an_error(hunks):
    with pytest.raises(ValueError, match="overlaps"):
        apply_hunks(Document.from_text("a\nb\n"), hunks)


def test_a_hunk_is_a_span_and_lines_without_ends():
    for start, stop, lines in ((2, 1, ()), (-1, 0, ()), (0, 0, ("a\n",)), (0, 0, ("a\rb",))):
        with pytest.raises(ValueError):
            Hunk(start, stop, lines)


def test_trimming_drops_what_a_hunk_does_not_change():
    lines = ("a", "b", "c", "d")
    assert trim(Hunk(0, 4, ("a", "B", "c", "d")), lines) == Hunk(1, 2, ("B",))
    assert trim(Hunk(1, 3, ("b", "x", "c")), lines) == Hunk(2, 2, ("x",))
    assert trim(Hunk(1, 3, ("b", "c")), lines) is None


@st.composite
def streams(draw):
    """A region's lines, and an answer with a claimed origin a line: true, equal but wrong, none or false."""
    region = draw(LINES)
    answer = []
    for _ in range(draw(st.integers(0, 16))):
        text = draw(LINE)
        equal = [i for i, line in enumerate(region) if line == text]
        claims = [st.none(), st.integers(-2, 20)] + ([st.sampled_from(equal)] * 3 if equal else [])
        answer.append((text, draw(st.one_of(claims))))
    return region, answer


@settings(max_examples=4 * settings.default.max_examples)
@given(streams(), st.integers(0, 3))
def test_streamed_hunks_applied_give_exactly_the_answer(stream, start):
    region, answer = stream
    document = Document.from_text("".join(f"{line}\n" for line in ["head"] * start + region + ["tail"]))
    hunks = HunkStream(region, start)
    streamed = [hunk for text, origin in answer for hunk in hunks.push(text, origin)] + hunks.finish()
    expected = ["head"] * start + [text for text, _ in answer] + ["tail"]
    assert list(Document.from_text(apply_hunks(document, streamed)).lines) == expected


def test_a_hunk_is_returned_as_soon_as_a_copied_line_follows_it():
    hunks = HunkStream(["a", "b", "c", "d"], 10)
    assert hunks.push("a", 0) == []
    assert hunks.push("B", None) == []
    assert hunks.push("c", 2) == [Hunk(11, 12, ("B",))]
    assert hunks.push("d", 3) == []
    assert hunks.finish() == []


def test_lines_of_unknown_origin_resync_after_a_unique_run():
    region = [f"line {i}" for i in range(12)]
    answer = ["new", *region[:4], "changed", *region[5:8], *region[9:]]
    hunks = HunkStream(region)
    streamed = [hunks.push(text, None) for text in answer]
    assert streamed[1] == [Hunk(0, 0, ("new",))]
    assert streamed[8] == [Hunk(4, 5, ("changed",))]
    assert streamed[11] == [Hunk(8, 9, ())]
    assert hunks.finish() == []


def test_a_line_that_moved_up_does_not_drag_the_lines_between_into_a_hunk():
    region = [f"line {i}" for i in range(60)]
    order = [*range(5), 50, 51, *range(5, 50), *range(52, 60)]
    for claimed in (True, False):
        hunks = HunkStream(region)
        streamed = [hunk for i in order for hunk in hunks.push(region[i], i if claimed else None)]
        assert streamed + hunks.finish() == [Hunk(5, 5, ("line 50", "line 51")), Hunk(50, 52, ())]


def test_a_long_deletion_is_returned_once_enough_copied_lines_follow_it():
    region = [f"line {i}" for i in range(200)]
    hunks = HunkStream(region)
    returned = [i for i in range(100, 200) if hunks.push(region[i], i)]
    assert returned == [115]
    assert hunks.finish() == []


def test_a_backward_or_wrong_origin_counts_as_new():
    hunks = HunkStream(["a", "b", "c"])
    assert hunks.push("b", 1) == [Hunk(0, 1, ())]
    assert hunks.push("a", 0) == []
    assert hunks.push("x", 2) == []
    assert hunks.finish() == [Hunk(2, 3, ("a", "x"))]
