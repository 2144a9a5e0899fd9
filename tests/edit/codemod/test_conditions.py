"""Conditions that change, and statements that get one, as people ask for them."""

from __future__ import annotations

import pytest

from fastedit.edit.codemod import predict_instruction

PYTHON = """\
def load(name, strict):
    if name == "x":
        print(strict)
    while strict is not None and name:
        strict = name.pop()
    if not done(name):
        return name
    print(name)
    value: int = 3
    return value
"""
C = """\
int load(int a) {
    if (a > 1) {
        go(a);
    }
    int b = a;
    stop(b);
    return b;
}
"""
GO = """\
package a

func load(err error) {
	if err != nil {
		stop(err)
	}
	next := 1
	use(next)
}
"""


def carried_out(text: str, source: str, language: str) -> str | None:
    found = predict_instruction(source.split("\n"), language, text)
    assert found is None or not found.reasons
    return found and "\n".join(found.lines)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ('it checks `name == "x"`, but it should check `strict`, the tests expect this', 'name == "x"', "strict"),
        ('rather than `name == "x"`, the condition should test `not name`', 'name == "x"', "not name"),
        ('drop the check `name == "x"` and check `len(name) == 0` there', 'name == "x"', "len(name) == 0"),
        ('the logic of `name == "x"` is inverted, flip it', 'name == "x"', 'name != "x"'),
        ("the check `not done(name)` should be the other way round", "not done(name)", "done(name)"),
        ('this has to test that `name == "x"` is untrue', 'name == "x"', 'name != "x"'),
        ('just `name == "x"` won\'t do as a condition, it needs `or strict`', '"x":', '"x" or strict:'),
        ("`and name != 1` is missing after `strict is not None and name`", "and name:", "and name and name != 1:"),
        ('`if name == "x"` has no else, add one with `go()`', "(strict)\n", "(strict)\n    else:\n        go()\n"),
        ("don't run `print(name)` unless `strict`", "    print(name)", "    if strict:\n        print(name)"),
        ("gate `print(name)` behind `strict`", "    print(name)", "    if strict:\n        print(name)"),
    ],
)  # fmt: skip
def test_conditions_are_understood_in_whatever_order_they_are_asked_for(text, old, new):
    assert carried_out(text, PYTHON, "python") == PYTHON.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "source", "language", "old", "new"),
    [
        ("negate the condition `a > 1`", C, "c", "a > 1", "a <= 1"),
        ("tack `&& b` onto the condition `a > 1`", C, "c", "a > 1", "a > 1 && b"),
        ("else branch for `if (a > 1)`: `x(a);`", C, "c", "(a);\n    }", "(a);\n    } else {\n        x(a);\n    }"),
        ("`stop(b);` needs an if around it: `b`", C, "c", "    stop(b);", "    if (b) {\n        stop(b);\n    }"),
        ("the condition `err != nil` has to be inverted", GO, "go", "err != nil", "err == nil"),
        ("only do `use(next)` if `next > 1`", GO, "go", "\tuse(next)", "\tif next > 1 {\n\t\tuse(next)\n\t}"),
    ],
)  # fmt: skip
def test_conditions_are_written_as_their_language_spells_them(text, source, language, old, new):
    assert carried_out(text, source, language) == source.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "source", "language"),
    [
        # There are several ways to say the opposite.
        ("negate the condition `strict is not None and name`", PYTHON, "python"),
        # Brackets would be a matter of taste.
        ("add `or name` to the condition `strict is not None and name`", PYTHON, "python"),
        ("do not negate `not done(name)`", PYTHON, "python"),
        ("skip `print(name)` if `strict`", PYTHON, "python"),
        ("run `print(name)` unless `strict`", PYTHON, "python"),
        # What a block declares ends with it.
        ("only run `int b = a;` if `a`", C, "c"),
        ("only run `next := 1` if `err`", GO, "go"),
    ],
)
def test_conditions_that_leave_something_open_are_left_to_the_model(text, source, language):
    assert carried_out(text, source, language) is None
