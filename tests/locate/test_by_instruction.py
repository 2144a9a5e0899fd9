import pytest

from fastedit.errors import AnchorNotFound
from fastedit.request import LineRange
from tests.locate.helpers import asked, long_module, shown

MODULE = long_module()
STORE = (
    '''"""Stores."""

import os
from typing import Any


class Store:
    def __init__(self, path):
        self.path = path

    # reads
    @cached
    def load(self):
        return open(self.path).read()

    def save(self, text):
        self.load()
        open(self.path, "w").write(text)


class Cache:
    def load(self):
        return None


TIMEOUT = 30
LIMITS = {
    "a": 1,
    "b": 2,
}
'''
    + "\n\n"
    + MODULE
)


def only(regions):
    assert len(regions) == 1
    return regions[0]


@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        ("add a docstring to f7", "function f7"),
        ("in `f7`, return early", "function f7"),
        ("give a a default of 3 in f7", "function f7"),
        ("make the function f7 faster", "function f7"),
        ("f7 should return `a`", "function f7"),
        ("simplify Store.save", "function Store.save"),
        ("add a docstring to `load` in `Cache`", "function Cache.load"),
        ("change `first_7 = a + 7` to `first_7 = a - 7`", "function f7"),
        ("the class Store needs a comment", "class Store"),
    ],
)
def test_what_is_named_decides_the_region(instruction, reason):
    region = only(asked(STORE, instruction))
    assert region.reason == reason
    assert region.certain


def test_a_name_is_looked_for_in_the_function_that_it_is_said_to_be_in():
    region = only(asked(STORE, "spell out `a` in f3"))
    assert region.reason == "function f3"


def test_uses_far_apart_become_regions_of_their_own_that_are_guesses():
    text = "print(limit)\n" + "x = 2\n" * 80 + "print(limit)\n"
    regions = asked(text, "spell limit out")
    assert [(r.start, r.stop, r.certain) for r in regions] == [(0, 7, False), (75, 82, False)]


def test_a_name_defined_twice_is_refused_with_both_places():
    with pytest.raises(AnchorNotFound, match=r"Store\.load \(lines 11:14\), Cache\.load \(lines 22:23\)"):
        asked(STORE, "add a docstring to `load`")


def test_an_import_goes_to_the_imports():
    region = only(asked(STORE, "add `import json`"))
    assert (region.start, region.stop) == (0, 10)
    assert only(asked(MODULE, "remove the import of os")).stop <= 10


def test_a_file_without_imports_takes_them_behind_its_docstring():
    text = '"""Doc.\n\nMore.\n"""\n\n' + "x = 1\n" * 150
    region = only(asked(text, "add `import os`"))
    assert region.start <= 4 < region.stop <= 20


@pytest.mark.parametrize(
    "instruction", ["change TIMEOUT to 5", "set `TIMEOUT` to 5", "the value of `TIMEOUT` should be 5"]
)
def test_a_variable_is_found_where_it_gets_its_value(instruction):
    region = only(asked(STORE, instruction))
    assert "TIMEOUT = 30" in shown(STORE, region)
    assert region.certain


def test_a_value_of_several_lines_comes_whole():
    region = only(asked(STORE, "add an entry `c` to LIMITS"))
    assert '    "b": 2,' in shown(STORE, region)


def test_a_line_number_is_taken_at_its_word():
    region = only(asked(MODULE, "fix line 20"))
    assert region.start <= 19 < region.stop
    with pytest.raises(AnchorNotFound, match="line 9999"):
        asked(MODULE, "fix line 9999")


def test_a_long_function_is_cut_to_what_is_quoted_or_named_and_its_head_is_a_guess():
    text = "def long(a):\n" + "".join(f"    x{n} = {n}\n" for n in range(200)) + "    return a\n"
    inner = only(asked(text, "in long, replace `x150 = 150` with `x150 = 0`"))
    assert "    x150 = 150" in shown(text, inner)
    assert len(shown(text, inner)) <= 60
    head = only(asked(text, "make long faster"))
    assert (head.start, head.stop <= 60, head.certain) == (0, True, False)


def test_a_long_function_asked_for_by_symbol_need_not_be_named_again():
    text = "def long(a):\n" + "".join(f"    x{n} = {n}\n" for n in range(3000)) + "    return a\n"
    text += "\n\ndef short():\n    return 1\n"
    inner = only(asked(text, "double x1500", symbol="long"))
    assert "    x1500 = 1500" in shown(text, inner)
    guess = only(asked(text, "make it faster", symbol="long"))
    assert not guess.certain
    assert "long has 3002 lines, and nothing says which of them" in guess.reason


def test_many_lines_asked_for_by_number_are_refused_with_their_numbers_where_nothing_is_named():
    with pytest.raises(AnchorNotFound, match="was found in lines 1:190"):
        asked(MODULE, "make this nicer", lines=LineRange(0, 190))


def test_a_small_file_is_taken_whole_and_a_long_one_refused_where_nothing_is_named():
    assert only(asked("x = 1\ny = 2\n", "make this nicer")).reason == "whole file"
    with pytest.raises(AnchorNotFound, match="nothing that the instruction names"):
        asked(MODULE, "make this nicer")


def test_a_quoted_line_in_many_places_is_refused_with_their_numbers():
    with pytest.raises(AnchorNotFound, match="stands on lines"):
        asked(MODULE, "replace `return None` with `return 1`")


def test_lines_and_symbol_narrow_strictly():
    assert only(asked(MODULE, "rename a to left", symbol="f3")).reason == "function f3"
    region = only(asked(MODULE, "rename a to left", lines=LineRange(4, 9)))
    assert (region.start, region.stop) == (4, 9)
    with pytest.raises(AnchorNotFound, match="did you mean f3"):
        asked(MODULE, "rename a to left", symbol="ff3")
    with pytest.raises(AnchorNotFound, match="give its full name"):
        asked(STORE, "rename a to left", symbol="load")


@pytest.mark.parametrize(
    ("name", "text", "instruction", "line"),
    [
        ("a.js", "function f() {\n  a();\n}\n\nconst g = () => {\n  b();\n};\n", "make g return 3", "  b();"),
        ("a.ts", "interface A {\n  x: number;\n}\n\nclass B {\n  go() {}\n}\n", "comment B.go", "  go() {}"),
        ("a.go", "package a\n\nfunc (s *S) Load() int {\n\treturn 1\n}\n", "S.Load gives 2", "\treturn 1"),
        ("a.rs", "impl S {\n    fn load() {\n        a()\n    }\n}\n", "S::load gives `2`", "        a()"),
        ("A.java", "class A {\n  int load() {\n    a();\n  }\n}\n", "make A.load return 2", "    a();"),
        ("a.c", "int a;\n\nstatic int load(void)\n{\n  return 1;\n}\n", "load() gives 2", "  return 1;"),
        ("a.cpp", "int S::load() {\n  return 1;\n}\n", "make S::load return 2", "  return 1;"),
        ("a.sh", "load() {\n  a\n}\n\nsave() {\n  b\n}\n", "make the function save print 3", "  b"),
        ("a.toml", "[tool.a]\nx = 1\n\n[tool.b]\nx = 2\n", "in `tool.b` set x to 3", "x = 2"),
        ("a.yaml", "one:\n  port: 1\ntwo:\n  port: 2\n", "change the port in `two` to 3", "  port: 2"),
        (
            "a.json",
            '{\n "one": {\n  "x": 1\n },\n "two": {\n  "x": 2\n }\n}\n',
            'x in "two" is 3',
            '  "x": 2',
        ),
        ("a.md", "# One\n\ntext\n\n## Two\n\nmore\n", "reword the section `Two`", "more"),
    ],
)
def test_every_language_and_plain_text_have_places_with_names(name, text, instruction, line):
    padded = text + "\n" * 130
    region = only(asked(padded, instruction, name))
    assert line in shown(padded, region)
    assert region.stop - region.start <= 60
    assert region.certain
