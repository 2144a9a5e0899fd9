"""Commas that entries need for where they come to stand."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import lay
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.text.separators import separated


def merged(old: str, sketch: str, language: str) -> str:
    lines = old.splitlines()
    return "\n".join(lay(lines, read_update(sketch, language, lines)).text.lines) + "\n"


def test_the_entry_above_a_new_last_one_of_json_gets_its_comma():
    old = '{\n  "name": "a",\n  "files": {\n    "one": 1,\n    "two": 2\n  }\n}\n'
    sketch = '  "files": {\n    // ...\n    "three": 3\n  }\n'
    assert merged(old, sketch, "json") == old.replace('"two": 2', '"two": 2,\n    "three": 3')


def test_a_last_entry_of_json_has_no_comma_behind_it():
    old = '{\n  "one": 1,\n  "two": 2\n}\n'
    assert merged(old, '{\n  "one": 1,\n}\n', "json") == '{\n  "one": 1\n}\n'


@pytest.mark.parametrize(
    ("old", "language"),
    [
        ("const sizes = {\n  small: 1,\n  large: 2\n};\n", "javascript"),
        ("SIZES = [\n  small(1),\n  large(2)\n]\n", "python"),
        ("enum Size {\n  SMALL,\n  LARGE\n};\n", "c"),
    ],
)
def test_elsewhere_it_gets_one_where_the_other_entries_have_theirs(old, language):
    first, *_, last, closer = old.splitlines()
    new = last.replace("large", "huge").replace("LARGE", "HUGE")
    wanted = old.replace(f"{last}\n", f"{last},\n{new}\n")
    assert (
        merged(old, f"{first}\n  {'#' if language == 'python' else '//'} ...\n{new}\n{closer}\n", language)
        == wanted
    )


@pytest.mark.parametrize(
    ("old", "language"),
    [
        ("def load():\n    one()\n    two()\n", "python"),
        ("function load() {\n  one()\n  two()\n}\n", "javascript"),
        ("total = (\n    one\n    + two\n)\n", "python"),
    ],
)
def test_statements_and_terms_get_none(old, language):
    lines = old.splitlines()
    new = lines[2].replace("two", "three")
    wanted = old.replace(lines[2], f"{lines[2]}\n{new}")
    assert merged(old, wanted, language) == wanted


def test_an_entry_gets_none_where_those_that_ended_with_one_go():
    old = "load(\n    one,\n    two\n)\nstop()\n"
    sketch = "load(\n    two\n    + three\n)\nstop()\n"
    assert merged(old, sketch, "python") == sketch


def test_many_comments_that_come_between_two_entries_are_gone_over_once():
    file = Outline(["[", "  1,", "  2", "]"], language="python")
    comments = ["  # more"] * 60_000
    lines, origins = separated(file, [*file.texts[:3], *comments, "  3", "]"], [0, 1, 2, *[None] * 60_001, 3])
    assert lines == ("[", "  1,", "  2,", *comments, "  3", "]")
    assert origins == (0, 1, None, *[None] * 60_001, 3)
