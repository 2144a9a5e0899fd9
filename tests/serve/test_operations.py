"""Typed operations and languages over HTTP and MCP: what they do, what they say, what they refuse."""

from __future__ import annotations

import json
import shlex

import jsonschema
import pytest

from fastedit.cli.op import parse_fields
from fastedit.ops import operations, schema, to_json
from fastedit.ops.base import arguments
from fastedit.ops.codec import signature
from fastedit.serve.mcp.server import create_mcp
from tests.serve.conftest import Endless
from tests.serve.test_mcp import call, root, using
from tests.serve.test_mcp_changes import done, refused
from tests.serve.test_native import error, events

__all__ = ["root"]

TEXT = "def load(x):\n    return x\n\n\nload(1)\n"
READ = TEXT.replace("load", "read")
RENAME = {"op": "rename", "target": "load", "new": "read"}
DELETE = {"op": "delete", "target": "load"}
TWICE = "class A:\n    def load(self): ...\n\n\nclass B:\n    def load(self): ...\n"
FILES = [{"path": "a.py", "content": TEXT}, {"path": "b.py", "content": "VALUE = 1\n"}]
IN_A, IN_B = RENAME | {"path": "a.py"}, {"path": "b.py", "op": "add-import", "module": "os"}
STREAMING = {"Accept": "text/event-stream"}
WRONG = [
    (RENAME | {"op": "renam"}, "renam: no such operation; did you mean rename?"),
    (RENAME | {"into": "x"}, "rename: no field `into`; there are target, new"),
    ({"op": "rename", "target": "load"}, "rename: field `new` is missing: the new name"),
    (RENAME | {"new": 3}, "rename: field `new` takes a string, not 3"),
    ({"target": "load"}, "field `op` must name the operation"),
    ("rename", "an operation is an object"),
]


def edited(server, *said: dict, **fields):
    return server.http.post("/v1/edits", json={"path": "a.py", "content": TEXT, "operations": said} | fields)


def changed(server, *said: dict, **fields):
    return server.http.post("/v1/changes", json={"operations": said, "files": FILES} | fields)


def test_operations_are_an_edit_with_its_hunks_and_notes(server):
    body = edited(server, RENAME, content=f"# load\n{TEXT}").json()
    assert (body["status"], body["left"]) == ("ok", [])
    assert body["content"] == f"# load\n{READ}"
    assert [hunk["lines"] for hunk in body["hunks"]] == [["def read(x):"], ["read(1)"]]
    assert body["notes"] == ["comments hold `load` too (line 1); the option `comments` renames them"]
    assert body["receipt"]["model"] == "none"


def test_places_that_an_operation_leaves_come_with_their_lines_beside_a_result_that_is_ok(server):
    body = edited(server, DELETE).json()
    assert body["status"] == "ok"
    assert body["left"] == [{"line": 5, "text": "load(1)", "why": "still uses `load`"}]


def test_a_streamed_result_has_what_the_operations_say(server):
    answer = server.http.post(
        "/v1/edits", json={"path": "a.py", "content": TEXT, "operations": [DELETE]}, headers=STREAMING
    )
    name, result = events(answer)[-1]
    assert (name, [place["line"] for place in result["left"]]) == ("result", [5])


@pytest.mark.parametrize(("said", "problem"), WRONG)
def test_an_operation_that_is_no_operation_is_refused_by_its_place(server, said, problem):
    told = error(edited(server, RENAME, said), 422)
    assert (told["code"], told["param"]) == ("invalid_field", "operations.1")
    assert problem in told["message"]


@pytest.mark.parametrize(
    ("fields", "status", "code", "problem"),
    [
        (
            {"operations": [RENAME | {"target": "store"}]},
            422,
            "target_unresolved",
            "store: is not in this file",
        ),
        ({"path": "a.yaml"}, 422, "operation_refused", "rename: does not exist in yaml"),
        ({"path": None, "content": "load = 1\n"}, 422, "operation_refused", "give its language"),
        (
            {"operations": [RENAME, RENAME | {"new": "get"}]},
            422,
            "target_unresolved",
            "operation 2 of 2: load:",
        ),
        ({"update": "x = 1"}, 400, "usage", "two edits"),
        (
            {"language": "basic"},
            422,
            "invalid_field",
            "language 'basic': there is none of that name; there are c, cpp",
        ),
        ({"operations": []}, 400, "usage", "nothing to do"),
    ],
)
def test_operations_that_cannot_be_carried_out_are_refused_by_name(server, fields, status, code, problem):
    told = error(edited(server, RENAME, **fields), status)
    assert told["code"] == code
    assert problem in told["message"]


def test_a_target_with_several_meanings_is_an_error_with_the_candidates(server):
    told = error(edited(server, RENAME, content=TWICE), 422)
    assert told["code"] == "target_unresolved"
    assert [(place["line"], place["why"]) for place in told["candidates"]] == [
        (2, "`A.load`"),
        (6, "`B.load`"),
    ]


def test_a_text_without_a_name_is_edited_in_the_language_that_is_named(server):
    body = edited(server, RENAME, path=None, content="load = 1\n", language="python").json()
    assert (body["status"], body["content"]) == ("ok", "read = 1\n")


def test_operations_on_several_files_are_one_change(server):
    body = changed(server, IN_A, IN_B).json()
    assert (body["status"], body["formats"], body["deliver"]) == ("ok", ["operations"], ["a.py", "b.py"])
    assert [file["content"] for file in body["files"]] == [READ, "import os\n\nVALUE = 1\n"]


def test_one_operation_that_is_refused_holds_back_the_files_of_the_others(server):
    body = changed(server, IN_A, DELETE | {"path": "b.py"}).json()
    assert (body["status"], body["deliver"]) == ("suspect", [])
    assert body["files"][1]["problem"] == "load: is not in this file; check the name"
    body = changed(server, IN_A, DELETE | {"path": "b.py"}, partial=True).json()
    assert body["deliver"] == ["a.py"]


def test_a_file_of_a_change_says_what_its_operations_leave(server):
    [file] = changed(server, DELETE | {"path": "a.py"}).json()["files"]
    assert (file["status"], file["notes"], file["left"][0]["line"]) == ("ok", [], 5)


def test_a_file_of_a_change_may_name_its_language(server):
    files = [{"path": "tool", "content": "load = 1\n", "language": "python"}]
    body = changed(server, RENAME | {"path": "tool"}, files=files).json()
    assert body["files"][0]["content"] == "read = 1\n"


@pytest.mark.parametrize(
    ("fields", "param", "problem"),
    [
        ({"operations": [RENAME]}, "operations.0", "field `path` is missing"),
        ({"message": "x"}, "message", "send a message, operations or an instruction alone"),
        ({"operations": []}, "message", "send a message, operations or an instruction alone"),
        ({"format": "udiff"}, "message", "a format with the message only"),
    ],
)
def test_a_change_is_a_message_or_operations_that_name_their_files(server, fields, param, problem):
    told = error(changed(server, IN_A, **fields), 422)
    assert told["param"] == param
    assert problem in told["message"]


def test_the_operations_are_listed_with_their_schemas(server):
    body = server.http.get("/v1/operations").json()
    assert [one["name"] for one in body["operations"]] == [operation.name for operation in operations()]
    assert body["schema"] == schema()
    assert all(one["summary"] and one["languages"] and one["example"] for one in body["operations"])


@pytest.fixture
def project(root):
    for file in FILES:
        (root / file["path"]).write_text(file["content"])
    return root


@pytest.fixture
def tools(copier, project):
    return create_mcp(Endless(copier.model), [project])


def test_the_tool_takes_each_operation_and_says_what_each_field_is(tools):
    listed = {tool.name: tool for tool in using(tools, lambda client: client.list_tools()).tools}
    one = listed["apply_operations"].input_schema["properties"]["operations"]["items"]
    told = one["properties"]["op"]["description"].split("\n")
    for operation in operations():
        name, path, *words = shlex.split(operation.example)
        jsonschema.validate({"path": path} | to_json(parse_fields(name, words)), one)
        assert signature(operation) in told
        for item in arguments(operation):
            assert item.doc in one["properties"][item.name]["description"]
            assert set(item.choices) <= set(one["properties"][item.name].get("enum", item.choices))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"op": "rename", "target": "load", "new": "read"}, one)


def test_the_tool_says_all_in_less_than_a_schema_for_each_operation_takes(tools):
    listed = {tool.name: tool for tool in using(tools, lambda client: client.list_tools()).tools}
    assert len(json.dumps(listed["apply_operations"].input_schema)) < 0.6 * len(json.dumps(schema()))


def test_the_tool_writes_all_files_or_none(tools, project):
    assert "b.py: load: is not in this file" in refused(
        tools, "apply_operations", operations=[IN_A, DELETE | {"path": "b.py"}]
    )
    assert (project / "a.py").read_text() == TEXT
    told = done(tools, "apply_operations", operations=[IN_A, IN_B])
    assert (told["status"], told["written"], told["actions"]) == (
        "ok",
        True,
        ["edit a.py", "edit b.py"],
    )
    assert (project / "a.py").read_text() == READ
    call(tools, "undo_edit", path="a.py")
    assert (project / "b.py").read_text() == "VALUE = 1\n"


def test_the_tool_says_what_operations_leave_and_writes_the_rest(tools, project):
    left = DELETE | {"path": "a.py"}
    told = done(tools, "apply_operations", operations=[left])
    assert (told["status"], told["written"]) == ("ok", True)
    assert told["files"][0]["left"] == [{"line": 5, "text": "load(1)", "why": "still uses `load`"}]
    assert (project / "a.py").read_text() == "load(1)\n"


@pytest.mark.parametrize(("said", "problem"), [one for one in WRONG if isinstance(one[0], dict)])
def test_the_tool_refuses_what_is_no_operation_by_name(tools, said, problem):
    told = refused(tools, "apply_operations", operations=[IN_A, said | {"path": "a.py"}])
    assert told.startswith(f"operation 2 of 2: {problem}")


def test_the_tool_says_that_an_operation_names_its_file_in_path(tools):
    told = refused(tools, "apply_operations", operations=[IN_A, DELETE])
    assert told == "operation 2 of 2: field `path` is missing: the file that it changes"


def test_the_tool_refuses_an_empty_list_and_names_the_tools_that_write_the_other_files(tools):
    assert "operations: is empty; send at least one" in refused(tools, "apply_operations", operations=[])
    told = refused(tools, "apply_operations", operations=[IN_A | {"target": "store"}, IN_B])
    assert told.startswith("nothing was written\na.py: store: is not in this file")
    assert "apply_operations take partial" in told


def test_an_instruction_for_a_file_without_a_suffix_is_carried_out_in_the_language_that_is_named(
    tools, project
):
    (project / "tool").write_text("load = 1\n")
    wish = {"path": "tool", "instruction": "rename load to read", "dry_run": False}
    assert done(tools, "edit_file", **wish, language="python")["written"]
    assert (project / "tool").read_text() == "read = 1\n"
    back = {"path": "tool", "op": "rename", "target": "read", "new": "load"}
    assert "give its language" in refused(tools, "apply_operations", operations=[back])
    assert done(tools, "apply_operations", operations=[back], language="python")["written"]
    assert (project / "tool").read_text() == "load = 1\n"
