from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from fastedit.ops import from_json, operations, parse_operations, schema, to_json
from fastedit.ops.codec import operation_schema
from fastedit.ops.uses.rename import Rename


def test_json_goes_there_and_back():
    value = {"op": "rename", "target": "load", "new": "read", "comments": True}
    assert from_json(value) == Rename("load", "read", comments=True)
    assert to_json(from_json(value)) == value


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([], "an operation is an object"),
        ("rename", "an operation is an object"),
        ({}, "field `op` must name the operation"),
        ({"op": 1}, "field `op` must name the operation"),
        ({"op": "renam"}, "renam: no such operation; did you mean rename?"),
        ({"op": "zzz"}, "zzz: no such operation; there are add, "),
        ({"op": "rename", "target": "a"}, "rename: field `new` is missing: the new name"),
        (
            {"op": "move", "target": "a"},
            "move: field `where` is missing: one of before, after, first, last, by",
        ),
        (
            {"op": "rename", "target": "a", "new": "b", "scope": 1},
            "rename: no field `scope`; there are target, new",
        ),
        ({"op": "rename", "target": "a", "new": 1}, "rename: field `new` takes a string, not 1"),
        ({"op": "rename", "target": "a", "new": None}, "rename: field `new` takes a string, not None"),
        ({"op": "rename", "target": "a", "new": " "}, "rename: field `new` is empty"),
        ({"op": "rename", "target": "a", "new": "\0"}, "holds characters that no text file can"),
        ({"op": "rename", "target": "a", "new": "\ud800"}, "holds characters that no text file can"),
        (
            {"op": "rename", "target": "a", "new": "b", "strings": 1},
            "field `strings` takes true or false, not 1",
        ),
        (
            {"op": "rename", "target": "a", "new": "b", "attributes": "some"},
            "takes one of known, all, not 'some'",
        ),
    ],
)
def test_a_bad_operation_is_refused_by_its_field(value, reason):
    with pytest.raises(OperationRefused) as error:
        from_json(value)
    assert reason in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "[1]", '{"op": "rename"} x', "[" * 100_000])
def test_what_is_no_list_of_operations_is_refused(text):
    with pytest.raises(OperationRefused):
        parse_operations(text)


def test_the_schema_says_every_field_of_every_operation():
    made = schema()
    assert [item["properties"]["op"]["const"] for item in made["items"]["oneOf"]] == [
        operation.name for operation in operations()
    ]
    rename = operation_schema(Rename)
    assert rename["required"] == ["op", "target", "new"]
    assert rename["properties"]["attributes"]["enum"] == ["known", "all"]
    assert rename["properties"]["comments"] == {
        "type": "boolean",
        "description": "rename the word in comments too, where the binding is seen",
        "default": False,
    }


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.name)
def test_every_operation_is_described(operation):
    made = operation_schema(operation)
    assert made["description"].endswith(".")
    assert all(item.get("description") or "const" in item for item in made["properties"].values())
    assert not {"diff", "write", "output", "json", "help"} & set(made["properties"])
