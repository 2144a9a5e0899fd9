"""What people type without quotes, and what they call a thing by."""

from __future__ import annotations

import pytest

from fastedit.edit.codemod import predict_instruction
from fastedit.edit.merge import Prediction

PYTHON = """\
import time
from pathlib import Path

TABLES = ["users", "orders"]


class Job:
    def push(self, job):
        if len(self.jobs) >= self.limit:
            raise ValueError("queue is full")
        self.jobs.append(job)


def count(path, retries=3, limit=10):
    print("reading", path)
    time.sleep(1)
    return len(Path(path).read_text())


def read(rows, column):
    return rows[column]
"""
SCRIPT = """\
const options = {
  locale: "en",
};

function total(items, quantity) {
  console.log(items);
  if (items == undefined) {
    throw new Error("no items");
  }
  return quantity;
}

class Cart {
  clear() {
    this.items.length = 0;
  }
}
"""


def predicted(text: str, source: str = PYTHON, language: str = "python") -> Prediction | None:
    return predict_instruction(source.split("\n"), language, text)


def surely(text: str, source: str = PYTHON, language: str = "python") -> str:
    """The new text, which nothing speaks against."""
    found = predicted(text, source, language)
    assert found is not None, text
    assert not found.reasons, (text, found.reasons)
    return "\n".join(found.lines)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("add verbose=False as a parameter to read", "rows, column)", "rows, column, verbose=False)"),
        ("pass exist_ok=True to Path", "Path(path)", "Path(path, exist_ok=True)"),
        ("use > instead of >= in push", ">= self", "> self"),
        ("add a type hint for path (str) in count", "count(path", "count(path: str"),
        ("rows is a list[dict]", "read(rows", "read(rows: list[dict]"),
    ],
)
def test_code_that_nothing_else_is_spelled_like_needs_no_quotes(text, old, new):
    assert surely(text) == PYTHON.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ('docstring for read: "One column."', "column):\n", 'column):\n    """One column."""\n'),
        ('add "items" to TABLES', '"orders"]', '"orders", "items"]'),
        ("count returns int, add that annotation", "limit=10):", "limit=10) -> int:"),
        ("rename read to pick pls", "def read", "def pick"),
    ],
)
def test_a_name_that_is_also_a_word_is_known_by_where_it_stands(text, old, new):
    assert surely(text) == PYTHON.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("retries should be an int", "retries=3", "retries: int = 3"),
        ("limit is an int", "limit=10", "limit: int = 10"),
        ("column defaults to 0", "column)", "column=0)"),
        ("default retries to 5", "retries=3", "retries=5"),
    ],
)
def test_a_parameter_that_only_one_function_has_needs_no_function(text, old, new):
    assert surely(text) == PYTHON.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rows defaults to 0", "a parameter without a default follows"),
        ("retries should be a str", "its default is of another type"),
    ],
)
def test_what_a_signature_does_not_allow_is_a_reason(text, why):
    found = predicted(text)
    assert found is not None
    assert why in found.reasons


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("get rid of the debug print in count", '    print("reading", path)\n'),
        ("drop the sleep call", "    time.sleep(1)\n"),
        ("kill the print", '    print("reading", path)\n'),
    ],
)
def test_a_statement_may_be_said_by_what_it_calls(text, gone):
    assert surely(text) == PYTHON.replace(gone, "", 1)


def test_a_call_whose_result_is_used_is_no_statement_that_goes():
    assert predicted("remove the len call in count") is None


def test_of_two_calls_none_is_said_by_its_name():
    twice = PYTHON.replace("    time.sleep(1)\n", "    time.sleep(1)\n    time.sleep(2)\n")
    assert predicted("remove the sleep call", twice) is None


def test_the_only_error_message_of_a_place_needs_no_quoting():
    wanted = PYTHON.replace("queue is full", "too many jobs")
    assert surely('the error message in push should say "too many jobs"') == wanted
    twice = PYTHON.replace("    return rows", '    raise KeyError("no")\n    return rows')
    assert predicted('change the error message to "too many jobs"', twice) is None


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("remove the console.log", "  console.log(items);\n", ""),
        ("quantity defaults to 1", "quantity)", "quantity = 1)"),
        ('add currency: "EUR" to options', '"en",\n', '"en",\n  currency: "EUR",\n'),
        ("add a discount = 0 param to total", "quantity)", "quantity, discount = 0)"),
        ("add beep(1) at the top of clear", "  clear() {\n", "  clear() {\n    beep(1);\n"),
        ('Error should say "empty"', '"no items"', '"empty"'),
    ],
)
def test_scripts_are_spoken_of_as_plainly(text, old, new):
    assert surely(text, SCRIPT, "javascript") == SCRIPT.replace(old, new, 1)


def test_an_operator_gives_way_to_none_but_another():
    found = predicted("x is None please, not ==", "if x == None:\n    pass\n")
    assert found is None


def test_two_wishes_joined_by_and_do_not_vouch_for_each_other():
    text = 'OPEN = "open"\nnote = "new"\n'
    assert predicted('change the value of OPEN to "new" and the note to "open"', text) is None


def test_a_function_that_runs_a_loop_or_promises_nothing_is_no_coroutine_by_a_word():
    for source, language in (
        ("def run():\n    asyncio.run(work())\n", "python"),
        ("class A {\n  run(): void {\n    go();\n  }\n}\n", "typescript"),
    ):
        found = predicted("make run async", source, language)
        assert found is not None
        assert found.reasons
