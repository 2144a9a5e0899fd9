"""Expressions, words and operators in place of others, and expressions that get a name, as people ask for them."""

from __future__ import annotations

import pytest

from fastedit.edit.codemod import predict_instruction

from .reading import doubted

PYTHON = """\
def load(name, strict):
    # read the whole file
    first = read(name, 30) + len(name)
    if first == name.size:
        print("not known")
    return wrap(first.parts, key=lambda part: order(part))
"""
SCRIPT = """\
function load(name) {
  const first = read(name, 30);
  if (first === 4) {
    stop(first.parts);
  }
}
"""


def carried_out(text: str, source: str, language: str) -> tuple[str, bool] | None:
    """The new text, and whether nothing speaks against it."""
    found = predict_instruction(source.split("\n"), language, text)
    return found and ("\n".join(found.lines), not found.reasons)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("it says `30` but should say `60`", "30", "60"),
        ("stop using `read(name, 30)`, go with `fetch(name)`", "read(name, 30)", "fetch(name)"),
        ("by mistake we have `len(name)`, correct it to `None`", "len(name)", "None"),
        ("get rid of `first.parts` inside `load` in favour of `first.all`", "first.parts", "first.all"),
        ('better: "every file" instead of "whole file"', "whole file", "every file"),
        ("don't say `not known`, say `unknown yet`", "not known", "unknown yet"),
        ("drop the `==` in `if first == name.size:` in favour of `!=`", "first ==", "first !="),
        ("wrong operator in `if first == name.size:`, use `<=`", "first ==", "first <="),
        (
            "I want `read(name, 30)` in a variable `raw`",
            "    first = read(name, 30)",
            "    raw = read(name, 30)\n    first = raw",
        ),
        (
            "first `text` gets `len(name)`, then the line uses `text`",
            "    first = read(name, 30) + len(name)",
            "    text = len(name)\n    first = read(name, 30) + text",
        ),
    ],
)
def test_expressions_are_understood_in_whatever_order_they_are_asked_for(text, old, new):
    assert carried_out(text, PYTHON, "python") == (PYTHON.replace(old, new, 1), True)


def test_a_variable_is_declared_as_its_language_does():
    wanted = SCRIPT.replace("    stop(first.parts", "    const all = first.parts;\n    stop(all")
    assert carried_out("hoist `first.parts` into a variable `all`", SCRIPT, "javascript") == (wanted, True)


@pytest.mark.parametrize(
    ("text", "source", "language"),
    [
        # A type, a modifier or a value is said of a name, or of what is called.
        ("I want `first` to be `int`", PYTHON, "python"),
        ("I want `len(name)` to be `int`", PYTHON, "python"),
        ("I want `first.parts` to be `None`", PYTHON, "python"),
        # A part of something longer.
        ("replace `3` with `5`", PYTHON, "python"),
        # It is there already, so it may be what is to go.
        ("make `read(name, 30)` `len(name)`", PYTHON, "python"),
        # How strictly it compares is left open.
        ("the operator in `if (first === 4) {` should be `!=`", SCRIPT, "javascript"),
        ("don't change `==` to `!=` in `if first == name.size:`", PYTHON, "python"),
        # Not on a line of its own.
        ("hoist `first == name.size` into a variable `same`", PYTHON, "python"),
        ("hoist `read(name, 30)` into a variable `first`", PYTHON, "python"),
    ],
)
def test_expressions_that_leave_something_open_are_not_sure(text, source, language):
    assert doubted(text, source, language)


def test_a_variable_for_what_is_evaluated_later_is_doubted():
    found = carried_out("extract `order(part)` into a variable `place`", PYTHON, "python")
    assert found is not None
    assert not found[1]
