"""What is opened and closed by name."""

from __future__ import annotations

import pytest

from fastedit.sketch.read.tags import closed_names, unpaired

PAGE = ["{% if user %}", "<ul>", '  <li class="a">one</li>', "</ul>", "{% endif %}"]


def test_only_what_a_file_closes_has_to_be_closed():
    assert closed_names(PAGE) == {"<ul", "<li", "if"}
    assert closed_names(["List<T> send;", "<br>", "if (a) {", "ends = 1"]) == frozenset()


@pytest.mark.parametrize(
    ("come", "gone", "odd"),
    [
        (["  <li>two</li>"], [], 0),
        (["<ul>", "  <li>"], [], 2),
        ([], ["</ul>"], 1),
        (["<ol>", "</ol>"], ["<ul>", "</ul>"], 0),
        (["{% if admin %}"], [], 1),
        (["if(WIN32)"], [], 1),
        (["expect(text).toContain('<ul')"], [], 0),
        (["  <li>Ann's", "  Ann's</li>"], [], 0),
    ],
)
def test_what_is_not_in_pairs_is_counted(come, gone, odd):
    assert unpaired(come, gone, closed_names(PAGE)) == odd
