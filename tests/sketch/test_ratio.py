"""How alike two lines are."""

from __future__ import annotations

from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from fastedit.sketch.read.ratio import ratio

LINES = st.text(alphabet="ab(é ", max_size=40)


@given(LINES, LINES)
def test_lines_are_as_alike_as_difflib_says(one, other):
    assert ratio(one, other) == SequenceMatcher(None, one, other, autojunk=False).ratio()


def test_lines_that_are_too_long_to_compare_are_not_alike():
    assert ratio("x" * 100_000, "x" * 99_999 + "y") == 0.0
