import pytest

from fastedit.formats.fences import fences


def spans(text):
    return [(fence.lines, fence.info, fence.closed) for fence in fences(text.split("\n"))]


def test_a_fence_runs_from_mark_to_mark():
    assert spans("a\n```python\nb\n```\nc") == [(range(1, 4), "python", True)]


def test_its_inside_leaves_the_marks_out():
    lines = ["```", "a", "b", "```", "```", "c"]
    assert [fence.inside for fence in fences(lines)] == [range(1, 3), range(5, 6)]


def test_a_fence_without_end_runs_to_the_last_line():
    assert spans("```\na\nb") == [(range(3), "", False)]


@pytest.mark.parametrize("inner", ["```", "```python", "~~~"])
def test_a_longer_mark_holds_shorter_ones(inner):
    assert spans(f"````md\n{inner}\na\n{inner}\n````") == [(range(5), "md", True)]


@pytest.mark.parametrize("line", ["``a``", "```a``` b", "a ```", "``"])
def test_code_inside_a_line_opens_no_fence(line):
    assert spans(line) == []


def test_fences_may_be_indented():
    assert spans("- item\n  ~~~\n  a\n  ~~~") == [(range(1, 4), "", True)]
