"""Which way a strong model is asked in: the one that is expected to take the least time."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.plan.base import DocumentTask, tokens_of
from fastedit.plan.operations import answer_format, tools_for
from fastedit.plan.price import choose, kind_of
from fastedit.source.document import Document

STEPS = "".join(
    f"\n\ndef step_{n}(value):\n    # {'what is done here ' * 4}\n    return value + {n}\n" for n in range(20)
)
LONG = Document.from_text(f"import json{STEPS}", Path("steps.py"))
RENAMING = "step_7 -> first_step, everywhere pls"


def wish(instruction: str | None = RENAMING, document: Document = LONG) -> DocumentTask:
    return DocumentTask(document, instruction, "python")


def test_a_model_with_tools_is_asked_for_operations_where_a_known_name_gets_a_new_one():
    choice = choose(wish(), None, places=1, drafted=False, tools=True)
    assert (choice.way, choice.other) == ("operations", "sketch")
    assert choice.other_tokens is not None
    assert 0 < choice.tokens < choice.other_tokens


@pytest.mark.parametrize(
    "instruction",
    ["make it faster", "step_7 should check its value", "let step_7 be quick " * 9 + "as first_step", None],
)
def test_elsewhere_operations_are_not_worth_what_a_model_reads_of_them(instruction):
    choice = choose(wish(instruction), None, places=1, drafted=False, tools=True)
    assert (choice.way, choice.other) == ("sketch", "rewrite")  # they were not even priced


def test_operations_are_worth_more_where_more_places_change():
    few, many = (choose(wish("make it faster"), None, places=n, drafted=False, tools=True) for n in (1, 12))
    assert (few.way, many.way) == ("sketch", "operations")


@pytest.mark.parametrize(("path", "tools"), [("steps.py", False), ("steps.txt", True)])
def test_without_tools_or_operations_of_the_language_none_are_asked_for(path, tools):
    document = Document.from_text(LONG.text, Path(path))
    choice = choose(wish(document=document), None, places=1, drafted=False, tools=tools)
    assert "operations" not in (choice.way, choice.other)


def test_what_is_hardly_longer_than_an_edit_is_rewritten():
    short = Document.from_text("def step_7(value):\n    return value\n", Path("a.py"))
    assert choose(wish(document=short), None, places=1, drafted=False, tools=True).way == "rewrite"


def test_a_way_that_is_asked_for_is_taken_and_priced():
    choice = choose(wish("make it faster"), "operations", places=1, drafted=False)
    assert (choice.way, choice.other) == ("operations", "sketch")
    assert choice.tokens > 0


def test_names_tell_a_renaming_only_if_one_is_known_and_one_is_new():
    said = (RENAMING, "call `json` `simplejson`", "step_7 and step_8", "first_step and last_step")
    assert [kind_of(LONG, text).renames for text in said] == [True, True, False, False]


def test_the_tool_says_the_fields_once_and_the_words_say_the_rest():
    (tool,) = tools_for((wish(),))
    one = tool.schema["properties"]["operations"]["items"]
    assert "rename" in one["properties"]["op"]["enum"]
    assert one["properties"]["new"] == {"type": "string"}
    assert tokens_of(str(tool.schema)) < tokens_of(answer_format(wish()))
