"""Edit tools' arguments: what each agent sends, and what is refused."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import (
    CreateFile,
    DeleteFile,
    FileOperation,
    LineSpan,
    ModifyFile,
    Replacement,
    Sketch,
    WriteFile,
)
from fastedit.formats.tools.str_replace import FORMAT, calls_left, read_value
from tests.formats import reading

A_TO_B = ModifyFile("a.py", (Replacement("a", "b", False),))
PAIR = {"old_string": "a", "new_string": "b"}


@pytest.mark.parametrize(
    "value",
    [
        {"a.py": [{"search": "a", "replace": "b"}]},
        {"files": [{"path": "a.py", "edits": [{"old": "a", "new": "b"}]}]},
        [{"filename": "a.py", "original": "a", "updated": "b"}],
        [{"type": "text", "text": "So:"}, {"type": "tool_use", "name": "Edit", "input": {"path": "a.py", **PAIR}}],
    ],
)  # fmt: skip
def test_edits_by_their_path_in_a_list_of_files_and_next_to_text_are_read(value: object):
    assert read(json.dumps(value)) == (A_TO_B,)


def read(message: str) -> tuple[FileOperation, ...]:
    lines = message.split("\n")
    return tuple(each for found in FORMAT.find(lines) for each in found.read())


refused = partial(reading.refused, read_value)


@pytest.mark.parametrize(
    "arguments",
    [
        {"command": "str_replace", "path": "a.py", "old_str": "a", "new_str": "b"},  # Anthropic
        {"file_path": "a.py", "old_string": "a", "new_string": "b"},  # Claude Code, Roo
        {"file_path": "a.py", "old_string": "a", "new_string": "b", "instruction": "Rename."},  # Gemini
        {"filePath": "a.py", "oldString": "a", "newString": "b", "replaceAll": False},  # opencode
        {"filepath": "a.py", "old_string": "a", "new_string": "b"},  # Continue
        {"path": "a.py", "before": "a", "after": "b"},  # Goose
        {"path": "a.py", "oldText": "a", "newText": "b"},  # pi
        {"path": "a.py", "old_text": "a", "new_text": "b"},
        {"target_file": "a.py", "search": "a", "replace": "b"},
        {"file": "a.py", "find": "a", "replacement": "b"},
        {"path": "a.py", "original": "a", "content": "b"},
        {"TargetFile": "a.py", "TargetContent": "a", "ReplacementContent": "b"},  # Windsurf
        {"path": "a.py", "edits": [PAIR]},
        {"path": "a.py", "edits": json.dumps([PAIR])},
        {"replacements": [{"filePath": "a.py", **PAIR}]},  # Copilot
        [{"path": "a.py", **PAIR}],
        {"name": "Edit", "input": {"file_path": "a.py", **PAIR}},
        {"type": "update", "path": "a.py", **PAIR},
        {"function": {"name": "replace", "arguments": json.dumps({"file_path": "a.py", **PAIR})}},
    ],
)
def test_every_agent_s_names_mean_the_same_edit(arguments: object) -> None:
    assert read_value(arguments) == (A_TO_B,)
    assert read(json.dumps(arguments)) == (A_TO_B,)
    assert read(f"```json\n{json.dumps(arguments, indent=2)}\n```") == (A_TO_B,)


def test_an_edit_without_path_is_for_the_file_of_the_caller() -> None:
    assert read_value(PAIR) == (ModifyFile(None, A_TO_B.hunks),)


def test_edits_of_one_call_are_hunks_in_their_order() -> None:
    edits = [{"old_string": str(n), "new_string": str(n + 1)} for n in range(3)]
    hunks = tuple(Replacement(str(n), str(n + 1), False) for n in range(3))
    assert read_value({"file_path": "a.py", "edits": edits}, "MultiEdit") == (ModifyFile("a.py", hunks),)


def test_edits_that_name_their_files_change_those() -> None:
    edits = [{"path": path, **PAIR} for path in ("a.py", "a.py", "b.py")]
    assert [(each.path, len(each.hunks)) for each in read_value({"edits": edits})] == [
        ("a.py", 2),
        ("b.py", 1),
    ]


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        ({"replace_all": True}, None),
        ({"replaceAll": "true"}, None),
        ({"allow_multiple": True}, None),
        ({"AllowMultiple": False}, 1),
        ({"occurrence": "all"}, None),
        ({"expected_replacements": 3}, 3),
        ({"expected_replacements": "3"}, 3),
        ({"replace_all": None}, 1),
        ({}, 1),
    ],
)
def test_how_many_places_change(arguments: dict[str, object], count: int | None) -> None:
    assert read_value(PAIR | arguments) == (ModifyFile(None, (Replacement("a", "b", False, count=count),)),)


def test_a_line_beside_the_text_is_a_hint() -> None:
    assert read_value(PAIR | {"StartLine": 7}) == (ModifyFile(None, (Replacement("a", "b", False, line=7),)),)


def test_arrays_of_lines_are_whole_lines() -> None:
    lines = {"path": "a.py", "original_lines": ["a", "b\n"], "updated_lines": ["c"]}
    assert read_value(lines) == (ModifyFile("a.py", (Replacement("a\nb\n", "c\n", True),)),)


@pytest.mark.parametrize(("new", "text"), [([], ""), ([""], "\n")])
def test_one_blank_line_is_another_new_text_than_none(new: list[str], text: str) -> None:
    lines = {"path": "a.py", "original_lines": ["a"], "updated_lines": new}
    assert read_value(lines) == (ModifyFile("a.py", (Replacement("a\n", text, True),)),)


def test_str_replace_without_new_text_deletes() -> None:
    arguments = {"command": "str_replace", "path": "a.py", "old_str": "a"}
    assert read_value(arguments) == (ModifyFile("a.py", (Replacement("a", "", False),)),)


def test_an_empty_old_text_is_left_to_the_caller() -> None:
    arguments = {"file_path": "a.py", "old_string": "", "new_string": "b\n"}
    assert read_value(arguments) == (ModifyFile("a.py", (Replacement("", "b\n", False),)),)


@pytest.mark.parametrize("name", ["insert_text", "new_str"])
def test_insert_puts_lines_after_a_line(name: str) -> None:
    arguments = {"command": "insert", "path": "a.py", "insert_line": 2, name: "x\ny\n"}
    assert read_value(arguments) == (ModifyFile("a.py", (LineSpan(2, 2, ("x", "y")),)),)


def test_insert_at_0_is_the_beginning_of_the_file() -> None:
    arguments = {"command": "insert", "path": "a.py", "insert_line": 0, "insert_text": "x\n\n"}
    assert read_value(arguments) == (ModifyFile("a.py", (LineSpan(0, 0, ("x", "")),)),)


def test_create_makes_a_new_file_and_write_sets_any() -> None:
    assert read_value({"command": "create", "path": "a.py", "file_text": "x\n"}) == (
        CreateFile("a.py", "x\n"),
    )
    assert read_value({"filePath": "a.py", "content": "x\n"}, "create_file") == (CreateFile("a.py", "x\n"),)
    assert read_value({"file_path": "a.py", "content": "x\n"}, "Write") == (WriteFile("a.py", "x\n"),)
    assert read_value({"path": "a.py", "content": "x\n", "line_count": 1}, "write_to_file") == (
        WriteFile("a.py", "x\n"),
    )
    assert read_value({"command": "write", "path": "a.py", "file_text": "x\n"}) == (WriteFile("a.py", "x\n"),)
    assert read_value({"path": "a.py", "content": ["x", "y"]}) == (WriteFile("a.py", "x\ny\n"),)
    overwriting = {"TargetFile": "a.py", "CodeContent": "x\n", "Overwrite": True}
    assert read_value(overwriting, "write_to_file") == (WriteFile("a.py", "x\n"),)


@pytest.mark.parametrize(
    ("arguments", "tool"),
    [
        ({"path": "a.py", "content": "x", "mode": "append"}, "write_file"),
        ({"path": "a.py", "content": "x", "start": 1, "end": 2}, "edit_file"),
        ({"path": "a.py", "content": "x", "line": 3}, None),
        ({"path": "a.py", "content": "x"}, "append_to_file"),
        ({"path": "a.py", "content": "x", "start_line": 1, "end_line": 2}, "replace_lines"),
    ],
)
def test_a_part_of_a_file_is_never_taken_for_the_whole(arguments: object, tool: str | None) -> None:
    refused(arguments, tool)


def test_a_look_at_a_file_before_its_edit_is_no_edit() -> None:
    look, edit = {"command": "view", "path": "a.py"}, {"path": "a.py", **PAIR}
    assert read(f"{json.dumps(look)}\n\n{json.dumps(edit)}\n") == (A_TO_B,)
    assert read(json.dumps([look, edit])) == (A_TO_B,)


def test_calls_of_several_messages_are_read_and_those_of_other_tools_noted() -> None:
    calls = [
        {"name": "read_file", "input": {"path": "a.py"}},
        {"name": "Edit", "input": {"path": "a.py", **PAIR}},
    ]
    message = json.dumps([{"role": "assistant", "tool_calls": [call]} for call in calls])
    assert read(message) == (A_TO_B,)
    assert list(calls_left([message])) == [(0, "read_file")]


def test_copilots_code_is_a_sketch() -> None:
    call = {"name": "insert_edit_into_file", "input": {"filePath": "a.py", "code": "x = 1\n# ...\n"}}
    assert read(json.dumps(call)) == (ModifyFile("a.py", (Sketch("x = 1\n# ...\n"),)),)
    assert read(json.dumps({"filePath": "a.py", "code": "x = 1"})) == ()


def test_code_edit_is_a_sketch() -> None:
    arguments = {
        "target_file": "a.py",
        "instructions": "I rename.",
        "code_edit": "# ... existing code ...\nb\n",
    }
    assert read_value(arguments, "edit_file") == (
        ModifyFile("a.py", (Sketch("# ... existing code ...\nb\n"),)),
    )


def test_windowed_edits_replace_lines_counted_from_1() -> None:
    span = (ModifyFile(None, (LineSpan(2, 5, ("x", "", "y")),)),)
    assert read("COMMAND\n```\nedit 3:5\nx\n\ny\nend_of_edit\n```") == span
    assert read("edit 3:5\nx\n\ny\nend_of_edit\n") == span
    assert read_value({"start_line": 3, "end_line": 5, "replacement_text": "x\n\ny"}, "edit") == span
    assert read_value({"search": "a", "replace": "b", "replace-all": True}, "edit") == (
        ModifyFile(None, (Replacement("a", "b", False, count=None),)),
    )
    assert read_value({"text": "x", "line": 3}, "insert") == (ModifyFile(None, (LineSpan(3, 3, ("x",)),)),)


def test_a_windowed_edit_takes_its_fence_only_where_it_is_alone() -> None:
    assert reading.spans(FORMAT, ["```", "edit 1:1", "end_of_edit", "```", "edit 2:2", "end_of_edit"]) == [
        range(4),
        range(4, 6),
    ]
    assert reading.spans(FORMAT, ["```", "open a.py", "edit 1:1", "end_of_edit", "```"]) == [range(2, 4)]


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("edit 1:2\nx", "str_replace: `edit 1:2` has no end; close it with a line end_of_edit"),
        ("edit 3:2\nx\nend_of_edit", "str_replace: `edit 3:2` is not a range of lines; send it as edit FIRST:LAST"),
        ("edit 0:2\nx\nend_of_edit", "str_replace: `edit 0:2` is not a range of lines; send it as edit FIRST:LAST"),
    ],
)  # fmt: skip
def test_a_windowed_edit_without_end_or_range_is_refused(message: str, problem: str) -> None:
    with pytest.raises(UnreadableEdit) as error:
        read(message)
    assert str(error.value) == problem


def test_an_apply_patch_call_carries_one_file_s_diff() -> None:
    call = {"type": "apply_patch_call", "operation": {"type": "delete_file", "path": "a.py"}}
    assert read(json.dumps(call)) == (DeleteFile("a.py"),)
    call["operation"] = {"type": "create_file", "path": "a.py", "diff": "+x\n+y\n"}
    assert [each.path for each in read_value(call)] == ["a.py"]
    call["operation"] = {"type": "update_file", "path": "a.py", "diff": "@@\n-x\n+y\n"}
    assert [each.path for each in read_value(call)] == ["a.py"]


@pytest.mark.parametrize(
    "call",
    [
        lambda patch: {"name": "apply_patch", "arguments": json.dumps({"input": patch})},
        lambda patch: {"type": "custom_tool_call", "name": "apply_patch", "input": patch},
        lambda patch: {"name": "apply_patch", "input": {"patchText": patch}},
        lambda patch: {"name": "shell", "arguments": {"command": ["apply_patch", patch]}},
    ],
)
def test_a_patch_in_a_tool_call_is_read_as_a_patch(call: Any) -> None:
    patch = "*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n"
    assert read(json.dumps(call(patch))) == (DeleteFile("a.py"),)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            {"old_string": "a", "new_string": "a"},
            "str_replace, hunk 1: the old and the new text are the same, so nothing would change; "
            "send the text as it should become",
        ),
        (
            {"edits": [PAIR, {"old_string": "c", "new_string": "c"}]},
            "str_replace, hunk 2: the old and the new text are the same, so nothing would change; "
            "send the text as it should become",
        ),
        (
            {"edits": [PAIR, {"old_string": "c"}]},
            "str_replace, hunk 2: it has no old_string with a new_string; send both as strings",
        ),
        (
            PAIR | {"newString": "c"},
            "str_replace, hunk 1: new_string and newString say different things; send one of them",
        ),
        (
            PAIR | {"occurrence": 2},
            "str_replace, hunk 1: occurrence is 2; send more of the text around the one place, or all",
        ),
        (PAIR | {"replace_all": "yes"}, "str_replace, hunk 1: replace_all is 'yes'; send true or false"),
        (
            PAIR | {"expected_replacements": 0},
            "str_replace, hunk 1: expected_replacements is 0; send a whole number from 1 up",
        ),
        (PAIR | {"path": 3}, "str_replace, hunk 1: the path is 3; send the file's path as a string"),
        (
            {"type": "apply_patch_call", "operation": {"type": "delete_file"}},
            "str_replace, hunk 1: the path is missing; send the file's path",
        ),
        (
            {"command": "view", "path": "a.py"},
            "str_replace: it looks at a file and is not an edit; send str_replace, insert or create",
        ),
        (
            {"command": "undo_edit", "path": "a.py"},
            "str_replace, hunk 1: undo_edit is not an edit; send str_replace, insert or create",
        ),
        *(
            (call, f"str_replace, hunk 1: {said} is not a replacement; send str_replace, insert or create")
            for said, call in (
                ("insert-after", {"op": "insert-after", "path": "a.py"} | PAIR),
                ("insert_after", {"operation": "insert_after"} | PAIR),
                ("prepend", {"type": "prepend"} | PAIR),
                ("append", {"command": "append", "path": "a.py"} | PAIR),
                ("insert_after_line", {"name": "files.insert_after_line", "arguments": PAIR}),
                ("insert_after", {"path": "a.py", "edits": [{"op": "insert_after"} | PAIR]}),
            )
        ),
        (
            {"command": "insert", "path": "a.py", "new_str": "x"},
            "str_replace, hunk 1: insert_line is missing; send the line to insert after, 0 for the first",
        ),
        (
            {"command": "insert", "path": "a.py", "insert_line": -1, "new_str": "x"},
            "str_replace, hunk 1: insert_line is -1; send a whole number from 0 up",
        ),
        ({"command": "create", "path": "a.py"}, "str_replace, hunk 1: content is missing; send it as a string"),
        (
            {"start_line": 3, "end_line": 2, "replacement_text": "x"},
            "str_replace, hunk 1: start_line 3 is after end_line 2; send the first line first",
        ),
        (
            {"path": "a.py"},
            "str_replace, hunk 1: the JSON is not an edit; send old_string and new_string, or path and content",
        ),
        (
            {"name": "Read", "input": {"path": "a.py"}},
            "str_replace, hunk 1: Read is not an edit; send old_string and new_string, or path and content",
        ),
        (
            {"name": "write_file", "input": {"path": "a.py", "content": "x", "mode": "append"}},
            "str_replace, hunk 1: mode is not an argument of a write; send path and content alone",
        ),
        (3, "str_replace, hunk 1: the JSON is not an edit; send old_string and new_string, or path and content"),
    ],
)  # fmt: skip
def test_arguments_that_say_nothing_or_two_things_are_refused(arguments: object, problem: str) -> None:
    assert refused(arguments) == problem


@pytest.mark.parametrize(
    "message", ['{"file_path": "a.py", "old_string": "a", "new_st', '{"file_path": "a.py", "old_string": "a']
)
def test_a_call_that_breaks_off_is_refused_and_never_left_out(message: str) -> None:
    with pytest.raises(UnreadableEdit, match="breaks off in its line 1; send all of it as valid JSON"):
        read(f"{json.dumps({'path': 'a.py'} | PAIR)}\n{message}")


def test_arguments_or_edits_that_break_off_inside_their_string_are_refused() -> None:
    assert "breaks off" in refused(
        {"name": "Edit", "arguments": '{"path": "a", "old_string": "b", "new_string": "c'}
    )
    assert "breaks off" in refused({"path": "a", "edits": '[{"old_string": "b", "new_string": "c"}, {"old'})
    with pytest.raises(UnreadableEdit, match="breaks off"):
        read(json.dumps({"name": "Edit", "arguments": '{"path": "a", "old_string": "b'}))


@pytest.mark.parametrize(
    "message",
    [
        '{"path": "a.py", "search": "x"}',
        '{"name": "Read", "input": {"file_path": "a.py"}}',
        '{"command": "ls", "path": "."}',
        '{"before": {"x": 1}, "after": {"x": 2}}',
        '{"owner": "o", "path": "a.py", "content": "x"}',
        '[{"op": "replace", "path": "/a", "value": 1}]',
        '{"changes": {"file:///a.py": [{"range": {}, "newText": "x"}]}}',
        '{"name": "create", "input": {"title": "x"}}',
        '{"name": "Edit", "parameters": {"type": "object", "properties": {"old_string": {}, "new_string": {}}}}',
        "Then edit 1:2 as above.",
    ],
)
def test_other_json_is_no_segment(message: str) -> None:
    assert reading.spans(FORMAT, [message]) == []


def test_a_call_within_a_windowed_edit_is_its_text() -> None:
    call = json.dumps({"path": "a.py", "content": "x\n"})
    assert read(f"edit 1:1\n{call}\nend_of_edit") == (ModifyFile(None, (LineSpan(0, 1, (call,)),)),)


def test_a_windowed_edit_without_end_is_refused_although_a_call_follows() -> None:
    call = json.dumps({"path": "a.py", "content": "x\n"})
    with pytest.raises(UnreadableEdit, match="`edit 1:1` has no end"):
        read(f"edit 1:1\nx = 1\n{call}")


def test_calls_of_one_message_keep_their_order_and_their_places() -> None:
    message = "\n".join(
        ["First:", json.dumps(PAIR), "edit 1:1", "x", "end_of_edit", json.dumps({"a": 1}), json.dumps(PAIR)]
    )
    assert reading.spans(FORMAT, message.split("\n")) == [range(1, 2), range(2, 5), range(6, 7)]


texts = st.text(st.characters(codec="utf-8"), max_size=20)


@given(old=texts, new=texts, indent=st.sampled_from([None, 2]), ascii=st.booleans())
def test_any_text_comes_through_unchanged(old: str, new: str, indent: int | None, ascii: bool) -> None:
    arguments = {"path": "a.py", "old_string": old, "new_string": new}
    message = json.dumps(arguments, indent=indent, ensure_ascii=ascii)
    if old == new:
        refused(arguments)
    else:
        assert read(message) == (ModifyFile("a.py", (Replacement(old, new, False),)),)
