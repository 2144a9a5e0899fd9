"""What an instruction names is found in the region, and only what it names."""

from __future__ import annotations

import pytest

from fastedit.prompt.mentioned import mentioned

LINES = (
    "def load(path):",
    "    data = open(path).read()",
    "    loads = json.loads(data)",
    "    return load.cache",
)


def found(instruction: str) -> dict[str, list[int]]:
    return {instruction[:end]: lines for end, lines in mentioned(instruction, LINES)}


def test_a_name_is_found_as_a_whole_word_only():
    assert found("rename `load` to `read`") == {"rename `load`": [0, 3], "rename `load` to `read`": [1]}


def test_a_whole_line_wins_over_lines_that_merely_hold_it():
    assert mentioned("delete `x`", ("x", "x = 1", "  x")) == [(len("delete `x`"), [0, 2])]


def test_a_dotted_name_is_found_by_its_last_part_where_it_stands_nowhere_whole():
    assert found("delete Loader.load") == {"delete Loader.load": [0, 3]}


@pytest.mark.parametrize("instruction", ["return early", "open it", "add a line after this"])
def test_words_of_the_sentence_name_nothing(instruction):
    assert "return early" not in found(instruction)
    assert found("return early") == found("add a line after this") == {}


def test_an_unquoted_word_that_the_code_has_counts():
    assert found("rename load to read")["rename load"] == [0, 3]


def test_what_stands_nowhere_has_no_place():
    assert found("add `import os`") == {}


def test_code_in_a_block_is_handed_over_not_named():
    assert mentioned("after `def load(path):` add:\nreturn load.cache", LINES) == [
        (len("after `def load(path):`"), [0])
    ]


def test_a_fenced_block_before_a_name_does_not_shift_its_place():
    text = "```\ncode here\n```\nrename `load` to `fetch`"
    assert [text[:end] for end, _ in mentioned(text, LINES)] == ["```\ncode here\n```\nrename `load`"]


def test_an_import_belongs_behind_the_first_run_of_imports():
    lines = ("import os", "from re import match", "", "import late")
    assert mentioned("add `import sys`", lines) == [(len("add `import sys`"), [1])]
    assert mentioned("we need from a import b", lines)[-1] == (len("we need from a import b"), [1])
    assert mentioned("add `import sys`", ("x = 1",)) == []
