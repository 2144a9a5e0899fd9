"""Which lines hold a word."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from fastedit.sketch.read.reading import WORD
from fastedit.sketch.read.vocabulary import WordIndex

LINES = st.lists(st.text("ab_1 é日.", max_size=8), max_size=8)


@given(LINES, st.sets(st.sampled_from(["a", "b", "ab", "_a", "1", "é", "a日", "baab"])))
def test_the_lines_that_hold_each_word_are_those_that_the_pattern_finds(lines, words):
    found = WordIndex(lines).lines_with(words)
    assert found == {
        word: [row for row, line in enumerate(lines) if word in WORD.findall(line)] for word in words
    }


@given(LINES)
def test_letters_and_digits_are_counted_as_the_pattern_finds_them(lines):
    assert WordIndex(lines).letters.tolist() == [len(re.findall(r"[^\W_]", line)) for line in lines]
