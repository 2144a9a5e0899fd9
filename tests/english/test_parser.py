"""The parser reads what people type as a command, or abstains."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.edit.hunks import apply_hunks
from fastedit.english import Abstained, Understood, understand
from fastedit.english.names import Names
from fastedit.english.parser import parse
from fastedit.english.words import words
from fastedit.ops import to_json
from tests.english.samples import SAMPLES

SETTINGS, PACKAGE, *_ = SAMPLES


def said(instruction: str, document: Document = SETTINGS) -> list[dict[str, object]] | str:
    found = understand(instruction, document)
    return found.reason if isinstance(found, Abstained) else [to_json(each) for each in found.operations]


@pytest.mark.parametrize(
    ("instruction", "document", "operation"),
    [
        (
            "hey, could you rename check to verify? it says more",
            SETTINGS,
            {"op": "rename", "target": "check", "new": "verify"},
        ),
        (
            "pls renmae `check` to `verify`, thx",
            SETTINGS,
            {"op": "rename", "target": "check", "new": "verify"},
        ),
        (
            "eslint to ^9.1.0 pls",
            PACKAGE,
            {"op": "set-dependency", "package": "eslint", "constraint": "^9.1.0"},
        ),
    ],
)
def test_peoples_own_words_are_read_as_a_command(instruction, document, operation):
    assert said(instruction, document) == [operation]


@pytest.mark.parametrize(
    "instruction",
    [
        "could you rename check to verify? actually no, leave it",
        "don't rename check to verify",
        "should we rename check to verify?",
        "rename check to verify if nothing else uses it",
        "rename check to verify tomorrow",
        "rename check to verify, but not in load",
        "bob wants to rename check to verify",
        "rename check to something better",
        "rename check to verify and make it faster",
        "make check faster",
        "check crashes when the path is empty",
        "why is check called twice?",
        "thanks",
    ],
)
def test_it_abstains_where_nothing_is_to_be_done_or_not_just_that(instruction):
    assert isinstance(said(instruction), str)


def test_what_was_read_is_shown_and_held_back_with_the_command_that_says_it():
    request = EditRequest(SETTINGS, instruction="hey, could you rename check to verify?", policy="merge")
    result = Engine().apply(request)
    assert result.status is Status.SUSPECT
    assert "`rename check to verify`" in result.reasons[0]
    assert "def verify(" in result.text
    sure = Engine().apply(replace(request, instruction="rename check to verify"))
    assert sure.status is Status.OK
    assert sure.text == result.text


def test_a_misspelled_name_is_the_one_of_the_file():
    names = Names(SETTINGS)
    assert names.meant("Setings") == "Settings"
    assert names.meant("functols") == "functools"
    assert names.meant("frobnicate") is None


def test_every_word_keeps_its_place():
    text = 'don\'t rename `a b` to x.y() -> "z", v1.2!'
    spelled = ["don't", "rename", "`a b`", "to", "x.y()", "->", '"z"', ",", "v1.2", "!"]
    assert [text[word.start : word.stop] for word in words(text)] == spelled


@pytest.mark.parametrize("instruction", ["", "?", "x " * 5000, "`" * 99, "\x00", "→" * 50, "é" * 10])
def test_any_text_is_read_or_left_alone(instruction):
    assert parse(instruction, Names(SETTINGS)) is None


def test_a_command_of_a_read_instruction_can_be_given_back_as_one():
    found = parse("hey, could you rename check to verify?", Names(SETTINGS))
    again = understand(found.form.say(found.said), SETTINGS)
    assert isinstance(again, Understood)
    assert again.operations == (found.operation("python"),)
    assert "def verify(" in apply_hunks(SETTINGS, again.outcome.hunks)
