"""JSON Patch: how patches are read, what they make of a document, and which bytes they leave alone."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.errors import OperationRefused, UnreadableEdit
from fastedit.formats.base import ModifyFile, TypedOperation
from fastedit.formats.tools.json_patch import FORMAT
from fastedit.formats.tools.pointer import JsonPatch
from fastedit.ops.carry import carry_out
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks
from tests.formats import reading


def read(patch: object) -> JsonPatch:
    lines = json.dumps(patch).split("\n")
    assert reading.spans(FORMAT, lines) == [range(len(lines))]
    (operation,) = reading.operations(FORMAT, lines)
    assert isinstance(operation, ModifyFile)
    assert operation.path is None
    (hunk,) = operation.hunks
    assert isinstance(hunk, TypedOperation)
    assert isinstance(hunk.operation, JsonPatch)
    return hunk.operation


def patched(text: str, *patch: dict[str, Any], name: str = "a.json") -> str:
    document = Document.from_text(text, Path(name))
    return apply_hunks(document, carry_out(document, [read(list(patch))]).hunks)


def refused(text: str, *patch: dict[str, Any]) -> str:
    with pytest.raises(OperationRefused) as error:
        patched(text, *patch)
    return str(error.value)


def add(path: str, value: object) -> dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


def replace(path: str, value: object) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def remove(path: str) -> dict[str, Any]:
    return {"op": "remove", "path": path}


def check(path: str, value: object) -> dict[str, Any]:
    return {"op": "test", "path": path, "value": value}


def move(source: str, path: str) -> dict[str, Any]:
    return {"op": "move", "from": source, "path": path}


def duplicate(source: str, path: str) -> dict[str, Any]:
    return {"op": "copy", "from": source, "path": path}


# Reading


def test_a_patch_is_one_modification_of_the_file_of_the_caller() -> None:
    changes = [add("/a/-", {"b": [1]}), remove("/c"), move("/d", "/e")]
    assert read(changes) == JsonPatch(changes)


def test_a_single_operation_counts_as_a_patch() -> None:
    assert read(remove("/a")) == JsonPatch([remove("/a")])


@pytest.mark.parametrize(
    ("operation", "problem"),
    [
        ({"op": "spam", "path": "/a", "value": 1}, "op is 'spam'; send one of add, remove, replace, move, copy, test"),
        ({"path": "/a"}, "op is None; send one of add, remove, replace, move, copy, test"),
        ({"op": "add", "path": "/a"}, "add has no value; send it, null if that is meant"),
        ({"op": "replace", "path": "/a"}, "replace has no value; send it, null if that is meant"),
        ({"op": "test", "path": "/a"}, "test has no value; send it, null if that is meant"),
        ({"op": "copy", "path": "/a"}, "copy has no from; send it as a JSON Pointer"),
        ({"op": "move", "path": "/a"}, "move has no from; send it as a JSON Pointer"),
        ({"op": "remove"}, "remove has no path; send it as a JSON Pointer"),
        (remove("a/b"), "path 'a/b' does not begin with /; send a JSON Pointer such as /name/0"),
        (remove("/a~2"), "path '/a~2' has a ~ that is not ~0 or ~1; send a JSON Pointer such as /name/0"),
        (move("/a", "/a/b"), "/a cannot move into itself; send a path outside of it"),
        (3, "it is not an object; send op, path and value"),
    ],
)  # fmt: skip
def test_an_operation_outside_of_the_standard_is_refused(operation: object, problem: str) -> None:
    with pytest.raises(UnreadableEdit) as error:
        read([remove("/z"), operation])
    assert str(error.value) == f"json_patch, hunk 2: {problem}"


def test_members_that_the_standard_does_not_know_are_ignored() -> None:
    assert patched('{"a": 1}', remove("/a") | {"comment": "x"}) == "{}"


@pytest.mark.parametrize(
    "value",
    [[{"op": "replace", "path": "src/a.py"}], [{"op": "replace", "pos": "1#ZZ"}], [1, 2], {"path": "/a"}],
)
def test_other_json_is_no_segment(value: object) -> None:
    assert reading.spans(FORMAT, [json.dumps(value)]) == []


# What the operations do, after the cases of json-patch-tests


@pytest.mark.parametrize(
    ("document", "patch", "expected"),
    [
        ({"foo": None}, [add("/foo", 1)], {"foo": 1}),
        ([], [add("/0", "foo")], ["foo"]),
        ({}, [add("", [])], []),
        ([], [replace("", {"a": 1})], {"a": 1}),
        ("foo", [replace("", "bar")], "bar"),
        ([], [add("/-", "hi")], ["hi"]),
        ({}, [add("/", 1)], {"": 1}),
        ({"foo": {}}, [add("/foo/", 1)], {"foo": {"": 1}}),
        ({"foo": 1}, [add("/0", "bar")], {"foo": 1, "0": "bar"}),
        ([1, 3], [add("/1", [2])], [1, [2], 3]),
        ([1, 2], [add("/2", 3)], [1, 2, 3]),
        ([1, [2, [3]]], [add("/1/1/-", {"a": [4]})], [1, [2, [3, {"a": [4]}]]]),
        ({"foo": "bar"}, [add("/FOO", "BAR")], {"foo": "bar", "FOO": "BAR"}),
        ({"a": [{"b": 1}]}, [remove("/a/0/b")], {"a": [{}]}),
        ([1, 2, 3, 4], [remove("/1"), remove("/2")], [1, 3]),
        ({"1e0": "foo"}, [check("/1e0", "foo")], {"1e0": "foo"}),
        ({"foo": None}, [check("/foo", None)], {"foo": None}),
        ({"a": [{"b": 1, "c": 2}]}, [check("/a", [{"c": 2, "b": 1}])], {"a": [{"b": 1, "c": 2}]}),
        ({"a": 1}, [check("", {"a": 1.0})], {"a": 1}),
        ({"": 1, " ": 2, "a/b": 3, "m~n": 4, "~1": 5}, [
            check("/", 1), check("/ ", 2), check("/a~1b", 3), check("/m~0n", 4), check("/~01", 5),
        ], {"": 1, " ": 2, "a/b": 3, "m~n": 4, "~1": 5}),
        ({"a": 1}, [move("/a", "/a")], {"a": 1}),
        ({"a": None, "b": 2}, [move("/a", "/c")], {"c": None, "b": 2}),
        ({"a": 1, "b": 2}, [move("/a", "/b")], {"b": 1}),
        ({"a": [{"b": "c"}], "d": 1}, [move("/a/0/b", "/a/1")], {"a": [{}, "c"], "d": 1}),
        ([1, 2, 3], [move("/0", "/2")], [2, 3, 1]),
        ({"a": {"b": 1}}, [move("/a/b", "")], 1),
        ({"a": {"b": 1}}, [move("/a", "")], {"b": 1}),
        ({"a": {"b": 1}}, [duplicate("/a", "/c")], {"a": {"b": 1}, "c": {"b": 1}}),
        ([1], [duplicate("/0", "/0")], [1, 1]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_a_patch_has_the_standard_s_result(
    document: object, patch: list[dict[str, Any]], expected: object, indent: int | str | None
) -> None:
    assert json.loads(patched(json.dumps(document, indent=indent), *patch)) == expected


@pytest.mark.parametrize(
    ("document", "operation", "problem"),
    [
        ([1, 2], add("/8", 1), "/8 does not exist"),
        ([1, 2], add("/-1", 1), "/-1 does not exist"),
        ([1, 2], add("/1e0", 1), "/1e0 does not exist"),
        ([1, 2], add("/bar", 1), "/bar does not exist"),
        ([1, 2], check("/00", 1), "/00 does not exist"),
        ([1, 2], check("/01", 2), "/01 does not exist"),
        ([1, 2], remove("/2"), "/2 does not exist"),
        ([1, 2], remove("/-"), "/- does not exist"),
        ([1, 2], remove(f"/{'9' * 5000}"), "does not exist"),
        ({"a": 1}, remove("/b"), "/b does not exist"),
        ({"a": 1}, replace("/b", 1), "/b does not exist"),
        ({"a": 1}, add("/b/c", 1), "/b does not exist"),
        ({"a": 1}, add("/a/c", 1), "/a/c does not exist"),
        ({"a/b": {}}, duplicate("/a~1b/c", "/d"), "/a~1b/c does not exist"),
        ({"a": 1}, move("/b", "/c"), "/b does not exist"),
        ({"a": 1}, remove(""), "the whole document cannot be removed"),
        ({"a": [1]}, check("/a", [2]), "the test of /a fails, it is [1] and not [2]"),
        ({"a": 1}, check("/a", True), "the test of /a fails, it is 1 and not true"),
        ({"a": "1"}, check("", {"a": 1}), 'the test of the document fails, it is {"a": "1"} and not {"a": 1}'),
    ],
)  # fmt: skip
def test_an_operation_that_cannot_be_carried_out_is_refused(
    document: object, operation: dict[str, Any], problem: str
) -> None:
    message = refused(json.dumps(document), operation)
    assert message.startswith("a.json: json_patch, hunk 1: ")
    assert problem in message
    assert message.endswith("; read the file again and send the patch for it")


def test_a_patch_carried_out_twice_has_the_same_values() -> None:
    operation = read([add("/a", {"b": []}), add("/a/b/-", 1), duplicate("/a", "/c"), add("/c/b/-", 2)])
    document = Document.from_text("{}", Path("a.json"))
    first, second = (carry_out(document, [operation]).hunks for _ in range(2))
    assert first == second
    assert json.loads(apply_hunks(document, first)) == {"a": {"b": [1]}, "c": {"b": [1, 2]}}


def test_a_failing_operation_is_named_by_its_number() -> None:
    assert refused('{"a": 1}', add("/b", 2), check("/b", 3)).startswith(
        "a.json: json_patch, hunk 2: the test of /b fails"
    )


def test_a_key_that_the_file_has_twice_is_refused() -> None:
    assert "/a is there twice" in refused('{"a": 1, "a": 2}', replace("/a", 3))
    assert "/a is there twice" in refused('{"a": 1, "a": 2}', add("/a", 3))


@pytest.mark.parametrize(
    "text",
    ["", "a: 1", "{", "{'a': 1}", "{a: 1}", "[1,,2]", "[,]", "1, 2", "1) + (2", "[NaN, x]", "{...a}", "01"],
)
def test_a_file_that_is_not_json_is_refused(text: str) -> None:
    message = refused(text, add("/0", 1))
    assert message.startswith("a.json: json_patch, hunk 1: the file cannot be read as json: ")


def test_a_file_that_is_nested_too_deeply_is_refused() -> None:
    for depth in (200, 100_000):
        assert "cannot be read as json: " in refused("[" * depth + "]" * depth, add("/-", 1))


# Which bytes stay

PACKAGE = """\
{
  "name":  "x",
  "files": ["a", "b"],
  "scripts": {
    "test": "pytest"
  },
  "empty": {}
}
"""


def package(old: str, new: str) -> str:
    assert PACKAGE.count(old) == 1
    return PACKAGE.replace(old, new)


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (replace("/name", "y"), package('"x"', '"y"')),
        (replace("/name", {"a": [1]}), package('"x"', '{\n    "a":  [\n      1\n    ]\n  }')),
        (replace("/files", ["c", "é"]), package('["a", "b"]', '["c", "é"]')),
        (add("/files/-", "c"), package('"b"]', '"b", "c"]')),
        (add("/files/0", {"c": 1}), package('["a"', '[{"c":  1}, "a"')),
        (remove("/files/0"), package('"a", ', "")),
        (remove("/files/1"), package(', "b"', "")),
        (add("/scripts/lint", "ruff"), package('"pytest"', '"pytest",\n    "lint":  "ruff"')),
        (add("/more", []), package('"empty": {}', '"empty": {},\n  "more":  []')),
        (add("/empty/a", 1), package("{}", '{\n    "a":  1\n  }')),
        (remove("/name"), package('  "name":  "x",\n', "")),
        (remove("/empty"), package('  },\n  "empty": {}', "  }")),
        (remove("/scripts"), package('  "scripts": {\n    "test": "pytest"\n  },\n', "")),
        (remove("/scripts/test"), package('{\n    "test": "pytest"\n  }', "{}")),
        (move("/name", "/title"), package('"name"', '"title"')),
        (move("/scripts", "/empty/scripts"),
         package('  "scripts": {\n    "test": "pytest"\n  },\n', "").replace(
             '"empty": {}', '"empty": {\n    "scripts":  {\n      "test": "pytest"\n    }\n  }')),
        (duplicate("/scripts", "/files/-"), package('"b"]', '"b", {\n    "test": "pytest"\n  }]')),
    ],
)  # fmt: skip
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_change_writes_only_its_value_in_the_file_s_style(
    operation: dict[str, Any], expected: str, newline: str
) -> None:
    assert patched(PACKAGE.replace("\n", newline), operation) == expected.replace("\n", newline)


@pytest.mark.parametrize(
    ("text", "operation", "expected"),
    [
        ('{"a":1,"b":[1,2]}', add("/c", {"d": [1, 2]}), '{"a":1,"b":[1,2],"c":{"d":[1,2]}}'),
        ('{"a":1,"b":[1,2]}', add("/b/0", 0), '{"a":1,"b":[0,1,2]}'),
        ('{ "a" : 1 }\n', add("/b", 2), '{ "a" : 1, "b" : 2 }\n'),
        ("{}\n", add("/a", {"b": 1}), '{"a": {"b": 1}}\n'),
        ("[\n\t1\n]", add("/-", [2]), "[\n\t1,\n\t[\n\t\t2\n\t]\n]"),
        ("[\n\t1\n]", add("/0", 0), "[\n\t0,\n\t1\n]"),
        ("[\n  1, 2,\n  3, 4\n]", add("/-", 5), "[\n  1, 2,\n  3, 4, 5\n]"),
        ("[\n  1,\n  2]", remove("/1"), "[\n  1]"),
        ("[1, 2, 3]", remove("/1"), "[1, 3]"),
        ('{ "a": 1\n, "b": 2\n, "c": 3\n}', remove("/b"), '{ "a": 1\n, "c": 3\n}'),
        ('{ "a": 1\n, "b": 2\n}', remove("/b"), '{ "a": 1\n}'),
        ('{"n": 1.10, "m": 1e400}', add("/a", 0), '{"n": 1.10, "m": 1e400, "a": 0}'),
        ('{"n": 1.10}', move("/n", "/m"), '{"m": 1.10}'),
        ('[1.10, "\\u00e9"]', duplicate("/1", "/0"), '["\\u00e9", 1.10, "\\u00e9"]'),
        ('  {"é": "ü"}  ', replace("/é", "ö"), '  {"é": "ö"}  '),
    ],
)
def test_layouts_of_all_kinds_are_kept(text: str, operation: dict[str, Any], expected: str) -> None:
    assert patched(text, operation) == expected


COMMENTED = """\
// settings
{
  // the first
  "a": 1, // one
  "b": [
    1, /* two */ 2,
  ],
  "c": {
    // nothing yet
  }, // end
}
"""


@pytest.mark.parametrize(
    ("operation", "old", "new"),
    [
        (replace("/a", 2), '"a": 1', '"a": 2'),
        (add("/d", 4), "  }, // end\n", '  }, // end\n  "d": 4,\n'),
        (add("/b/-", 3), "2,", "2, 3,"),
        (remove("/b/1"), "2,", ""),
        (remove("/a"), '  // the first\n  "a": 1, // one\n', ""),
        (check("/b", [1, 2]), "", ""),
        (check("/c", {}), "", ""),
    ],
)
def test_comments_and_trailing_commas_stay(operation: dict[str, Any], old: str, new: str) -> None:
    assert patched(COMMENTED, operation) == COMMENTED.replace(old, new)


def test_a_comma_goes_before_the_comment_of_the_last_member() -> None:
    text = '{\n  "a": 1 // one\n}'
    assert patched(text, add("/b", 2)) == '{\n  "a": 1, // one\n  "b": 2\n}'
    assert patched(patched(text, add("/b", 2)), remove("/b")) == text


def test_a_member_alone_with_a_comment_leaves_the_comment() -> None:
    assert patched('{ /* x */ "a": 1 }', remove("/a")) == "{ /* x */  }"


@pytest.mark.parametrize(
    ("name", "text", "patch", "expected"),
    [
        ("a.yaml", "a: 1 # one\nb:\n  - x\n", [add("/b/-", "y"), move("/a", "/c")], "c: 1 # one\nb:\n  - x\n  - y\n"),
        ("a.yaml", "a:\n  b: 1\n", [duplicate("/a", "/c"), check("/c/b", 1)], "a:\n  b: 1\nc:\n  b: 1\n"),
        ("a.toml", "[t]\na = [1, 2]\nb = 'x'\n", [remove("/t/a/0"), replace("/t/b", "y")], "[t]\na = [2]\nb = 'y'\n"),
    ],
)  # fmt: skip
def test_a_patch_changes_yaml_and_toml_too(
    name: str, text: str, patch: list[dict[str, Any]], expected: str
) -> None:
    assert patched(text, *patch, name=name) == expected


def test_a_file_of_another_language_is_refused() -> None:
    with pytest.raises(OperationRefused, match="does not exist in python"):
        patched("a = 1\n", remove("/a"), name="a.py")


# Any document, any operation


def applied(document: Any, operation: dict[str, Any]) -> Any:
    """The result as the standard defines it, on values."""
    holder = [copy.deepcopy(document)]

    def at(pointer: str) -> tuple[Any, Any]:
        container, key = holder, 0
        for token in pointer.split("/")[1:]:
            container = container[key]
            key = token if isinstance(container, dict) else len(container) if token == "-" else int(token)
        return container, key

    def put(pointer: str, value: Any) -> None:
        container, key = at(pointer)
        if isinstance(container, list) and pointer:
            container.insert(key, value)
        else:
            container[key] = value

    match operation["op"]:
        case "remove":
            container, key = at(operation["path"])
            del container[key]
        case "replace":
            container, key = at(operation["path"])
            container[key] = operation["value"]
        case "add":
            put(operation["path"], operation["value"])
        case "copy" | "move":
            container, key = at(operation["from"])
            value = copy.deepcopy(container[key])
            if operation["op"] == "move":
                del container[key]
            put(operation["path"], value)
    return holder[0]


def pointers(value: Any, above: str = "") -> list[str]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [above, *(pointer for key, child in inside for pointer in pointers(child, f"{above}/{key}"))]


values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text('é"\\ {[,', max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
documents = st.lists(values, max_size=3) | st.dictionaries(st.sampled_from("abc"), values, max_size=3)
layouts = st.sampled_from([{"indent": None}, {"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}])


@st.composite
def operations(draw: st.DrawFn, document: Any) -> dict[str, Any]:
    paths = pointers(document)
    path = draw(st.sampled_from(paths))
    match draw(st.sampled_from(["add", "replace", "remove", "copy", "move"])):
        case "add":
            containers = [each for each in paths if isinstance(reached(document, each), dict | list)]
            parent = draw(st.sampled_from(containers))
            last = "-" if isinstance(reached(document, parent), list) else draw(st.sampled_from("abcd"))
            return add(f"{parent}/{last}", draw(values))
        case "replace":
            return replace(path, draw(values))
        case "remove" if path:
            return remove(path)
        case "move" if path:
            siblings = [each for each in paths if each.rpartition("/")[0] == path.rpartition("/")[0]]
            return move(path, draw(st.sampled_from(siblings)))
        case _:
            return duplicate(path, draw(st.sampled_from(paths)))


def reached(document: Any, pointer: str) -> Any:
    for token in pointer.split("/")[1:]:
        document = document[token if isinstance(document, dict) else int(token)]
    return document


@given(data=st.data(), document=documents, layout=layouts)
def test_any_operation_has_the_standard_s_result(
    data: st.DataObject, document: Any, layout: dict[str, Any]
) -> None:
    operation = data.draw(operations(document))
    text = json.dumps(document, ensure_ascii=False, **layout)
    assert json.loads(patched(text, operation)) == applied(document, operation)


@given(data=st.data(), document=documents, layout=layouts)
def test_adding_and_removing_again_restores_every_byte(
    data: st.DataObject, document: Any, layout: dict[str, Any]
) -> None:
    text = json.dumps(document, ensure_ascii=False, **layout)
    parent = data.draw(
        st.sampled_from(
            [each for each in pointers(document) if isinstance(reached(document, each), dict | list)]
        )
    )
    index = str(len(reached(document, parent))) if isinstance(reached(document, parent), list) else "d"
    assert patched(text, add(f"{parent}/{index}", data.draw(values)), remove(f"{parent}/{index}")) == text
