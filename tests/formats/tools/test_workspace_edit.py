"""Edits of the Language Server Protocol as messages carry them."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from fastedit.formats.base import CreateFile, DeleteFile, FileOperation, ModifyFile, RenameFile, TextRange
from fastedit.formats.tools.workspace_edit import FORMAT
from tests.formats import reading


def text_edit(start: tuple[int, int], end: tuple[int, int], new: str) -> dict[str, Any]:
    positions = {
        name: dict(zip(("line", "character"), at, strict=True))
        for name, at in (("start", start), ("end", end))
    }
    return {"range": positions, "newText": new}


EDIT = text_edit((0, 4), (0, 7), "two")
RANGE = TextRange((0, 4), (0, 7), "two")
DOCUMENT = {"textDocument": {"uri": "file:///w/a.py", "version": None}, "edits": [EDIT]}


def read(value: object) -> tuple[FileOperation, ...]:
    lines = json.dumps(value, indent=1).split("\n")
    assert reading.spans(FORMAT, lines) == [range(len(lines))]
    return reading.operations(FORMAT, lines)


refused = partial(reading.refused, read)


def test_changes_map_uris_to_text_edits() -> None:
    other = text_edit((2, 0), (3, 0), "")
    assert read({"changes": {"file:///w/a.py": [EDIT], "file:///w/b.py": [EDIT, other]}}) == (
        ModifyFile("/w/a.py", (RANGE,)),
        ModifyFile("/w/b.py", (RANGE, TextRange((2, 0), (3, 0), ""))),
    )


def test_document_changes_are_preferred_to_changes() -> None:
    assert read({"changes": {"file:///w/b.py": [EDIT]}, "documentChanges": [DOCUMENT]}) == (
        ModifyFile("/w/a.py", (RANGE,)),
    )


def test_resource_operations_keep_their_place() -> None:
    changes = [
        {"kind": "create", "uri": "file:///w/n.py", "options": {"overwrite": True}},
        {"kind": "create", "uri": "file:///w/m.py", "options": {"ignoreIfExists": True}},
        DOCUMENT,
        {
            "kind": "rename",
            "oldUri": "file:///w/a.py",
            "newUri": "file:///w/c.py",
            "options": {"overwrite": True},
        },
        {"kind": "delete", "uri": "file:///w/d.py", "options": {"recursive": True}},
    ]
    assert read({"documentChanges": changes}) == (
        CreateFile("/w/n.py", "", overwrite=True),
        CreateFile("/w/m.py", ""),
        ModifyFile("/w/a.py", (RANGE,)),
        RenameFile("/w/a.py", "/w/c.py", overwrite=True),
        DeleteFile("/w/d.py"),
    )


def test_a_bare_list_of_text_edits_is_for_the_file_of_the_caller() -> None:
    assert read([EDIT]) == (ModifyFile(None, (RANGE,)),)


@pytest.mark.parametrize(
    "value",
    [
        DOCUMENT,
        {"label": "Rename", "edit": {"documentChanges": [DOCUMENT]}},
        {"method": "workspace/applyEdit", "params": {"edit": {"documentChanges": [DOCUMENT]}}},
        {"jsonrpc": "2.0", "id": 1, "result": {"changes": {"file:///w/a.py": [EDIT]}}},
        {"title": "Fix", "kind": "quickfix", "edit": {"changes": {"file:///w/a.py": [EDIT]}}},
    ],
)
def test_requests_answers_and_code_actions_hold_an_edit(value: object) -> None:
    assert read(value) == (ModifyFile("/w/a.py", (RANGE,)),)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/a%20b%C3%A9.py", "/w/a bé.py"),
        ("file://localhost/w/a.py", "/w/a.py"),
        ("file:/w/a.py", "/w/a.py"),
        ("FILE:///w/a.py", "/w/a.py"),
        ("file:///c%3A/w/a.py", "c:/w/a.py"),
        ("file:///C:/w/a.py", "C:/w/a.py"),
        ("file://server/share/a.py", "//server/share/a.py"),
        ("file:///w/C#/a?.py", "/w/C#/a?.py"),
        ("src/a.py", "src/a.py"),
        ("C:\\w\\a.py", "C:\\w\\a.py"),
    ],
)
def test_a_file_uri_becomes_a_path(uri: str, path: str) -> None:
    assert read({"changes": {uri: [EDIT]}}) == (ModifyFile(path, (RANGE,)),)


def test_insertions_at_one_position_keep_their_order() -> None:
    edits = [text_edit((1, 0), (1, 0), text) for text in "ab"] + [text_edit((1, 0), (1, 3), "c")]
    assert [hunk.new for (operation,) in [read(edits)] for hunk in operation.hunks] == ["a", "b", "c"]


def test_ranges_that_touch_do_not_overlap() -> None:
    edits = [text_edit((1, 2), (1, 4), "b"), text_edit((1, 0), (1, 2), "a")]
    assert [hunk.new for (operation,) in [read(edits)] for hunk in operation.hunks] == ["b", "a"]


@pytest.mark.parametrize(
    ("other", "place"),
    [
        (text_edit((0, 6), (0, 9), "x"), "line 0, character 6"),
        (text_edit((0, 5), (0, 5), "x"), "line 0, character 5"),
        (text_edit((0, 4), (0, 4), "x"), "line 0, character 4"),
    ],
)
def test_ranges_that_overlap_are_refused(other: object, place: str) -> None:
    assert refused([EDIT, other]) == (
        f"workspace_edit, hunk 2: its range overlaps that of hunk 1 at {place}; send ranges that do not overlap"
    )


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (
            [EDIT, {"range": EDIT["range"], "snippet": {"kind": "snippet", "value": "$0"}}],
            "workspace_edit, hunk 2: it is a snippet; send plain text as newText",
        ),
        ([EDIT | {"insertTextFormat": 2}], "workspace_edit, hunk 1: it is a snippet; send plain text as newText"),
        ([EDIT | {"newText": None}], "workspace_edit, hunk 1: newText is not a string; send the new text as a string"),
        ([EDIT, 3], "workspace_edit, hunk 2: it is not a TextEdit; send range and newText"),
        (
            [text_edit((1, 0), (0, 0), "x")],
            "workspace_edit, hunk 1: its range ends before it starts; send start before end",
        ),
        (
            [EDIT | {"range": {"start": {"line": 0}}}],
            "workspace_edit, hunk 1: its range has no line and character; "
            "send start and end as whole numbers from 0 up",
        ),
        (
            [text_edit((-1, 0), (0, 0), "x")],
            "workspace_edit, hunk 1: its range has no line and character; "
            "send start and end as whole numbers from 0 up",
        ),
        ({"changes": {"untitled:a": [EDIT]}}, "workspace_edit: untitled:a is not a file; send a file: URI"),
        (
            {"changes": {"file:///%ff": [EDIT]}},
            "workspace_edit: file:///%ff is not UTF-8; encode the path as UTF-8 in the URI",
        ),
        ({"documentChanges": [{"kind": "delete"}]}, "workspace_edit: a change has no URI; send the file's URI"),
        (
            {"documentChanges": [DOCUMENT, {"edits": [EDIT]}]},
            "workspace_edit: a change has neither textDocument nor kind; send it as the protocol has it",
        ),
    ],
)  # fmt: skip
def test_an_edit_outside_of_the_protocol_is_refused(value: object, problem: str) -> None:
    assert refused(value) == problem


@pytest.mark.parametrize(
    "value",
    [
        {"changes": []},
        {"edits": [{"old_string": "a", "new_string": "b"}]},
        [{"range": {}}],
        {"kind": "quickfix"},
    ],
)
def test_other_json_is_no_segment(value: object) -> None:
    assert reading.spans(FORMAT, [json.dumps(value)]) == []


def test_edits_without_changes_do_nothing() -> None:
    assert read(
        {"documentChanges": [DOCUMENT, {"textDocument": {"uri": "file:///w/b.py"}, "edits": []}]}
    ) == (ModifyFile("/w/a.py", (RANGE,)),)
