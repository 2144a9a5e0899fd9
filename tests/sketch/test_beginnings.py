"""New code that a piece of a sketch begins with, and where it may come."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import Alignment
from fastedit.sketch.read.updates import read_update

ADDED = "def h(c):\n    log(c)\n    send(c)\n    return c\n"
TAIL = "import os\n\n\ndef f(a):\n    log(a)\n    return a\n\n\ndef g(b):\n    log(b)\n    return b\n"
CLASS = "class A:\n    def run(self):\n        pass\n"
MANY = "\n\n".join(
    f"def test_{name}():\n    assert lib.{name}({name!r})\n" for name in map("n{}".format, range(48))
)


def laid(old: str, sketch: str, language: str = "python") -> Alignment:
    lines = old.splitlines()
    return Alignment(lines, read_update(sketch, language, lines))


@pytest.mark.parametrize(
    ("old", "sketch", "at_the_end"),
    [
        (TAIL, ADDED, True),
        (TAIL, "class B:\n    size = 1\n", True),
        (f"{CLASS}\n\n{TAIL}", ADDED, True),
        (f"{TAIL}\n\n    def inner():\n        pass\n", ADDED, True),
        # the file ends with something else or with a class that may have it, has a member like it, or has it
        (f"{TAIL}\n\nif __name__ == '__main__':\n    f(1)\n", ADDED, False),
        (f"{TAIL}\n\n{CLASS}", ADDED, False),
        (f"{CLASS}\n\n{TAIL}", ADDED.replace("(c)", "(self)", 1), False),
        (TAIL, TAIL.partition("\n\n\n")[2].partition("\n\n\n")[0] + "\n", False),
        (TAIL, "def first(a):\n    log(a)\n    return a\n", False),
    ],
)
def test_a_new_block_that_a_sketch_ends_with_has_no_place_but_the_end_of_a_file_that_ends_with_others(
    old, sketch, at_the_end
):
    found = laid(old, f"# ... existing code ...\n\n\n{sketch}")
    assert found.features.leap_torn[-1].all() == at_the_end


def test_a_block_that_comes_to_the_end_has_no_line_of_one_above_the_last():
    old = "def f():\n    x = 1\n    y = 2\n    return x\n\n\ndef g():\n    return 3\n"
    new = "def h():\n    x = 1\n    z = {}\n    w = []\n    return z, w\n"
    assert laid(old, f"# ...\n\n\n{new}").best().text.lines == tuple(f"{old}\n\n{new}".splitlines())


@pytest.mark.parametrize("above", ["", "# ... existing tests ...\n\n\n"])
def test_new_code_comes_right_above_the_line_shown_next_however_many_definitions_a_file_has(above):
    new = "def test_new():\n    assert lib.new(9)\n"
    best = laid(MANY, f"{above}{new}\n\ndef test_n24():\n").best()
    assert best.text.lines == tuple(MANY.replace("def test_n24", f"{new}\n\ndef test_n24").splitlines())
    assert best.posterior > 0.96


@pytest.mark.parametrize("lead", ["@app.get('/')", "# of another\n@app.get('/')"])
def test_new_code_above_a_definition_parts_it_from_no_decorator_or_comment_that_is_not_shown(lead):
    old, new = TAIL.replace("def g", f"{lead}\ndef g"), "def h():\n    send()\n"
    best = laid(old, f"# ...\n\n\n{new}\n\ndef g(b):\n    log(b)\n    return b\n").best()
    assert best.text.lines == tuple(old.replace(lead, f"{new}\n\n{lead}").splitlines())


def test_code_around_a_line_of_the_file_may_come_elsewhere_than_above_the_line_shown_next():
    old = "def f(a):\n    first(a)\n    second(a)\n    return a\n"
    found = laid(old, "def f(a):\n    # ...\n    with LOCK:\n        first(a)\n    return a\n")
    assert not found.features.leap_torn.any()
