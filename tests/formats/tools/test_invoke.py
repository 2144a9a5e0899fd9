from __future__ import annotations

import pytest

from fastedit.formats.base import CreateFile, DeleteFile, ModifyFile, Replacement
from fastedit.formats.detect import read_edit
from fastedit.formats.registry import FORMATS
from fastedit.formats.tools.invoke import FORMAT
from tests.formats import reading

EDIT = ModifyFile("a.py", (Replacement("x = 1", "x = 2", whole_lines=False),))


def invoke(tool: str, **arguments: str) -> str:
    lines = [f'<parameter name="{name}">{value}</parameter>' for name, value in arguments.items()]
    return "\n".join([f'<invoke name="{tool}">', *lines, "</invoke>"])


def calls(*invokes: str) -> str:
    return "\n".join(["<function_calls>", *invokes, "</function_calls>"])


def replacing(path: str = "a.py", old: str = "x = 1", new: str = "x = 2") -> str:
    return invoke("str_replace_based_edit_tool", command="str_replace", path=path, old_str=old, new_str=new)


def operations(text: str):
    return reading.operations(FORMAT, reading.lines_of(text))


def problem_of(text: str) -> str:
    return reading.refused(operations, text)


@pytest.mark.parametrize(
    "call",
    [
        replacing(),
        invoke("Edit", file_path="a.py", old_string="x = 1", new_string="x = 2", replace_all="false"),
        invoke("MultiEdit", file_path="a.py", edits='[{"old_string": "x = 1", "new_string": "x = 2"}]'),
        replacing().replace("<invoke", "<ns:invoke").replace("</invoke", "</ns:invoke"),
    ],
)
def test_a_call_is_read_as_its_json_is(call: str):
    assert operations(calls(call)) == (EDIT,)


def test_parameters_are_taken_as_they_are():
    old, new = '\n  if a &lt; b and "c":\\n', "<b>&amp;</b>\n"
    assert operations(replacing(old=old, new=new)) == (
        ModifyFile("a.py", (Replacement(old, new, whole_lines=False),)),
    )


def test_several_calls_of_one_message_are_one_edit_in_its_order():
    created = invoke("Write", file_path="b.py", content="y = 1\n")
    message = (
        f"First the value.\n\n{calls(replacing(), replacing(old='y', new='z'))}\n\nThen:\n\n{calls(created)}"
    )
    edit = read_edit(message, list(FORMATS.values()))
    assert edit.formats == ("invoke",)
    modified, written = edit.operations
    assert [hunk.old for hunk in modified.hunks] == ["x = 1", "y"]
    assert (written.path, written.text) == ("b.py", "y = 1\n")


def test_a_segment_has_the_tags_and_the_fence_around_it():
    text = f"```xml\n{calls(replacing())}\n```"
    assert reading.segments(FORMAT, f"Here:\n{text}\nDone.".split("\n")) == [text]


def test_calls_of_tools_that_edit_nothing_are_left_out_and_noted():
    message = calls(invoke("bash", command="ls"), replacing(), invoke("read_file", path="b.py"))
    assert operations(message) == (EDIT,)
    assert read_edit(message, list(FORMATS.values())).notes == (
        "update line 2: the call of bash is no edit in any format, and is not carried out",
        "update line 11: the call of read_file is no edit in any format, and is not carried out",
    )


def test_functions_of_qwen_and_openhands_are_calls():
    call = "<function=str_replace_editor>\n<parameter=command>str_replace</parameter>\n<parameter=path>a.py"
    more = "</parameter>\n<parameter=old_str>\nx = 1\n</parameter>\n<parameter=new_str>x = 2</parameter>\n</function>"
    assert operations(call + more) == (EDIT,)
    assert operations(f"<tool_call>\n{call}{more}\n</tool_call>") == (EDIT,)
    assert problem_of(f"{call}{more.removesuffix('</function>')}") == (
        "invoke, hunk 1: no </function> comes after the parameters; send the whole call again, or as JSON"
    )


def test_what_a_file_is_created_with_is_no_edit_in_another_format():
    block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
    message = calls(invoke("create", path="notes.md", file_text=block))
    assert read_edit(message, list(FORMATS.values())).operations == (CreateFile("notes.md", block),)


def test_a_patch_that_a_shell_is_to_apply_is_read_as_a_patch():
    command = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a.py\n*** End Patch\nEOF"
    message = calls(invoke("bash", command=command))
    assert read_edit(message, list(FORMATS.values())).operations == (DeleteFile("a.py"),)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (replacing().removesuffix("\n</invoke>"), "no </invoke> comes after the parameters"),
        (replacing().partition("= 2")[0], "the call breaks off in its parameter new_str"),
        (replacing().partition("= 1")[0], "the call breaks off in its parameter old_str"),
        (replacing(new=replacing()), "the parameter new_str holds tags of a call"),
        (replacing(new="a</parameter>b"), "no </invoke> comes after the parameters"),
        (replacing(new='a</parameter><parameter name="path">b'), "the parameter path is there twice"),
    ],
)
def test_a_call_that_is_cut_off_or_can_be_read_in_two_ways_is_refused(text: str, problem: str):
    message = calls(replacing(), text)
    assert problem_of(message).startswith(f"invoke, hunk 2: {problem}; send ")
    assert len(reading.spans(FORMAT, message.split("\n"))) == 1
