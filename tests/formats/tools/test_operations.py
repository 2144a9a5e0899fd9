"""Typed operations as an edit format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fastedit.engine import Engine
from fastedit.errors import TargetUnresolved, UnreadableEdit, UsageError
from fastedit.formats.base import ModifyFile, TypedOperation
from fastedit.formats.message import read_message
from fastedit.ops import carry_out, from_json, operations
from fastedit.ops.base import arguments
from fastedit.request import EditRequest
from fastedit.result import Status
from fastedit.source.document import Document

SOURCE = "import os\n\n\ndef load(path):\n    return open(path)\n\n\nprint(load(os.name))\n"
RENAME = {"op": "rename", "target": "load", "new": "read"}


def applied(message: str, source: str = SOURCE):
    return Engine.load().apply(EditRequest(Document.from_text(source, Path("m.py")), None, message))


@pytest.mark.parametrize("operations", [[RENAME], json.dumps([RENAME])])
def test_operations_are_read_from_a_call_and_from_a_string_in_it(operations):
    call = {"name": "apply_operations", "arguments": {"operations": operations}}
    as_text = {"function": call | {"arguments": json.dumps(call["arguments"])}}
    for message in (call["arguments"], call, as_text, {"tool_calls": [as_text]}):
        result = applied(f"<tool_call>\n{json.dumps(message)}\n</tool_call>\n")
        assert (result.status, result.text) == (Status.OK, SOURCE.replace("load", "read"))


def test_operations_in_a_string_that_breaks_off_are_refused():
    with pytest.raises(UnreadableEdit, match="operations: the JSON breaks off in its line 1"):
        applied(json.dumps({"operations": json.dumps([RENAME, RENAME])[:-4]}))


@pytest.mark.parametrize("message", [RENAME, [RENAME], {"path": "m.py", "operations": [RENAME]}])
def test_an_operation_a_list_and_one_with_its_file_are_read_alike(message):
    edit = read_message(f"I rename it:\n\n```json\n{json.dumps(message, indent=1)}\n```\n")
    assert edit.formats == ("operations",)
    (modify,) = edit.operations
    assert isinstance(modify, ModifyFile)
    assert [type(hunk) for hunk in modify.hunks] == [TypedOperation]
    result = applied(json.dumps(message))
    assert (result.status, result.text) == (Status.OK, SOURCE.replace("load", "read"))


@pytest.mark.parametrize("message", [[{}], {"operations": [{}]}, {}])
def test_an_operation_with_old_and_new_code_is_no_pair_of_strings(message):
    replace = {"op": "replace", "old": "load", "new": "read", "every": True}
    filled = replace if message == {} else json.loads(json.dumps(message).replace("{}", json.dumps(replace)))
    assert read_message(json.dumps(filled)).formats == ("operations",)


def test_operations_are_carried_out_in_their_order():
    result = applied(json.dumps([RENAME, {"op": "delete", "target": "read"}]))
    assert result.status is not Status.UNCHANGED
    assert "def " not in result.text


def test_a_field_that_an_operation_lacks_is_refused_with_its_number():
    with pytest.raises(UnreadableEdit, match="operation 2 of 2: rename: no field `into`"):
        read_message(json.dumps([RENAME, RENAME | {"into": "x"}]))


def test_a_target_that_is_not_there_is_refused():
    with pytest.raises(TargetUnresolved):
        applied(json.dumps(RENAME | {"target": "store"}))


def test_places_that_may_be_anothers_stay_and_are_told():
    source = SOURCE + "class A:\n    def load(self): ...\n\n\ndef f(x):\n    return x.load()\n"
    result = applied(json.dumps(RENAME | {"target": "A.load"}), source)
    assert (result.status, result.reasons) == (Status.OK, ())
    assert [place.text for place in result.left] == ["return x.load()"]


def test_operations_of_several_files_are_one_change_a_file_in_the_order_of_the_files():
    said = [
        RENAME | {"path": "a.py"},
        RENAME | {"path": "b.py"},
        {"op": "add-import", "module": "sys", "path": "a.py"},
    ]
    for message in (said, {"operations": said}):
        edit = read_message(json.dumps(message))
        assert [(each.path, len(each.hunks)) for each in edit.operations] == [("a.py", 2), ("b.py", 1)]


def test_a_file_that_an_operation_names_counts_before_the_one_for_all():
    edit = read_message(json.dumps({"path": "a.py", "operations": [RENAME, RENAME | {"path": "b.py"}]}))
    assert [each.path for each in edit.operations] == ["a.py", "b.py"]


@pytest.mark.parametrize("path", ["", " ", 3, None])
def test_a_path_that_names_no_file_is_refused(path):
    with pytest.raises(UnreadableEdit, match="field `path` must name a file"):
        read_message(json.dumps([RENAME | {"path": path}]))


def test_an_object_of_operations_none_of_which_exists_is_refused_by_name():
    with pytest.raises(UnreadableEdit, match="renam: no such operation"):
        read_message(json.dumps({"operations": [RENAME | {"op": "renam"}]}))


def test_no_operation_has_a_field_that_says_where_or_what_it_is():
    fields = {item.name for operation in operations() for item in arguments(operation)}
    assert not fields & {"op", "path", "language", "stdin_filename", "json", "diff", "write", "output"}


def test_what_operations_say_comes_with_the_result():
    source = "def load(x):  # load\n    return x\n\n\nload(1)\n"
    request = EditRequest(Document.from_text(source), operations=(from_json(RENAME),))
    result = Engine.load().apply(request)
    assert (result.status, result.left) == (Status.OK, ())
    assert "comments hold `load` too (line 1)" in result.notes[0]
    request = EditRequest(
        Document.from_text(source), operations=(from_json({"op": "delete", "target": "load"}),)
    )
    result = Engine.load().apply(request)
    assert (result.status, result.reasons) == (Status.OK, ())
    assert [str(place) for place in result.left] == ["line 5: still uses `load`: load(1)"]


def test_an_update_beside_operations_is_refused():
    request = EditRequest(Document.from_text(SOURCE), None, "x = 1", operations=(from_json(RENAME),))
    with pytest.raises(UsageError, match="two edits"):
        Engine.load().apply(request)


def test_a_language_that_is_named_is_that_of_the_document():
    request = EditRequest(
        Document.from_text("a = 1\n"), language="python", operations=(from_json(RENAME | {"target": "a"}),)
    )
    assert Engine.load().apply(request).text == "read = 1\n"
    with pytest.raises(UsageError, match="language 'basic'"):
        EditRequest(Document.from_text("a = 1\n"), language="basic")


def test_candidates_are_told_by_the_lines_of_the_document():
    source = "class A:\n    def load(self): ...\n\n\nclass B:\n    def load(self): ...\n"
    said = (from_json({"op": "add-import", "module": "os"}), from_json(RENAME))
    with pytest.raises(TargetUnresolved) as refused:
        carry_out(Document.from_text(source, Path("m.py")), said)
    assert [place.line for place in refused.value.candidates] == [1, 5]
