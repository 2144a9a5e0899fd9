from __future__ import annotations

import pytest

from fastedit.english.forms import commands as described
from fastedit.english.grammar import commands
from fastedit.errors import OperationRefused
from fastedit.ops import operations, to_json
from tests.english.document import DOCUMENT, written


def said(instruction: str) -> list[dict[str, object]] | None:
    found = commands(instruction)
    return None if found is None else [to_json(operation) for operation in found]


def one(op: str, **fields: object) -> list[dict[str, object]]:
    return [{"op": op} | fields]


def test_every_operation_has_a_command():
    assert {command.operation for command in described()} == {operation.name for operation in operations()}


@pytest.mark.parametrize(
    ("operation", "example"), [(c.operation, example) for c in described() for example in c.examples]
)
def test_an_example_says_the_operation_that_it_stands_for(operation, example):
    found = commands(example)
    assert found is not None
    assert [command.name for command in found] == [operation]


def test_every_form_of_a_command_has_an_example():
    for command in described():
        assert len(command.examples) >= len(command.forms), command.operation


@pytest.mark.parametrize(
    ("instruction", "operation"),
    [
        ("Rename `load` to `read`.", one("rename", target="load", new="read")),
        ("rename  load()\tto read in Store", one("rename", target="Store.load", new="read")),
        ("rename to to from", one("rename", target="to", new="from")),
        ("delete Store.load@12", one("delete", target="Store.load@12")),
        ("add import * from ./store", one("add-import", module="./store", member="*")),
        ("add import <stdio.h>", one("add-import", module="<stdio.h>")),
        ("add parameter x=1 to f", one("add-parameter", function="f", code="x=1")),
        ("add parameter *names to f", one("add-parameter", function="f", code="*names")),
        (
            "set default of x in f to list()",
            one("set-default", function="f", parameter="x", default="list()"),
        ),
        (
            "set default of x in f to [1, (2, 3)]",
            one("set-default", function="f", parameter="x", default="[1, (2, 3)]"),
        ),
        ("set default of x in f to 1.5.", one("set-default", function="f", parameter="x", default="1.5")),
        ("set default of x in f to `1.`", one("set-default", function="f", parameter="x", default="1.")),
        (
            'set default of x in f to "a  b"',
            one("set-default", function="f", parameter="x", default='"a  b"'),
        ),
        (
            "insert ```py\nif x:\n    return\n``` at end of f",
            one("insert", function="f", code="if x:\n    return"),
        ),
        (
            "insert ``say(`a`)`` at the start of f",
            one("insert", function="f", code="say(`a`)", where="first"),
        ),
    ],
)
def test_a_command_is_read_whatever_its_blanks_quotes_and_case(instruction, operation):
    assert said(instruction) == operation


@pytest.mark.parametrize("joint", ["; ", " and ", " then ", ", then ", " and then ", "\n", "\n\n  ", ". "])
def test_commands_are_joined(joint):
    both = one("delete", target="f") + one("rename", target="a", new="b")
    assert said(f"delete f{joint}rename a to b") == both


@pytest.mark.parametrize(
    "instruction",
    [
        "",
        "please rename load to read",
        "rename load to read everywhere",
        "rename load to read, but keep save",
        "rename load to read?",
        "delete load and save",
        "delete load save",
        "delete load - actually no, keep it",
        "do not delete load",
        "what happens if I rename load to read",
        "what happens if I rename load to read? delete save",
        "if nothing calls it, delete load",
        "delete load if nothing calls it",
        "delete load later",
        "rename load",
        "rename `load or save` to read",
        "set default of x in f to 1 + 1",
        "insert return 1 at end of f",
        "insert `return 1 at end of f",
        "delete the function load",
    ],
)
def test_what_has_a_word_more_or_less_is_no_command(instruction):
    assert commands(instruction) is None


def test_a_long_text_that_is_no_command_is_told_at_once():
    assert commands("x = 1\n" * 20_000) is None


def test_a_value_that_its_field_does_not_take_is_refused():
    with pytest.raises(OperationRefused, match="is empty"):
        commands("insert ` ` at end of f")


def test_the_document_lists_the_commands():
    assert DOCUMENT.read_text("utf-8") == written(), "run `python -m tests.english.document`"
