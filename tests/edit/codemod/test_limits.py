"""What a sentence says beside its wish: for whom, how much, that it is done already, that it must not be."""

from __future__ import annotations

import pytest

from fastedit.edit.codemod import predict_instruction

SOURCE = """\
import json
import os

TIMEOUT = 30
HOSTS = ["localhost", "example.org"]


@json.retry
async def fetch(path):
    await path.get(TIMEOUT)


def names_in(folder):
    return os.listdir(folder)


class TestOwner:
    def test_owner(self):
        assert names_in("x") == HOSTS
"""


def left_alone(text: str) -> bool:
    return predict_instruction(SOURCE.split("\n"), "python", text) is None


@pytest.mark.parametrize(
    "text",
    [
        "I deleted names_in by accident, bring it back",
        "someone set TIMEOUT to 25",
        'I already added "api" to HOSTS',
        '"api" was added to HOSTS',
        "why did localhost go from HOSTS",
        "I tried TIMEOUT = 25",
        "`return os.listdir(folder)` used to be `return folder`",
        "should fetch be sync? I don't think it needs await",
    ],
)
def test_what_was_done_or_is_asked_is_no_wish(text: str) -> None:
    assert left_alone(text)


def test_what_was_added_goes_where_that_is_the_wish() -> None:
    assert not left_alone("I added names_in by mistake, remove it")


@pytest.mark.parametrize(
    "text",
    [
        "TIMEOUT should be 25 for tests",
        "TIMEOUT should be 25, not in tests",
        "TIMEOUT should be 25, not here",
        "rename names_in to files_in for callers",
        "delete names_in for everyone else",
        'add "api" to HOSTS for the tests',
        '"localhost" should be "db" for tests',
        "add `print(1)` after `return os.listdir(folder)` for tests",
        "rename test_owner to test_name in the class name too",
        "rename folder to root in this function",
        "remove the json.retry decorator from fetch's docs",
    ],
)
def test_for_whom_or_where_something_is_to_hold_is_not_taken_for_a_reason(text: str) -> None:
    assert left_alone(text)


@pytest.mark.parametrize(
    "text",
    [
        "don't set TIMEOUT to 25",
        "TIMEOUT must not be 25",
        "TIMEOUT should not be set back to 25",
        "TIMEOUT used to be 25, don't set it back",
        "TIMEOUT used to be 25, don't go back",
        "raise TIMEOUT by 25",
        "reduce TIMEOUT 25",
        "TIMEOUT should be 25 less",
        "TIMEOUT needs to be more than 25",
        "set TIMEOUT to about 25",
        "TIMEOUT should be better than 25",
        "a TIMEOUT of 25 is wrong",
    ],
)
def test_a_value_that_is_forbidden_or_only_compared_with_is_not_set(text: str) -> None:
    assert left_alone(text)


@pytest.mark.parametrize(
    "text", ["delete names_in, then write a better one", "remove localhost from HOSTS and put it back later"]
)
def test_what_is_to_come_after_a_deletion_is_not_overheard(text: str) -> None:
    assert left_alone(text)


@pytest.mark.parametrize("text", ["import logging as well", "import numpy as usual", "import re as before"])
def test_an_adverb_is_no_name_of_an_import(text: str) -> None:
    found = predict_instruction(SOURCE.split("\n"), "python", text)
    assert found is None or not any(" as " in line for line in found.lines)


def test_a_sentence_with_no_value_is_left_alone() -> None:
    assert left_alone("use asyncio.gather in fetch")


@pytest.mark.parametrize(
    "text",
    [
        "don't change `return os.listdir(folder)` to `return folder`",
        "`return os.listdir(folder)` should not be `return folder`",
        "don't move `import json` below `import os`",
    ],
)
def test_a_line_that_is_not_to_change_stays(text: str) -> None:
    assert left_alone(text)
