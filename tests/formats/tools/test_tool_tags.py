"""Calls of edit tools as Cline and Roo ask for them: a tag named after the tool, with one for each argument."""

from __future__ import annotations

from functools import partial

import pytest

from fastedit.formats.base import FileOperation, LineSpan, ModifyFile, Replacement, Sketch, WriteFile
from fastedit.formats.message import read_message
from fastedit.formats.tools.tool_tags import find
from tests.formats import reading

BLOCK = (
    "<replace_in_file>\n<path>a.py</path>\n<diff>\n------- SEARCH\nx = 1\n=======\nx = 2\n+++++++ REPLACE\n"
    "</diff>\n</replace_in_file>\n"
)


def call(tool: str, **arguments: str) -> str:
    inside = "".join(f"<{name}>{value}</{name}>\n" for name, value in arguments.items())
    return f"<{tool}>\n{inside}</{tool}>\n"


refused = partial(reading.refused, read_message)


@pytest.mark.parametrize(
    ("message", "operation"),
    [
        (
            call("write_to_file", path="b.py", content="\nx = 1\n\ny = 2\n", line_count="3"),
            WriteFile("b.py", "x = 1\n\ny = 2\n"),
        ),
        (call("write_to_file", path="b.py", content="x = 1"), WriteFile("b.py", "x = 1\n")),
        (call("write_to_file", path="b.py", content="\n"), WriteFile("b.py", "")),
        (
            call("insert_content", path="b.py", line="3", content="\n  x\ny\n"),
            ModifyFile("b.py", (LineSpan(2, 2, ("  x", "y")),)),
        ),
        (
            call("insert_content", path="b.py", line="0", content="\nx\n"),
            ModifyFile("b.py", (Replacement("", "x\n", whole_lines=True, at_end=True),)),
        ),
        (
            call("search_and_replace", path="b.py", search="x", replace="y", use_regex="false"),
            ModifyFile("b.py", (Replacement("x", "y", whole_lines=False),)),
        ),
        (
            call("str_replace", path="b.py", old_str="  x", new_str="  y"),
            ModifyFile("b.py", (Replacement("  x", "  y", whole_lines=False),)),
        ),
        (
            call("edit_file", target_file="b.py", instructions="Do it.", code_edit="\n# ...\nx = 1\n"),
            ModifyFile("b.py", (Sketch("# ...\nx = 1\n"),)),
        ),
    ],
)
def test_a_call_says_what_its_tool_does(message: str, operation: FileOperation):
    for text in (message, f"Now:\n\n{message}", f"```xml\n{message}```\n"):
        edit = read_message(text)
        assert (edit.formats, edit.operations, edit.notes) == (("invoke",), (operation,), ())
    [found] = find(message.removesuffix("\n").split("\n"))
    assert found.lines == range(message.count("\n"))


@pytest.mark.parametrize("tool", ["write_to_file", "insert_content"])
def test_a_call_beside_a_block_is_carried_out_too(tool: str):
    written = call(
        tool, path="b.py", **{"line": "1"} if tool == "insert_content" else {}, content="\ny = 1\n"
    )
    for message in (written + BLOCK, BLOCK + written):
        assert {operation.path for operation in read_message(message).operations} == {"a.py", "b.py"}


def test_a_block_in_the_text_of_a_file_is_its_text():
    block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
    edit = read_message(call("write_to_file", path="notes.md", content=f"\n{block}"))
    assert edit.operations == (WriteFile("notes.md", block),)


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("<write_to_file>\n<path>b.py</path>\n<content>\nx = 1\n", "<write_to_file> breaks off"),
        (call("write_to_file", path="b.py"), "<write_to_file> has no <content>"),
        (
            call("write_to_file", path="b.xml", content="<content>a</content>\n<b/>"),
            "<write_to_file> can be read in several ways: text and tags look alike",
        ),
        (
            call(
                "write_to_file",
                path="b.py",
                content='\n"""\n' + call("write_to_file", path="a", content="x") + '"""\n',
            ),
            "<write_to_file> can be read in several ways: text and tags look alike",
        ),
        (
            call("write_to_file", path="b.py", content="\n```python\nx = 1\n```\n"),
            "<write_to_file> has its <content> in a code fence",
        ),
        (
            call("search_and_replace", path="b.py", search="x+", replace="y", use_regex="true"),
            "<search_and_replace> has a <use_regex>, which is not read",
        ),
        (call("insert_content", path="b.py", operations="[]"), "<insert_content> has no <line>"),
        (call("insert_content", path="b.py", line="-1", content="x"), "<insert_content> has the <line> -1"),
    ],
)
def test_a_call_that_does_not_say_what_it_does_is_refused_by_the_name_of_its_tag(message: str, problem: str):
    assert problem in refused(message)
    assert problem in refused(f"{message}\n{BLOCK}")


def test_a_tag_with_a_path_that_is_not_read_is_refused_and_not_dropped():
    assert "`<apply_diff>` names a file, but no format is written so" in refused(
        BLOCK + call("apply_diff", path="b.py", diff="\ny = 1\n")
    )
    assert len(read_message(call("read_file", path="b.py") + BLOCK).operations) == 1


def test_a_tool_that_prose_is_about_is_not_called():
    assert not find(["<write_to_file> writes", "<write_to_file>", "", "and more"])
