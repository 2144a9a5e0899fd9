"""Resolving whole edits. What other tools' tests expect of it is in the conformance cases."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.formats.base import LineSpan, Replacement, Sketch, Tag, TextRange, TypedOperation
from fastedit.formats.report import PlacementStep
from fastedit.formats.resolution.resolve import resolve
from fastedit.formats.text.views import ended as as_text
from fastedit.formats.tools.pointer import JsonPatch
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks
from tests.formats.placing import applied, lines, placed, problem, steps, string

ABC = "a\nb\nc\nd\ne\n"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:4]


def test_only_the_lines_that_change_are_in_the_hunks():
    found = placed(ABC, lines("a\nb\nc\nd\ne", "a\nB\nc\nd\nE"), string("c\nd", "c\nx\nd"))
    assert [(hunk.start, hunk.stop, hunk.lines) for hunk in found.hunks] == [
        (1, 2, ("B",)),
        (3, 3, ("x",)),
        (4, 5, ("E",)),
    ]


def test_hunks_whose_context_overlaps_are_both_placed():
    assert applied(ABC, lines("a\nb\nc", "A\nb\nc"), lines("b\nc\nd", "b\nc\nD")) == "A\nb\nc\nD\ne\n"


def test_strings_may_change_different_parts_of_one_line():
    assert applied("f(a, b)\n", string("a", "1"), string("b", "2")) == "f(1, 2)\n"
    assert applied("f(a,\n  b)\n", string("f(a,\n", "g(a, "), string("  b)", "b)")) == "g(a, b)\n"


def test_hunks_that_change_the_same_text_are_both_refused():
    found = placed(ABC, lines("b\nc", "x"), lines("c\nd", "y"), lines("e", "E"))
    assert [str(report) for report in found.reports] == [
        "hunk 1: changes the same text as hunk 2 at lines 2-3; make one hunk of them",
        "hunk 2: changes the same text as hunk 1 at lines 3-4; make one hunk of them",
        "hunk 3: exact at line 5",
    ]
    assert [hunk.lines for hunk in found.hunks] == [("E",)]


def test_the_same_change_twice_is_made_once():
    assert applied(ABC, lines("b", "B"), lines("a\nb", "a\nB")) == "a\nB\nc\nd\ne\n"
    assert steps(ABC, lines("b", "B"), lines("a\nb", "a\nB")) == ["exact", "already"]


def test_a_new_text_that_stands_there_is_already_applied():
    text = "def f():\n    return compute(value)\n"
    hunk = string("return value", "return compute(value)")
    assert steps(text, hunk) == ["already"]
    assert placed(text, hunk).hunks == ()
    assert placed(text, hunk).reports[0].lines == (range(1, 2),)
    assert steps(text, lines("def f():\n    return", "def f():\n    return compute(value)")) == ["already"]


@pytest.mark.parametrize("kind", [lines, string])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("import os", "import os\nimport json", id="below its anchor"),
        pytest.param("import sys", "import json\nimport sys", id="above it"),
    ],
)
def test_an_addition_that_is_sent_again_is_already_applied(kind, old, new):
    once = "import os\nimport json\nimport sys\n"
    assert steps(once, kind(old, new)) == ["already"]
    assert applied("import os\nimport sys\n", kind(old, new)) == once
    assert applied("import os\n\nx = 1\n", kind("import os\n", "import os\n\n")) == "import os\n\n\nx = 1\n"


SIBLINGS = """\
class Reader:
    def close(self):
        self.stream.flush()
        self.stream.close()

    def read(self):
        return self.stream.read()

class Writer:
    def close(self):
        self.stream.close()
"""
FLUSH = "        self.stream.flush()\n        self.stream.close()"


@pytest.mark.parametrize("kind", [lines, string])
def test_a_new_text_in_one_place_is_not_applied_already_where_the_old_one_may_be_another(kind):
    shut = "        self.stream.shut()"
    for head in ("", "    def close(self):\n"):
        said = problem(SIBLINGS, kind(f"{head}{shut}", f"{head}{FLUSH}"))
        assert "its old text is not in the file" in said
        assert f"its new text is at lines {2 if head else 3}-4" in said
    whole = "class Reader:\n    def close(self):\n"
    assert steps(SIBLINGS, kind(f"{whole}{shut}", f"{whole}{FLUSH}")) == ["already"]
    close = "    def close(self):\n"
    inside = kind(f"{close}{shut}", f"{close}{FLUSH}", scopes=("class Reader:",), named=True)
    assert steps(SIBLINGS, inside) == ["already"]
    outside = kind(f"{close}{shut}", f"{close}{FLUSH}", scopes=("class Writer:",))
    assert "its new text stands at lines 2-4, above `class Writer:`" in problem(SIBLINGS, outside)


def test_a_hunk_that_may_be_applied_already_is_not_placed_where_its_surroundings_have_changed():
    kept = "a()\nb()\nc()\nd()\ne()\n"
    text = f"{kept}new_line()\nx\nb()\na()\nc()\nd()\ne()\nold_line()\n"
    said = problem(text, lines(f"{kept}old_line()", f"{kept}new_line()"))
    assert "its new text is at lines 1-6" in said


def test_a_new_text_that_keeps_no_word_of_the_old_one_is_not_applied_already():
    text = "loc = resolve(root, name)\npath = self.find(folder, file)\n"
    hunk = lines("loc = join(root, name)", "path = self.find(folder, file)")
    assert "its new text is at line 2" in problem(text, hunk)


def test_neither_an_old_nor_a_new_text_tells_nothing():
    assert "neither an old nor a new text" in problem("a\n\nb\n\n", string("", ""))
    assert steps("", string("", "")) == ["already"]


def test_a_hunk_that_does_nothing_says_why():
    assert "are the same" in placed(ABC, string("b", "b")).reports[0].remarks[0]
    hunk = lines("f(a, b)", "f(a, b, wait=3, again=True)")
    assert "there already" in placed("f(a, b, wait=3, again=True)\n", hunk).reports[0].remarks[0]


@pytest.mark.parametrize(
    ("text", "hunk"),
    [
        pytest.param("short\n", string("nowhere", "short"), id="a short text tells nothing"),
        pytest.param(
            "a_long_line_here(1)\nb\na_long_line_here(1)\n",
            lines("x", "a_long_line_here(1)"),
            id="it stands twice",
        ),
        pytest.param(
            "first line\nthird line\n",
            lines("first line\nthird line\nx", "first line\nthird line"),
            id="part",
        ),
    ],
)
def test_a_new_text_that_may_stand_there_by_chance_is_not_applied_already(text, hunk):
    assert steps(text, hunk) == ["unplaced"]


def test_a_later_hunk_may_change_what_an_earlier_one_wrote():
    hunks = string("b\n", "one\ntwo\n"), string("two\nc", "2\nC")
    assert applied(ABC, *hunks) == "a\none\n2\nC\nd\ne\n"
    assert steps(ABC, *hunks) == ["exact", "exact"]
    assert not placed(ABC, *reversed(hunks)).is_complete


def test_later_hunks_keep_the_line_ends_of_lines_that_stay():
    text = "a\r\nb\nc\r\nd\n"
    assert applied(text, string("b", "x\ny"), string("y\nc", "y\nc\nz")) == "a\r\nx\ny\nc\r\nz\r\nd\n"


def test_all_places_of_a_text_include_those_that_earlier_hunks_wrote():
    text = "f(foo)\ng(foo)\n"
    hunks = string("f(foo)", "f(foo, foo)"), string("foo", "bar", count=None), string("g(bar)", "g(bar, 1)")
    assert applied(text, *hunks) == "f(bar, bar)\ng(bar, 1)\n"


def test_a_text_that_earlier_hunks_write_twice_is_ambiguous():
    hunks = string("b", "new"), string("c", "new"), string("new", "old")
    assert problem(ABC, *hunks) == (
        "hunk 3: in the text that the hunks before it make, its old text stands 2 times, at lines 2 and 3; "
        "add lines around it that only one place has"
    )


def test_a_later_hunk_is_refused_with_the_one_it_builds_on():
    hunks = string("b\nc", "x\ny"), string("c\nd", "z"), string("x\ny", "w")
    assert steps(ABC, *hunks) == ["unplaced", "unplaced", "unplaced"]


def test_a_marker_for_code_left_out_is_not_written():
    hunk = lines("def f():\n    return 1", "def f():\n    # ... existing code ...\n    return 2")
    assert problem("def f():\n    return 1\n", hunk) == (
        "hunk 1: its new text leaves code out at `# ... existing code ...`, which would be written as it is; "
        "write that code out, or send a sketch"
    )
    assert not placed("a\n", lines("", "b\n// rest of the file unchanged")).is_complete


@pytest.mark.parametrize("path", ["d.rst", "d.md"])
@pytest.mark.parametrize(
    "example",
    [
        "    def create(name):\n        ...",
        "    a = 1\n    ...\n    b = 2",
        "    a = 1\n    ...\n\nEnd.",
        "```python\na = 1\n...\n```",
        "```go\nfunc F() {\n\t//...\n}\n```",
    ],
)
def test_a_marker_in_an_example_that_a_hunk_adds_to_prose_is_text(path, example):
    document = Document.from_text("Text.\n", Path(path))
    resolution = resolve(document, [lines("Text.", f"Text.\n\n{example}")])
    assert resolution.is_complete
    assert apply_hunks(document, resolution.hunks) == f"Text.\n\n{example}\n"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("d.md", "Text.", "Text.\n\nMore.\n\n..."),
        ("d.md", "Text.\n\n    a = 1", "Text.\n\n    a = 1\n    b = 2\n    ..."),
        ("d.md", "- a", "- a\n\n  - b\n\n  ..."),
        ("d.md", "```\na = 1\nb = 2\n```", "```\na = 2\n...\n```"),
        ("d.md", "Text.", "Text.\n\n```\n# ... existing code ...\n```"),
        ("d.py", "a = 1", "a = 1\n\nif a:\n    b = 1\n    ..."),
    ],
)
def test_dots_that_may_stand_for_lines_of_the_file_are_not_written(path, old, new):
    assert not resolve(Document.from_text(f"{old}\n", Path(path)), [lines(old, new)]).is_complete


def test_a_marker_that_the_old_text_has_too_is_text():
    text = "a\n# ... existing code ...\nb\n"
    assert applied(text, lines("# ... existing code ...\nb", "# ... existing code ...\nc")) == text.replace(
        "b", "c"
    )


def test_lines_are_replaced_by_number():
    assert applied(ABC, LineSpan(1, 3, ("x",)), LineSpan(4, 5, ())) == "a\nx\nd\n"
    assert applied(ABC, LineSpan(0, 0, ("head",)), LineSpan(5, 5, ("tail",))) == f"head\n{ABC}tail\n"
    assert applied(ABC, LineSpan(2, 2, ("x",)), LineSpan(2, 2, ("y",))) == "a\nb\nx\ny\nc\nd\ne\n"
    assert steps(ABC, LineSpan(1, 3, ("x",))) == ["line"]


def test_line_ends_in_the_lines_of_a_span_do_not_count():
    assert applied("a\r\nb\r\n", LineSpan(1, 2, ("x\r", "y"))) == "a\r\nx\r\ny\r\n"


def test_line_spans_that_overlap_or_lie_beyond_the_file_are_refused():
    assert steps(ABC, LineSpan(1, 3, ("b", "C")), LineSpan(2, 4, ("c", "D"))) == ["unplaced", "unplaced"]
    assert (
        problem(ABC, LineSpan(4, 7, ()))
        == "hunk 1: names lines 5-7 of a file with 5 lines; read the file again"
    )
    assert not placed(ABC, LineSpan(6, 6, ("x",))).is_complete


def test_tags_verify_the_lines():
    tag = Tag(1, digest("b"), digest)
    assert applied(ABC, LineSpan(1, 2, ("B",), (tag,))) == "a\nB\nc\nd\ne\n"
    assert steps(ABC, LineSpan(1, 2, ("B",), (tag,))) == ["tag"]
    assert problem("a\nnew\nc\n", LineSpan(1, 2, ("B",), (tag,))) == (
        f"hunk 1: line 2 does not have the tag {digest('b')}, it is `new`; read the file again"
    )
    assert problem("a\n", LineSpan(1, 2, ("B",), (tag,))) == (
        "hunk 1: names line 2 of a file with 1 line; read the file again"
    )


def test_a_tag_may_verify_the_whole_file():
    tag = Tag(None, digest(ABC), digest)
    assert applied(ABC, LineSpan(1, 2, ("B",), (tag,))) == "a\nB\nc\nd\ne\n"
    assert problem(f"{ABC}f\n", LineSpan(1, 2, ("B",), (tag,))) == (
        "hunk 1: the file has changed since it was read; read it again"
    )


def test_line_numbers_are_of_the_file_as_read_whatever_other_hunks_do():
    assert applied(ABC, lines("a", "a\na2\na3"), LineSpan(3, 4, ("D",))) == "a\na2\na3\nb\nc\nD\ne\n"


def test_text_ranges_count_utf_16_code_units():
    text = "x = '😀é'; y\r\nz\r\n"
    assert applied(text, TextRange((0, 5), (0, 7), "e")) == "x = 'eé'; y\r\nz\r\n"
    assert applied(text, TextRange((0, 8), (1, 1), "\n")) == "x = '😀é\r\n\r\n"


def test_text_ranges_beyond_an_end_are_at_that_end():
    assert applied("ab\ncd\n", TextRange((0, 1), (0, 99), "x")) == "ax\ncd\n"
    assert applied("ab\ncd\n", TextRange((9, 9), (9, 9), "ef\n")) == "ab\ncd\nef\n"
    assert applied("ab\ncd", TextRange((9, 0), (9, 0), "\nef")) == "ab\ncd\nef"
    assert applied("ab\ncd", TextRange((0, 0), (9, 0), "x\ny\n")) == "x\ny\n"


def test_a_text_range_that_begins_beyond_the_end_of_the_file_is_refused():
    said = "hunk 1: begins at line {} (from 0) of a file with 2 lines; read the file again"
    assert problem("ab\ncd\n", TextRange((9, 8), (9, 10), "64")) == said.format(9)
    assert problem("ab\ncd\n", TextRange((2, 4), (2, 6), "64")) == said.format(2)
    assert applied("ab\ncd\n", TextRange((2, 0), (9, 0), "ef\n")) == "ab\ncd\nef\n"
    assert applied("", TextRange((0, 0), (9, 0), "ab\n")) == "ab\n"


def test_text_ranges_that_overlap_or_run_backwards_are_refused():
    assert steps("abcd\n", TextRange((0, 0), (0, 2), "x"), TextRange((0, 1), (0, 3), "y")) == ["unplaced"] * 2
    assert "character 1 of line 0 (from 0, in UTF-16 code units) is in the middle of one" in problem(
        "😀\n", TextRange((0, 1), (0, 2), "x")
    )
    assert problem("abcd\n", TextRange((0, 2), (0, 1), "x")) == (
        "hunk 1: its range ends before it begins; exchange start and end"
    )


def test_the_end_of_the_last_line_is_only_dropped_by_what_reaches_and_knows_it():
    assert placed("a\nb\n", TextRange((1, 1), (2, 0), "")).drops_final_newline
    assert placed("a\nb\n", string("b\n", "c", at_end=True)).drops_final_newline
    assert not placed("a\nb\n", string("b\n", "c")).drops_final_newline
    assert placed("a\nb\n", string("b\n", "c")).keeps_final_newline
    assert not placed("a\nb\n", string("b", "c")).keeps_final_newline
    assert applied("a\nb\n", string("b\n", "c")) == "a\nc\n"
    assert not placed("a\nb", string("b\n", "c", at_end=True)).drops_final_newline


def test_one_hunk_may_insert_twice_at_one_position():
    found = placed("a\n", string("a\n", "a\na\n\na", at_end=True))
    assert found.is_complete
    assert found.drops_final_newline
    assert [hunk.lines for hunk in found.hunks] == [("a", "", "a")]


def test_the_end_of_the_last_line_is_added_once():
    assert applied("a\nb", string("b", "b\n", at_end=True)) == "a\nb\n"
    assert applied("a\nb\n", string("b", "c\n", at_end=True)) == "a\nc\n"
    assert not placed("b\na", string("b", "b\n", at_end=True)).is_complete


@pytest.mark.parametrize("hunk", [Sketch("a"), TypedOperation(JsonPatch([]))])
def test_hunks_that_others_carry_out_are_a_type_error(hunk):
    with pytest.raises(TypeError, match=type(hunk).__name__):
        resolve(Document.from_text("a\n"), [hunk])


LINE = st.sampled_from(["a", "b", "\tc", "  d", "  d ", "}", "", "é", "x…", "y"])


@given(
    st.lists(st.tuples(LINE, st.sampled_from(["\n", "\r\n"])), min_size=1, max_size=12),
    st.booleans(),
    st.lists(LINE, max_size=3),
    st.data(),
)
def test_a_change_written_with_its_context_is_made_as_written_or_ambiguous(rows, ended, new, data):
    texts, ends = [text for text, _ in rows], [end for _, end in rows]
    if not ended and texts[-1]:
        ends[-1] = ""
    document = Document.from_text("".join(map("".join, zip(texts, ends, strict=True))))
    start = data.draw(st.integers(0, len(texts)))
    stop = data.draw(st.integers(start, min(start + 3, len(texts))))
    above, below = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    old = texts[max(start - above, 0) : stop + below]
    changed = [*texts[max(start - above, 0) : start], *new, *texts[stop : stop + below]]
    wanted = [*texts[:start], *new, *texts[stop:]]
    if not old or old == changed or (not ended and wanted[-1:] == [""]):
        return  # cannot be written so
    resolution = resolve(document, [Replacement(as_text(old), as_text(changed), True)])
    if resolution.reports[0].step == "ambiguous":
        return
    assert resolution.is_complete
    got = Document.from_text(apply_hunks(document, resolution.hunks))
    assert list(got.lines) == wanted
    kept = max(start - above, 0)
    assert got.ends[:kept] == document.ends[:kept]


@given(st.text("ab\n", min_size=1, max_size=20), st.text("ab\n", max_size=5), st.data())
def test_a_string_that_stands_once_is_replaced_as_it_is(text, new, data):
    text = f"{text.rstrip(chr(10))}\n"
    start = data.draw(st.integers(0, len(text) - 1))
    stop = data.draw(st.integers(start + 1, len(text)))
    old = text[start:stop]
    resolution = placed(text, string(old, new))
    step = resolution.reports[0].step
    if old == new or not step.placed or (step is PlacementStep.ALREADY and new in text):
        return
    got = apply_hunks(Document.from_text(text), resolution.hunks)
    wanted = text[:start] + new + text[stop:]
    assert got == (wanted if wanted.endswith("\n") or not wanted else f"{wanted}\n")


HELPER = "    def helper(self):\n        return 2"
MOVED = """\
class A:
    def a(self):
        return 1

    def helper(self):
        return 2

    def d(self):
        return 4
"""


@pytest.mark.parametrize("kind", [lines, string])
def test_lines_that_an_edit_moved_before_are_not_deleted_where_it_has_put_them(kind):
    taken, put = kind(f"{HELPER}\n\n", ""), kind("    def d(self):", f"{HELPER}\n\n    def d(self):")
    before = MOVED.replace(f"{HELPER}\n\n", "").replace("class A:\n", f"class A:\n{HELPER}\n\n")
    for hunks in (taken, put), (put, taken):
        assert applied(before, *hunks).strip() == MOVED.strip()
        assert applied(MOVED, *hunks) == MOVED
    assert (
        "stands only where hunk 2 has put it before, at lines 5-"
        in placed(MOVED, taken, put).reports[0].remarks[0]
    )


def test_a_hunk_that_would_change_what_another_one_added_before_is_refused():
    text = "import one\nimport two_of_them\nimport three_of_them\n"
    put = lines("import one", "import one\nimport two_of_them")
    assert "stands only where hunk 1 has put it before, at line 2" in problem(
        text, put, lines("import two_of_them", "import four")
    )


def test_what_a_hunk_changed_before_in_a_line_does_not_keep_the_rest_of_the_line():
    text = "call(the_first_argument=2, second=1)\n"
    assert applied(
        text, string("(the_first_argument=1", "(the_first_argument=2"), string("second=1", "second=2")
    ) == text.replace("d=1", "d=2")


@pytest.mark.parametrize("kind", [lines, string])
def test_an_addition_that_is_sent_again_is_not_made_twice_where_others_have_added_more_behind_it(kind):
    text = "class A:\n    x = 1\n\n    y = 2\n    z = 3\n    w = 4\n\n    def f(self):\n        pass\n"
    below = kind("    x = 1\n", "    x = 1\n\n    y = 2\n    z = 3\n")
    assert steps(text, below) == ["already"]
    above = kind("    def f(self):", "    z = 3\n    w = 4\n\n    def f(self):")
    assert steps(text, above) == ["already"]


def test_a_line_like_one_that_the_hunk_shows_is_added():
    text = "start()\nstep()\nend()\n"
    assert (
        applied(text, lines("start()\nstep()", "start()\nstep()\nstep()"))
        == "start()\nstep()\nstep()\nend()\n"
    )
    assert (
        applied(text, lines("step()\nend()", "step()\nstep()\nend()")) == "start()\nstep()\nstep()\nend()\n"
    )


def test_an_addition_to_a_part_of_a_line_is_made_though_its_lines_stand_below():
    assert applied("x = f(1)\n2)\n", string("f(", "f(\n2)")) == "x = f(\n2)1)\n2)\n"
    assert applied("a\nb\nnew\n", string("\nb", "\nb\nold")) == "a\nb\nold\nnew\n"


def test_a_deletion_that_is_sent_again_is_made_already_where_the_lines_around_it_stand_together():
    hunk = lines("first_one()\ntwo(a)\nthe_third_one()", "first_one()\nthe_third_one()")
    assert steps("zero()\nfirst_one()\nthe_third_one()\n", hunk) == ["already"]
    assert steps("zero()\nfirst_one()\nthe_third_one()\n\ntwo(a)\n", hunk) == ["unplaced"]
    assert steps("first_one()\ntwo(b)\nthe_third_one()\n", hunk) == ["unplaced"]
