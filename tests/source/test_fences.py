import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.source.fences import Closings, Nested, fenced, fences


def spans(text):
    return [(fence.lines, fence.info, fence.closed) for fence in fences(text.split("\n"))]


def test_a_fence_runs_from_mark_to_mark():
    assert spans("a\n```python\nb\n```\nc") == [(range(1, 4), "python", True)]


def test_its_inside_leaves_the_marks_out():
    lines = ["```", "a", "b", "```", "```", "c"]
    assert [fence.inside for fence in fences(lines)] == [range(1, 3), range(5, 6)]


def test_a_fence_without_end_runs_to_the_last_line():
    assert spans("```\na\nb") == [(range(3), "", False)]


@pytest.mark.parametrize("text", ["a", "```\na\n```", "````md\n```\na\n```\n````\n", "`" * 100_000])
def test_a_fence_around_a_text_holds_all_of_it(text):
    lines = fenced(text, "md").split("\n")
    (fence,) = fences(lines)
    assert (fence.lines, fence.text(lines)) == (range(len(lines)), text.split("\n"))


@pytest.mark.parametrize("inner", ["```", "```python", "~~~"])
def test_a_longer_mark_holds_shorter_ones(inner):
    assert spans(f"````md\n{inner}\na\n{inner}\n````") == [(range(5), "md", True)]


@pytest.mark.parametrize("line", ["``a``", "```a``` b", "a ```", "``"])
def test_code_inside_a_line_opens_no_fence(line):
    assert spans(line) == []


def test_fences_may_be_indented():
    assert spans("- item\n  ~~~\n  a\n  ~~~") == [(range(1, 4), "", True)]


def test_tags_are_the_marks_of_a_fence_in_pairs_of_one_name_and_indentation():
    marks = Nested(
        ["<source>py", "a", "<code>", "  </source>", "</code>", "<source>", "</source>", "</source>", "<pre>"]
    )
    found = [(fence.lines, fence.info, fence.closed) for at in range(9) if (fence := marks.fence(at))]
    assert found == [
        (range(8), "py", True),
        (range(2, 5), "", True),
        (range(5, 7), "", True),
        (range(8, 9), "", False),
    ]


@pytest.mark.parametrize("line", ['<pre id="a">', "<source>a</source>", "<b>", "x <code>", "</code>"])
def test_other_tags_open_no_fence(line):
    assert Nested([line, "</pre>", "</code>"]).fence(0) is None


MARKS = st.lists(st.sampled_from(["```", "````", "~~~", "```py", "  ```", "x", ""]), max_size=14)


@given(MARKS, st.lists(st.integers(0, 13), max_size=6))
def test_a_fence_ends_with_the_first_mark_that_closes_it_whatever_was_asked_before(lines, asked):
    closings = Closings(lines)
    for at in [row for row in asked if row < len(lines)]:
        for mark in ("```", "~~~"):
            rows = (row for row in range(at + 1, len(lines)) if lines[row].strip() in (mark, mark + mark[0]))
            assert closings.after(at, mark) == next(rows, None)


@given(MARKS)
def test_a_named_fence_ends_with_the_first_bare_mark_that_closes_no_fence_inside(lines):
    marks = Nested(lines)
    for at in range(len(lines)):
        fence = marks.fence(at)
        if fence is None:
            continue
        depth, closing = 0, None
        for row in range(at + 1, len(lines)):
            other = marks.fence(row)
            mark = lines[at].strip().rstrip("py")
            if other is None or other.indent != fence.indent or not lines[row].strip().startswith(mark):
                continue
            depth += 1 if other.info else -1
            if depth < 0:
                closing = row
                break
        assert fence.closed == (closing is not None)
        assert fence.lines.stop == (len(lines) if closing is None else closing + 1)
