from __future__ import annotations

from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.english import carried_out
from fastedit.english.forms import commands as described
from fastedit.errors import FasteditError, OperationRefused, TargetUnresolved, UsageError, WayOut
from fastedit.source.hunks import apply_hunks
from tests.english.samples import SAMPLES, SETTINGS

NETRC = """\
class NetrcParseError(Exception):
    def __init__(self, msg):
        self.msg = msg


class netrc:
    def authenticators(self, host):
        return self.hosts[host]
"""
RETRIES = """\
export class Client {
  private maxRetryTime = 1;
  retry(maxRetryTime: number): number {
    return maxRetryTime + this.maxRetryTime;
  }
}
"""


def document(text: str = SETTINGS, name: str = "settings.py") -> Document:
    return Document.from_text(text, Path(name))


@pytest.mark.parametrize("example", [example for command in described() for example in command.examples])
def test_every_example_of_the_documentation_changes_a_file(example):
    def changes(sample: Document) -> bool:
        try:
            found = carried_out(example, sample)
        except OperationRefused:
            return False
        return found is not None and apply_hunks(sample, found.hunks) != sample.text

    assert any(map(changes, SAMPLES))


@pytest.mark.parametrize(
    "instruction", ["make load faster", "hey, could you rename check to verify?", "", "`" * 99, "\x00"]
)
def test_anything_else_is_left_to_a_model(instruction):
    assert carried_out(instruction, document()) is None


def test_where_no_model_is_to_be_asked_one_line_says_what_to_give_instead():
    with pytest.raises(UsageError) as told:
        apply("hey, could you rename check to verify?", policy="merge")
    assert "a command (docs/english.md)" in str(told.value)
    assert told.value.ways_out == (WayOut.UPDATE, WayOut.POLICY, WayOut.CONNECT)
    assert "\n" not in str(told.value)


def test_a_command_that_the_file_does_not_allow_is_refused_by_name():
    with pytest.raises(TargetUnresolved, match="reed: is not in this file"):
        carried_out("rename reed to read", document())


@pytest.mark.parametrize("policy", ["auto", "merge", "model"])
@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        ("rename Load to read", "Load: is not in this file"),
        ("delete code `limit += 1` in load", "does not stand there"),
    ],
)
def test_no_model_is_asked_what_a_command_that_cannot_run_may_mean_instead(instruction, reason, policy):
    request = EditRequest(document(), instruction=instruction, policy=policy)
    with pytest.raises(OperationRefused, match=reason):
        Engine("/nowhere").apply(request)


@pytest.mark.parametrize(
    ("text", "name", "instruction"),
    [
        (NETRC, "netrc.py", "delete the authenticators method - actually no, keep it"),
        (NETRC, "netrc.py", "delete authenticators - actually no, keep it"),
        (NETRC, "netrc.py", "what happens if I rename NetrcParseError to ParseError"),
        (NETRC, "netrc.py", "what happens if I rename NetrcParseError to ParseError?"),
        (NETRC, "netrc.py", "give NetrcParseError a __repr__"),
        (NETRC, "netrc.py", "class NetrcParseError(Exception) needs a __repr__"),
        (NETRC, "netrc.py", "don't rename netrc to Netrc"),
        (NETRC, "netrc.py", "rename netrc to Netrc once the release is out"),
        (RETRIES, "retry.ts", "rename maxRetryTime to maxElapsedTime everywhere"),
    ],
)
def test_what_was_once_carried_out_wrongly_is_not_carried_out(text, name, instruction):
    request = EditRequest(document(text, name), instruction=instruction, policy="merge")
    with pytest.raises(FasteditError):
        Engine().apply(request)


def apply(instruction: str, text: str = SETTINGS, name: str = "settings.py", **wish):
    return Engine().apply(EditRequest(document(text, name), instruction=instruction, **wish))


def test_a_command_is_delivered_without_a_model():
    result = apply("rename check to verify")
    assert result.status is Status.OK
    assert result.text == SETTINGS.replace("check", "verify")
    assert result.receipt.model == "none"


@pytest.mark.parametrize(
    ("name", "text", "command", "word"),
    [
        ("a.py", "LIMIT = 3\n", "set LIMIT to {}", "unlimited"),
        ("a.py", "LIMIT = 3\n", "set LIMIT to {}", "false"),
        ("a.py", "LIMIT = 3\n", "annotate LIMIT as {}", "number"),
        ("a.py", "def f(a=3): pass\n", "set default of a in f to {}", "forever"),
        ("a.py", "LIMIT = 3\n", "set LIMIT to {}", "v2"),
        ("a.py", "LIMIT = 3\n", "set LIMIT to {}", "INFO"),
        ("a.py", "def f(a): pass\nLIMIT = 3\n", "set LIMIT to {}", "a"),
        ("a.py", "def f(a):\n    pass\n", "insert {} at start of f", "nothing"),
        ("a.py", "def f(a): g(a)\n", "replace g with {}", "nothing"),
        ("a.js", "const LIMIT = 3;\n", "set LIMIT to {}", "None"),
        ("a.go", "package m\n\nvar Limit = 3\n", "set Limit to {}", "null"),
    ],
)
def test_a_word_that_is_no_name_of_the_file_is_code_in_backticks_alone(name, text, command, word):
    with pytest.raises(OperationRefused, match=f"`{word}` is no name that is known there"):
        carried_out(command.format(word), document(text, name))
    assert carried_out(command.format(f"`{word}`"), document(text, name)) is not None


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("a.py", "LIMIT = 3\n", "set LIMIT to None"),
        ("a.py", "from sizes import *\nLIMIT = 3\n", "set LIMIT to MAX_SIZE"),
        ("a.py", "def f(a):\n    g(a)\n", "replace g with print; insert pass at start of f"),
        ("a.py", "def f(a): return a.b\n", "replace b with c"),
        ("a.py", "LIMIT = 3\n", "annotate LIMIT as int"),
        ("a.py", "LIMIT = 3\n", "add import Decimal from decimal; annotate LIMIT as Decimal"),
        ("a.go", "package m\n\nvar Limit = 3\n", "set Limit to nil"),
        ("a.ts", "const LIMIT = 3;\n", "annotate LIMIT as number"),
    ],
)
def test_words_of_the_language_and_names_of_the_file_need_no_backticks(name, text, command):
    found = carried_out(command, document(text, name))
    assert found is not None
    assert found.hunks


def test_a_string_that_spells_true_or_false_in_any_case_does_not_replace_one():
    with pytest.raises(OperationRefused, match="is of another type"):
        carried_out("set key a to False", document('{"a": true}\n', "a.json"))
