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


def named(instruction: str, lines: tuple[str, ...] = LINES) -> list[tuple[str, tuple[int, ...]]]:
    return [(instruction[m.start : m.stop], m.lines) for m in mentioned(instruction, lines)]


def test_a_name_is_found_as_a_whole_word_only():
    assert named("rename `load` to `read`") == [("load", (0, 3)), ("read", (1,))]


def test_the_places_of_a_part_of_a_line_are_told():
    (name,) = mentioned("delete `x`", ("x = x", "y", "fx(x)"))
    assert name.places == ((0, 0, 1), (0, 4, 5), (2, 3, 4))


def test_a_whole_line_wins_over_lines_that_merely_hold_it_and_is_no_place():
    (line,) = mentioned("delete `x`", ("x", "x = 1", "  x"))
    assert (line.lines, line.places) == ((0, 2), ())


def test_a_call_is_found_as_the_whole_line_before_its_name_is_found_elsewhere():
    assert named("wrap `run()` in try", ("def run():", "    run()")) == [("run", (1,))]
    assert named("delete `run()`", ("def run():", "    pass")) == [("run", (0,))]


def test_what_is_replaced_is_named_with_its_parentheses():
    lines = ("x = get() + get",)
    old, new = mentioned("replace `get()` with `take()`", lines)
    assert old.places == ((0, 4, 9),)
    assert "replace `get()` with `take()`"[new.start : new.stop] == "take()"


def test_a_dotted_name_is_found_by_its_last_part_where_it_stands_nowhere_whole():
    assert named("delete Loader.load") == [("Loader.load", (0, 3))]


@pytest.mark.parametrize("instruction", ["return early", "open it", "add a line after this"])
def test_words_of_the_sentence_name_nothing(instruction):
    assert "return" not in dict(named(instruction))
    assert named("return early") == named("add a line after this") == []


def test_a_keyword_behind_a_kind_of_thing_is_no_name():
    assert named("delete the import from os", ("from os import path", "import sys")) == [("os", (0,))]


def test_an_unquoted_word_that_the_code_has_counts():
    assert named("rename load to read")[0] == ("load", (0, 3))


def test_what_stands_nowhere_is_handed_over():
    assert named("add `x = 1` to load") == [("x = 1", ()), ("load", (0, 3))]
    assert named("rename load to fetch") == [("load", (0, 3)), ("fetch", ())]


def test_what_stands_in_very_many_places_is_not_marked_there():
    (name,) = mentioned("delete `x`", ("f(x)",) * 100)
    assert (len(name.lines), name.places) == (100, ())


def test_code_in_a_block_is_handed_over_not_named():
    assert named("after `def load(path):` add:\nreturn load.cache") == [("def load(path):", (0,))]


def test_a_fenced_block_before_a_name_does_not_shift_its_place():
    assert named("```\ncode here\n```\nrename `load` to `fetch`") == [("load", (0, 3)), ("fetch", ())]


def test_an_import_belongs_behind_the_first_run_of_imports():
    lines = ("import os", "from re import match", "", "import late")
    assert named("add `import sys`", lines) == [("import sys", ()), ("", (1,))]
    assert named("add `import sys`", ("x = 1",)) == [("import sys", ())]
    assert named("delete `import os`", lines) == [("import os", (0,))]
