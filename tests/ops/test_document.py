from __future__ import annotations

import shlex

import pytest

from fastedit.cli.op import parse_fields
from fastedit.ops import operations, to_json
from tests.ops.document import DOCUMENT, END, START, written


def test_the_document_says_what_the_operations_say_of_themselves():
    text = DOCUMENT.read_text("utf-8")
    assert START in text
    assert END in text
    assert text == written(), "run `python -m tests.ops.document`"


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.name)
def test_the_example_of_an_operation_is_one(operation):
    name, file, *words = shlex.split(operation.example)
    assert name == operation.name
    assert "." in file
    assert to_json(parse_fields(name, words))["op"] == name
