from __future__ import annotations

import pytest
from fastedit_lsp.actions import comment_instruction
from fastedit_lsp.requests import BufferRequest


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("  # fastedit: rename a to b ", "rename a to b"),
        ("//FastEdit:rename a", "rename a"),
        ("/** fastedit: rename a **/", "rename a"),
        ("<!-- fastedit: rename a-->", "rename a"),
        ("(* fastedit: rename a * *)", "rename a *"),
        ("# fastedit: a -> b", "a -> b"),
        ("# fastedit:  ", None),
        ("/* fastedit: */", None),
        ("x = 1  # fastedit: rename a", None),
        ("/* fastedit: rename a to b */  ", "rename a to b"),
        ("/* fastedit: rename a to b */ function a() {}", None),  # the line would go with its code
        ("<!-- fastedit: delete a --><p>", None),
    ],
)
def test_a_comment_says_what_is_wished(line, wish):
    assert comment_instruction(line) == wish


def test_a_line_full_of_blanks_is_read_as_well():
    # Were every split of the blanks tried, this would take years.
    assert comment_instruction("# fastedit: a" + " " * 100_000 + "b") == "a" + " " * 100_000 + "b"
    assert (
        comment_instruction("/* fastedit: a" + " " * 50_000 + "*" * 50_000)
        == "a" + " " * 50_000 + "*" * 50_000
    )


def test_another_reading_is_asked_for_with_all_that_was_said_at_first():
    asked = {"textDocument": {"uri": "file:///a.py", "version": 3}, "update": "x = 1", "timeLimit": 2}
    assert BufferRequest.parse(asked | {"workDoneToken": "a"}).again(choice=2) == asked | {"choice": 2}
