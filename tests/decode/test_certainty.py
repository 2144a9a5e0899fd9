"""How sure an answer is hangs on the answer and the prompt alone, and on what no copying foretells."""

from __future__ import annotations

from fastedit.decode.certainty import least_margin

TEXT = [5, 6, 7, 8, 9, 10, 11, 12]


def test_nothing_written_is_neither_sure_nor_unsure():
    assert least_margin([TEXT], [], []) is None


def test_what_goes_on_as_a_text_does_says_nothing():
    assert least_margin([TEXT], [5, 6, 7, 8], [3.0, 2.0, 0.1, 0.2]) == 2.0


def test_what_leaves_the_text_counts():
    assert least_margin([TEXT], [5, 6, 7, 30], [3.0, 2.0, 0.1, 0.5]) == 0.5


def test_where_the_answer_ends_counts():
    assert least_margin([TEXT], [5, 6, 7], [3.0, 2.0, 0.1, 0.5]) == 0.5


def test_the_first_text_foretells_before_the_second():
    texts = [[5, 6, 20], TEXT]
    assert least_margin(texts, [5, 6, 20], [9.0, 9.0, 0.1]) == 9.0
    assert least_margin(texts, [5, 6, 7], [9.0, 9.0, 0.1]) == 0.1


def test_a_longer_run_foretells_before_a_shorter_one():
    texts = [[7, 8, 1], [5, 6, 7, 8, 2]]
    assert least_margin(texts, [5, 6, 7, 8, 2], [9.0, 9.0, 9.0, 9.0, 0.1]) == 9.0
