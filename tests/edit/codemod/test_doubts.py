from __future__ import annotations

import pytest

from fastedit.edit.codemod import predict_instruction

from .reading import doubted

SOURCE = """\
import json
from os import path as osp

__all__ = ["load", "LIMIT"]

LIMIT = 10
HOST = "localhost"
DEBUG = True
LEVELS = {"low": 1, "high": 2}


def load(path, strict=False):
    if strict:
        print(json)
    return osp.join(path)


def save(path, done=False):
    for task in load(path, strict=True):
        if task.done == done:
            print("saved")


class Store:
    def flush(self):
        return load("x", strict=False)

    def close(self):
        self.flush()
"""
CART = """\
function total(items, rate) {
  const sum = items.length;
  return { sum, tax: sum * rate };
}
"""


def carried_out(text: str, source: str = SOURCE, language: str = "python") -> tuple[str, tuple[str, ...]]:
    """The new text, and what speaks against it."""
    found = predict_instruction(source.split("\n"), language, text)
    assert found is not None, text
    return "\n".join(found.lines), found.reasons


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("rename LIMIT to MOST", 'LIMIT"]\n\nLIMIT = 10', 'MOST"]\n\nMOST = 10'),
        ('set HOST to "db"', 'HOST = "localhost"', 'HOST = "db"'),
        ("set HOST to 'db'", 'HOST = "localhost"', 'HOST = "db"'),
        ("set DEBUG to false", "DEBUG = True", "DEBUG = False"),
        ("change LIMIT from 10 to 20", "LIMIT = 10", "LIMIT = 20"),
        ("set high in LEVELS to 3", '"high": 2', '"high": 3'),
        ("change the default of strict to True", "strict=False):", "strict=True):"),
        ('replace the message "saved" by "kept"', '"saved"', '"kept"'),
        ("remove print(json)", "        print(json)\n", ""),
        ("rename LIMIT to MOST for clarity", 'LIMIT"]\n\nLIMIT = 10', 'MOST"]\n\nMOST = 10'),
        ("could you set LIMIT to 20?", "LIMIT = 10", "LIMIT = 20"),
    ],
)
def test_a_value_or_line_is_put_as_the_language_spells_it(text, old, new):
    made, reasons = carried_out(text)
    assert made == SOURCE.replace(old, new)
    assert not reasons


def test_a_parameter_is_renamed_in_the_calls_that_pass_it_by_name():
    made, reasons = carried_out("rename the parameter strict of load to exact")
    assert made == SOURCE.replace("strict", "exact")
    assert not reasons


def test_a_field_that_is_given_a_variable_by_its_name_keeps_its_own():
    made, reasons = carried_out("rename sum to subtotal in total", CART, "javascript")
    assert "  return { sum: subtotal, tax: subtotal * rate };" in made
    assert not reasons


def test_what_is_exported_gets_its_new_name_there_too():
    source = "class Cart {}\nmodule.exports = { Cart };\n"
    assert carried_out("rename Cart to Basket", source, "javascript")[0] == source.replace("Cart", "Basket")


def test_an_entry_that_passes_a_value_on_is_not_where_it_is_set():
    source = "send({ timeout: options.timeout });\n"
    assert predict_instruction(source.split("\n"), "javascript", "set timeout to 5") is None


def test_a_type_is_renamed_where_a_function_returns_it():
    made, reasons = carried_out("rename Reply to Answer", "class Reply: ...\n\n\ndef ask() -> Reply: ...\n")
    assert made == "class Answer: ...\n\n\ndef ask() -> Answer: ...\n"
    assert not reasons


def test_a_line_that_is_all_of_its_block_says_so():
    source = "function f(a) {\n  if (a) {\n    return 0;\n  }\n  return 1;\n}\n"
    assert "left of the block" in " ".join(carried_out("remove the return 0", source, "javascript")[1])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("delete load", "still there"),
        ("delete the method flush", "still there"),
        ("remove the import of json", "still there"),
        ("remove the line `import json`", "still there"),
        ("remove the parameter strict from load", "still used"),
        ("remove the parameter path from save", "still used"),
        ("add a parameter `mode` to flush", "does not pass it"),
        ("rename done to finished", "another's"),
        ("rename the class load to Loader", "load is a function"),
        ("set LEVELS to 5", "takes the place of several"),
        ("increase LIMIT to 5", "no way to increase"),
        ("add `@staticmethod` to flush", "first parameter"),
    ],
)
def test_what_would_break_the_file_or_contradicts_itself_says_so(text, reason):
    assert reason in " ".join(carried_out(text)[1])


@pytest.mark.parametrize(
    "text",
    [
        "rename load to read?",
        "rename load to read because it is nicer, but not in save",
        "rename load to read, keep load unchanged",
        "Rejected: rename load to read",
        "only if it is safe: rename load to read",
        "remove the call flush",
        "remove the flush line",
        "delete the variable load",
        "swap `10` with `5`",
        "change LIMIT from 11 to 20",
        "delete flush in Store and close",
    ],
)
def test_what_is_a_question_a_condition_or_about_something_else_is_left_alone(text):
    assert doubted(text, SOURCE, "python")


@pytest.mark.parametrize(
    ("text", "come"),
    [
        (
            "rename load to read and save to write",
            ["def read(path, strict=False):", "def write(path, done=False):"],
        ),
        ("rename LIMIT to MOST and set it to 20", ["MOST = 20"]),
        ("set LIMIT to 20 and HOST to `None`", ["LIMIT = 20", "HOST = None"]),
    ],
)
def test_a_part_that_leans_on_the_one_before_is_filled_in(text, come):
    made, reasons = carried_out(text)
    assert set(come) <= set(made.split("\n"))
    assert not reasons
