from __future__ import annotations

import pytest

from fastedit.sketch.entries import entries_left_out, shown_of_unchanged
from fastedit.sketch.read.reading import Outline


def outline(text: str, language: str = "yaml") -> Outline:
    return Outline(text.splitlines(), language=language)


FILE = "name: ci\non: push\njobs:\n  test:\n    steps: 1\n    image: a\n  lint:\n    steps: 2\n"


@pytest.mark.parametrize(
    ("update", "share"),
    [
        (FILE, 1.0),
        (FILE.replace("steps: 2", "steps: 3"), 1.0),  # all that is not shown has changed
        ("jobs:\n  test:\n    steps: 9\n    image: a\n", 0.0),  # `image` stands in what changes
        ("name: ci\njobs:\n  test:\n    steps: 9\n", 0.25),
        (FILE.replace("on: push", "when: always"), 1.0),  # another one in its place
    ],
)
def test_of_the_entries_that_stay_as_they_are_those_next_to_what_is_left_out_count(update, share):
    assert shown_of_unchanged(outline(FILE), outline(update)) == pytest.approx(share)


def test_entries_on_one_line_are_told_apart():
    file, update = (outline(text, "json") for text in ('{"a": {"b": [1, 2]}, "c": "x, {"}', '{"c": "y"}'))
    assert entries_left_out(file, update) == ["a"]
    assert shown_of_unchanged(file, update) == 0.0


def test_thousands_of_brackets_within_each_other_are_read():
    file, update = (outline("[" * 5_000 + value + "]" * 5_000, "json") for value in ("1", "2"))
    assert shown_of_unchanged(file, update) == 1.0
    assert entries_left_out(file, update) == []


def test_heads_of_tables_are_no_brackets_with_entries():
    file, update = (outline(text, "toml") for text in ("[a]\nx = 1\n\n[b]\ny = 2\n", "[b]\ny = 3\n"))
    assert entries_left_out(file, update) == ["a"]


def test_a_text_that_begins_within_the_file_leaves_all_of_the_outermost_entries_out():
    assert entries_left_out(outline(FILE), outline("steps: 1\nimage: b\n")) == ["name", "on", "jobs"]


def test_many_equal_entries_are_compared_at_once():
    many = outline("a:\n" + "  - x\n" * 20_000)
    assert shown_of_unchanged(many, outline("a:\n" + "  - x\n" * 10_000)) == pytest.approx(0.5)


def test_an_entry_that_is_asked_for_by_its_name_is_not_left_out():
    file, update = outline("a: 1\nb: 2\nc: 3\n"), outline("a: 1\nc: 3\n")
    assert shown_of_unchanged(file, update) < 1.0
    assert shown_of_unchanged(file, update, frozenset({"drop", "b"})) == 1.0
