"""An instruction is read once, and says what it mentions and where."""

from __future__ import annotations

import pytest

from fastedit.english.said import read
from fastedit.english.words import words
from fastedit.ops.uses.rename import Rename
from fastedit.request import LineRange


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("add a docstring to load", ["add", "docstring", "to", "load"]),
        ("make Store's `load()` quicker", ["make", "Store", "load", "quicker"]),
        ("decorate f with @cache", ["decorate", "f", "with", "cache"]),
        ("the value of the function S::go", ["of", "S::go"]),
    ],
)
def test_names_and_quotations_are_mentioned_and_general_words_are_not(text, names):
    said = read(text)
    assert [mention.text for mention in said.mentions] == names
    assert all(text[m.start :].startswith(m.text) and m.stop >= m.start + len(m.text) for m in said.mentions)


def test_what_stands_behind_a_preposition_is_a_place_whatever_it_is_called():
    places = {
        m.text: (m.place, m.inside) for m in read("in the class Store, log `x` to the file log").mentions
    }
    assert places["Store"] == (True, True)
    assert places["x"] == (False, False)
    assert places["file"] == (True, False)


def test_only_code_and_quotations_are_sure():
    sure = {m.text for m in read("add load_all, `x` and LIMIT to the loader").mentions if m.sure}
    assert sure == {"load_all", "x", "LIMIT"}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("fix line 20", LineRange(19, 20)),
        ("delete lines 3-5", LineRange(2, 5)),
        ("change line 12 to 5", LineRange(11, 12)),
        ('add the docstring "Remove line 3." to load', None),
        ("add this:\n```\n# line 7\n```", None),
        ("line 0", None),
    ],
)
def test_line_numbers_are_read_outside_of_quotes_and_blocks(text, lines):
    assert read(text).lines == lines


def test_blocks_are_given_and_not_mentioned():
    said = read("add this to load:\n```python\nx = 1\ny = 2\n```")
    assert said.blocks == ("x = 1\ny = 2",)
    assert said.given == ("x = 1", "y = 2")
    assert "x" not in {mention.text for mention in said.mentions}
    assert read("after `x` add:\n    y = 2").given == ("x", "y = 2")


def test_an_exact_command_is_read_as_its_operations():
    assert read("rename load to read").operations == (Rename("load", "read"),)
    assert read("could load be called read?").operations == ()
    assert read("rename load to read") is read("rename load to read")


def test_every_word_keeps_its_place():
    text = 'don\'t rename `a b` to x.y() in https://a.b/c, "z", v1.2!'
    spelled = ["don't", "rename", "`a b`", "to", "x.y()", "in", "https://a.b/c", ",", '"z"', ",", "v1.2", "!"]
    assert [text[word.start : word.stop] for word in words(text)] == spelled


def test_a_number_or_a_path_begins_at_the_last_of_the_signs_before_it():
    spelled = ["3", "//4", "a", "<", "<5", "=", "=", "5", "/a", "-", "-", "@../x", "--a/b"]
    assert [word.text for word in words("3//4 a<<5 == 5/a -- @../x --a/b")] == spelled
