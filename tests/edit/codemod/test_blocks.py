from __future__ import annotations

import pytest

from fastedit.edit.codemod import predict_instruction

from .reading import surely

PYTHON = '''\
import json

LIMIT = 10


def load(name, strict=False):
    """Read.

    All of it.
    """
    data = read(name)
    # print(data)
    if strict:
        return None
    check(data)
    return data


def save(name):
    try:
        write(name)
    except OSError:
        pass
'''
SCRIPT = """\
function load(name) {
  const data = read(name);
  check(data);
  return data;
}
"""


def carried_out(text: str, source: str = PYTHON, language: str = "python") -> tuple[str, tuple[str, ...]]:
    """The new text, and what speaks against it."""
    found = predict_instruction(source.split("\n"), language, text)
    assert found is not None, text
    return "\n".join(found.lines), found.reasons


_CHECK = "    check(data)\n"
_TRIED = "    try:\n        check(data)\n    except KeyError:\n        {}\n"
_BODY = "    data = read(name)\n"
_GUARD = "    if not name:\n        {}\n"


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("wrap `check(data)` in try/except KeyError and pass", _CHECK, _TRIED.format("pass")),
        ("`check(data)` could give us KeyError; if so `return None`", _CHECK, _TRIED.format("return None")),
        ("KeyError from `check(data)` isn't handled, catch it and raise", _CHECK, _TRIED.format("raise")),
        ("put `check(data)` into a `with lock` block", _CHECK, "    with lock:\n        check(data)\n"),
        ("`with lock` should enclose just `check(data)`", _CHECK, "    with lock:\n        check(data)\n"),
        ("raise `ValueError(1)` instead of `return None`", "return None", "raise ValueError(1)"),
        ("drop `return None` in favour of raising `ValueError(1)`", "return None", "raise ValueError(1)"),
        ("`return None` -> raise `ValueError(1)`", "return None", "raise ValueError(1)"),
        ("add a guard to `load`: `return 1` if `not name`", _BODY, _GUARD.format("return 1") + _BODY),
        ("at the top of `load`, handle `not name` by `raise E(1)`", _BODY, _GUARD.format("raise E(1)") + _BODY),
        ("attempt `check(data)`, but on KeyError `return None`", _CHECK, _TRIED.format("return None")),
        ("nest `check(data)` in a try-except that catches KeyError and does `pass`", _CHECK, _TRIED.format("pass")),
        ("scope `check(data)` with `with lock`", _CHECK, "    with lock:\n        check(data)\n"),
        ("go to the top of `load` and add `log(1)`", _BODY, "    log(1)\n" + _BODY),
        ("initially `load` should call `log(1)`", _BODY, "    log(1)\n" + _BODY),
        ("place `log(1)` above everything else inside `load`", _BODY, "    log(1)\n" + _BODY),
        ("first thing in `load`: `log(1)`", _BODY, "    log(1)\n" + _BODY),
        ("this can go:\nif strict:\n    return None", "    if strict:\n        return None\n", ""),
        ("get rid of the following:\n```\n    check(data)\n    return data\n```", _CHECK + "    return data\n", ""),
        ("`print(data)` must not be a comment any more", "# print(data)", "print(data)"),
        ("turn the comment `print(data)` into code", "# print(data)", "print(data)"),
        ("put `import json` behind `LIMIT = 10`", "import json\n\nLIMIT = 10\n", "\nLIMIT = 10\nimport json\n"),
    ],
)  # fmt: skip
def test_statements_are_wrapped_replaced_and_guarded_as_the_sentence_says(text, old, new):
    made, reasons = carried_out(text)
    assert made == PYTHON.replace(old, new, 1)
    assert not reasons


def test_a_script_catches_what_a_statement_throws():
    made, reasons = carried_out("when `check(data);` throws, do `return null;`", SCRIPT, "javascript")
    caught = "  try {\n    check(data);\n  } catch (error) {\n    return null;\n  }\n"
    assert made == SCRIPT.replace("  check(data);\n", caught)
    assert not reasons


def test_a_guard_has_the_braces_of_its_language():
    made, _ = carried_out("`load` should `return null;` when `!name`", SCRIPT, "javascript")
    assert made == SCRIPT.replace("{\n", "{\n  if (!name) {\n    return null;\n  }\n", 1)


@pytest.mark.parametrize(
    ("text", "language", "reason"),
    [
        ("wrap `write(name)` in try/except KeyError and pass", "python", "in a try already"),
        ("add a guard to `load`: `return` if `data is None`", "python", "set further down"),
        ("wrap `const data = read(name);` in try/catch and do `throw error;`", "javascript", "used below"),
    ],
)
def test_a_block_that_may_be_meant_otherwise_says_so(text, language, reason):
    assert reason in " ".join(carried_out(text, PYTHON if language == "python" else SCRIPT, language)[1])


@pytest.mark.parametrize(
    "text",
    [
        "do not wrap `check(data)` in try/except KeyError and pass",
        "wrap `if strict:` in try/except KeyError and pass",
        "instead of raising `ValueError(1)`, `return None`",
        "do not raise `ValueError(1)`, `return None`",
        "`load` should not `return None` if `not name`",
        "`load` should `return None` unless `not name`",
        "add a guard to `load`: `return None` if `strict`",
        "delete `load` and everything that uses it",
        "remove `load` and its callers",
        "delete the lines around this:\\n    check(data)",
        "delete what stands below this:\\n    check(data)",
        "delete the lines around `check(data)`",
        "comment out the lines around `check(data)`",
        "remove `with lock` around `check(data)`",
        "delete the callers of `load`",
        "delete the body of `load`",
        "remove everything in `load`",
        "delete nothing but `load`",
        "clear `load`",
        "replace raising `ValueError(1)` with `return None`",
        "delete everything between `check(data)` and `return data`",
        "wrap `check(data)` in try/except KeyError, but do not `pass`",
        "go to the top of `load` and leave `log(1)` alone",
        "add `log(1)` at the top of `load` and return",
        "do not place `log(1)` above everything else inside `load`",
    ],
)
def test_what_forbids_a_block_or_asks_for_more_is_left_to_the_model(text):
    assert predict_instruction(PYTHON.split("\n"), "python", text) is None


def test_code_that_a_sentence_shows_is_inserted_without_ticks_where_the_file_has_its_lines():
    made, _ = carried_out("after the line `LIMIT = 10` add:\nMORE = 1\ncheck(data)")
    assert made == PYTHON.replace("LIMIT = 10\n", "LIMIT = 10\nMORE = 1\ncheck(data)\n")


def test_what_a_function_gives_back_is_no_argument_of_its_calls():
    made, reasons = carried_out(
        "what `load` gives back should be `None`", PYTHON.replace("return None", "stop()")
    )
    assert made == PYTHON.replace("return None", "stop()").replace("return data", "return None")
    assert not reasons
    script = "def load(a):\n    return a\n\n\nx = load(1)\n"
    assert carried_out("what `load` gives back should be `None`", script)[0] == script.replace(
        "return a", "return None"
    )


def test_a_line_of_a_docstring_has_no_block_below_it():
    source = 'def load():\n    """Read.\n\n    Args:\n        name: whose\n    """\n'
    made, reasons = carried_out("change the line `Args:` to `Arguments:`", source)
    assert made == source.replace("Args:", "Arguments:")
    assert not reasons


@pytest.mark.parametrize(
    "text", ["replace `check(data)` with `with lock`", "use `with lock` instead of `check(data)`"]
)
def test_a_with_that_replaces_a_statement_does_not_wrap_it(text):
    found = predict_instruction(PYTHON.split("\n"), "python", text)
    assert found is None or "        check(data)" not in found.lines


TWO_STEPS = """\
def load(path):
    text = read(
      path)
    return text
if text:
  run(text)
  rerun(text)
stop(text)
"""


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        ("return text", "    return text", "    with lock:\n        return text"),
        ("run(text)", "  run(text)", "  with lock:\n    run(text)"),
    ],
)
def test_a_statement_is_wrapped_by_the_step_of_the_block_that_it_stands_in(line, old, new):
    assert surely(f"wrap `{line}` in `with lock`", TWO_STEPS, "python") == TWO_STEPS.replace(old, new, 1)


def test_the_step_of_a_statement_in_no_block_is_doubted_where_the_file_has_several():
    found = predict_instruction(TWO_STEPS.split("\n"), "python", "wrap `stop(text)` in `with lock`")
    assert found is not None
    assert found.reasons == ("the file is indented by steps of more than one width",)


def test_a_step_is_as_wide_as_those_around_the_line_whatever_texts_and_other_blocks_have():
    source = '''\
def narrow(name):
  if name:
    return name


class Store:
    def load(self, name):
        text = """
first
"""
        check(text)
'''
    made = surely("wrap `check(text)` in `with lock`", source, "python")
    assert "        with lock:\n            check(text)\n" in made
