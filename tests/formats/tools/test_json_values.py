"""JSON in messages: where it stands, what it holds, and what is said of JSON that cannot be read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.formats.tools.json_values import JsonText, ToolCall, decoded, json_texts, tool_calls

EDIT = {"path": "a.py", "old": "x", "new": "y"}
LINE = json.dumps(EDIT)
PRETTY = json.dumps(EDIT, indent=2)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('ab{["\\', max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
objects = st.dictionaries(st.text("abc", min_size=1, max_size=3), json_values, min_size=1, max_size=3)


def found(message: str) -> list[tuple[int, int, object]]:
    texts = json_texts(message.split("\n"), lambda text: True)
    return [(text.lines.start, text.lines.stop, text.value) for text in texts]


def problem(message: str) -> str | None:
    (text,) = json_texts(message.split("\n"), lambda text: True)
    return text.problem


def test_bare_json_takes_its_own_lines_of_a_message() -> None:
    assert found(f"First this:\n\n{PRETTY}\n\nDone.") == [(2, 7, EDIT)]


def test_each_json_line_is_found_by_itself() -> None:
    assert found(f"{LINE}\n{LINE}\n") == [(0, 1, EDIT), (1, 2, EDIT)]


def test_a_code_fence_belongs_to_its_json() -> None:
    assert found(f"Here:\n```json\n{PRETTY}\n```\nDone.") == [(1, 8, EDIT)]


@pytest.mark.parametrize("fence", ["```", "```jsonc", "~~~", "````tool_call"])
def test_the_language_of_a_fence_makes_no_difference(fence: str) -> None:
    assert found(f"{fence}\n{LINE}\n{fence[:4].rstrip('j')}") == [(0, 3, EDIT)]


def test_json_lines_in_one_fence_are_an_array() -> None:
    assert found(f"```json\n{LINE}\n{LINE}\n```") == [(0, 4, [EDIT, EDIT])]


def test_text_after_the_json_in_a_fence_is_a_problem() -> None:
    assert problem(f"```json\n{LINE}\n// and so on\n```") == "line 2 has something else after the JSON"


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    assert found(f"```json\n{PRETTY}") == [(0, 6, EDIT)]


def test_json_in_other_code_is_not_looked_at() -> None:
    assert found(f"```python\nvalue = (\n{LINE}\n)\n```") == []


def test_json_inside_a_json_string_is_read() -> None:
    assert found(json.dumps(LINE)) == [(0, 1, EDIT)]


@pytest.mark.parametrize(
    "code", ["{", "[1, 2]", "{a: 1}", '{"a": 1}.get("a")', "if (x) {", '"text"', "[link](a.md)"]
)
def test_code_and_prose_are_not_json(code: str) -> None:
    assert found(code) == []


def test_line_breaks_inside_a_string_are_kept() -> None:
    assert found('{"old": "a\n\tb"}') == [(0, 2, {"old": "a\n\tb"})]


def test_unwanted_json_is_passed_over_as_a_whole() -> None:
    message = json.dumps({"edits": [EDIT]}, indent=1)
    assert json_texts(message.split("\n"), lambda text: text.value == EDIT) == []


def test_json_is_found_after_broken_text_that_is_not_wanted() -> None:
    message = ['{"a": call(', LINE]
    texts = json_texts(message, lambda text: text.value == EDIT)
    assert texts == [JsonText(range(1, 2), EDIT)]


def test_what_was_read_of_broken_json_is_not_read_again() -> None:
    looked_at: list[object] = []

    def wanted(text: JsonText) -> bool:
        looked_at.append(text.value)
        return text.value == EDIT

    assert json_texts(['{"a": ['] * 5 + [LINE, "oops", LINE], wanted) == [JsonText(range(7, 8), EDIT)]
    assert len(looked_at) == 3


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ('{"path": "a", "old": "b', {"path": "a", "old": "b"}),
        ('{"path": "a", "old": "b\\', {"path": "a", "old": "b"}),
        ('{"path": "a", "ol', {"path": "a"}),
        ('{"path": "a", "old":', {"path": "a"}),
        ('{"path": "a", "edits": [{"old": "b"}, {"old": "c"', {"path": "a", "edits": [{"old": "b"}, {"old": "c"}]}),
    ],
)  # fmt: skip
def test_json_that_breaks_off_is_read_up_to_there(message: str, value: object) -> None:
    assert found(message) == [(0, 1, value)]
    assert problem(message) == "the JSON breaks off in its line 1"


def test_malformed_json_ends_where_its_brackets_close() -> None:
    message = '{"a": 1,\n "b": "say "hi" now"\n}\nProse.'
    assert found(message) == [(0, 3, {"a": 1, "b": "say "})]
    assert problem(message) == "the JSON is malformed in its line 2 (Expecting ',' delimiter)"


def test_a_repeated_name_is_a_problem() -> None:
    assert problem('{"old": "a", "old": "b"}') == "the JSON has old twice in one object"


def test_half_a_surrogate_pair_is_a_problem() -> None:
    assert problem('{"old": "\\ud83d"}') == "the JSON has half of a surrogate pair in a string"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_is_no_number_in_json_is_a_problem(number: str) -> None:
    assert problem(f'{{"a": {number}}}') == f"the JSON has {number}, which is not a number there"


def test_deep_nesting_is_a_problem_and_no_crash() -> None:
    assert problem('{"a":' + "[" * 100_000) == "the JSON is nested too deeply"


@given(value=objects, indent=st.sampled_from([None, 1, "\t"]), fence=st.booleans())
def test_any_object_is_found_with_its_lines(value: object, indent: int | str | None, fence: bool) -> None:
    lines = json.dumps(value, indent=indent, ensure_ascii=False).split("\n")
    lines = ["```json", *lines, "```"] if fence else lines
    (text,) = json_texts(["Prose.", *lines, "More."], lambda text: True)
    assert (text.value, text.problem, text.lines) == (value, None, range(1, 1 + len(lines)))


@given(value=objects, data=st.data())
def test_no_part_of_an_object_passes_for_the_whole(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    part = text[: data.draw(st.integers(2, len(text) - 1))]
    assert all(each.problem for each in json_texts([part], lambda text: True))


@pytest.mark.parametrize(
    "call",
    [
        {"type": "tool_use", "id": "1", "name": "Edit", "input": EDIT},
        {"content": [{"type": "text", "text": "So:"}, {"type": "tool_use", "name": "Edit", "input": EDIT}]},
        {"type": "function_call", "name": "Edit", "arguments": LINE, "call_id": "1"},
        {"id": "1", "type": "function", "function": {"name": "Edit", "arguments": LINE}},
        {"tool_calls": [{"function": {"name": "Edit", "arguments": LINE}}]},
        {"name": "Edit", "parameters": EDIT},
        {"functionCall": {"name": "Edit", "args": EDIT}},
        {"type": "tool-call", "toolName": "Edit", "args": EDIT},
        {"tool_name": "Edit", "tool_input": EDIT},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "Edit", "arguments": EDIT}},
        {"tool_uses": [{"recipient_name": "Edit", "parameters": EDIT}]},
    ],
)
def test_the_arguments_are_taken_out_of_every_provider_s_tool_call(call: object) -> None:
    assert tool_calls(call) == [ToolCall("Edit", EDIT)]


def test_what_is_no_tool_call_is_the_arguments_of_the_given_tool() -> None:
    assert tool_calls(EDIT, "Edit") == [ToolCall("Edit", EDIT)]
    assert tool_calls([EDIT, EDIT]) == [ToolCall(None, EDIT)] * 2


def test_a_tool_s_definition_is_no_call_of_an_edit() -> None:
    schema = {"type": "object", "properties": {}}
    assert tool_calls({"name": "Edit", "parameters": schema}) == [ToolCall("Edit", schema)]


def test_arguments_that_break_off_are_reported() -> None:
    call = {"name": "Edit", "arguments": '{"path": "a", "old": "b'}
    assert tool_calls(call) == [
        ToolCall("Edit", {"path": "a", "old": "b"}, "the JSON breaks off in its line 1")
    ]


def test_text_beside_a_decoded_value_is_a_problem() -> None:
    assert decoded(" [1] ") == ([1], None)
    assert decoded("[1]\n}") == ([1], "line 2 has something else after the JSON")
