"""The marks of a changed line stand around what became of what was named."""

from __future__ import annotations

import re

import pytest

from fastedit.prompt.mentioned import MentionSpan
from fastedit.train.synthesis.carry import carried


@pytest.mark.parametrize(
    ("old", "new", "handed"),
    [
        ("[x] = int([x])", "[size] = int([size])", ["size"]),
        ("y = [x]", "y = [load(x)]", ["load(x)"]),
        ("y = [x]", "y = [x.y]", ["x.y"]),
        ("def [f](a, b):", "def [f](a, b, c=1):", ["c=1"]),
        ("def f([a], b):", "def f([a]: int, b):", ["int"]),
        ("x = [1]  # one", "x = []  # one", []),
        ("    [run]()", "        [run]()", []),
    ],
)
def test_marks_go_where_the_named_text_went(old, new, handed):
    spans = [MentionSpan(*found.span(1), 0) for found in re.finditer(r"\[(.*?)\]", old)]
    bare = [MentionSpan(span.start - 2 * i - 1, span.stop - 2 * i - 1, 0) for i, span in enumerate(spans)]
    moved = carried(re.sub(r"[\[\]]", "", old), re.sub(r"[\[\]]", "", new), bare, handed)
    shown, line = re.sub(r"[\[\]]", "", new), ""
    done = 0
    for span in moved:
        line += shown[done : span.start] + "[" + shown[span.start : span.stop] + "]"
        done = span.stop
    assert line + shown[done:] == new


def test_a_mark_whose_surroundings_are_gone_is_left_out():
    assert carried("a = load(path, mode)", "pass", [MentionSpan(9, 13, 0)], []) == []


def test_marks_stay_in_order_and_apart():
    spans = [MentionSpan(0, 1, 0), MentionSpan(4, 5, 1), MentionSpan(8, 9, 0)]
    moved = carried("a + b + a", "cc + b + cc", spans, ["cc"])
    assert moved == [MentionSpan(0, 2, 0), MentionSpan(5, 6, 1), MentionSpan(9, 11, 0)]
