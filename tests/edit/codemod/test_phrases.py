"""What people write for what a file spells otherwise."""

from __future__ import annotations

import pytest

from .reading import doubted, surely

PYTHON = """\
BATCH_SIZE = 100
maxWait = 30 * second
DEFAULT_SIZE = 8
NAMES = ["requests>=2.28", "x"]


def fetch(queue, size=3):
    return_value = 1
    raise ValueError("Login failed")
"""
TOML = """\
[project]
dependencies = ["click>=8.0"]

[tool]
line-length = 100
"""
SCRIPT = """\
export class Store {
  put(session: Session) {
    this.sessions.add(session);
  }
}
"""
GO = """\
func New() *Pool {
	return &Pool{}
}
"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("raise the batch size to 500", "= 100", "= 500"),
        ("batch size should be 500", "= 100", "= 500"),
        ("batch size 500 please", "= 100", "= 500"),
        ("BATCH_SIZE: 500", "= 100", "= 500"),
        ("the batch-size must be 500", "= 100", "= 500"),
    ],
)
def test_a_name_may_be_said_in_words(text, old, new):
    assert surely(text, PYTHON, "python") == PYTHON.replace(old, new, 1)


def test_a_key_with_dashes_may_be_said_in_words():
    assert surely("line length 120", TOML, "toml") == TOML.replace("100", "120")


@pytest.mark.parametrize(
    "text",
    [
        "batch size 500 was too large",
        "batch size should not be 500",
        "batch size 500 or 600",
        "batch size should be 500?",
        "raise the batch size by 500",
        "the default size should be 16",
        "set the return value to 3",
        "max wait should be 60",
        "batch 500",
    ],
)
def test_words_that_may_speak_of_something_else_are_no_name(text):
    assert doubted(text, PYTHON, "python")


@pytest.mark.parametrize(
    "text",
    [
        "change “Login failed” to “Denied”",
        "make the error message “Denied” instead of “Login failed”",
        "change the error message in fetch from ‘Login failed’ to ‘Denied’",
    ],
)
def test_typographic_quotation_marks_are_quotation_marks(text):
    assert surely(text, PYTHON, "python") == PYTHON.replace("Login failed", "Denied")


def test_typographic_quotation_marks_that_the_file_has_stay_what_they_are():
    text = 'TITLE = "the “best” tool"\n'
    assert surely('change "best" to "only"', text, "python") == text.replace("best", "only")
    assert doubted("change “worst” to “only”", text, "python")


def test_what_an_owner_has_may_be_told_with_a_typographic_apostrophe():
    assert surely("rename fetch’s parameter queue to jobs", PYTHON, "python") == PYTHON.replace(
        "queue", "jobs"
    )


def test_an_error_message_that_is_not_there_is_not_changed():
    assert doubted("make the error message “Denied” instead of “Failed”", PYTHON, "python")


def test_a_requirement_is_known_by_its_version():
    assert surely("add httpx>=0.27 to dependencies", TOML, "toml") == TOML.replace(
        '8.0"', '8.0", "httpx>=0.27"'
    )


def test_a_return_type_is_known_by_the_words_behind_it():
    wanted = SCRIPT.replace("session: Session)", "session: Session): void")
    assert surely("put needs a void return type", SCRIPT, "typescript") == wanted
    assert doubted("put must not have a void return type", SCRIPT, "typescript")


@pytest.mark.parametrize(
    "text", ["add a comment above New: // Makes a pool.", "document New with `Makes a pool.`"]
)
def test_a_comment_is_known_by_its_sign_or_goes_above_what_it_documents(text):
    assert surely(text, GO, "go") == f"// Makes a pool.\n{GO}"


def test_a_return_type_that_is_to_go_is_not_added():
    assert doubted("drop the void return type from put", SCRIPT, "typescript")


@pytest.mark.parametrize("head", ["put(session: Session): string {", "async put(session: Session) {"])
def test_a_return_type_beside_another_or_of_an_async_function_is_not_sure(head):
    assert doubted(
        "put needs a void return type", SCRIPT.replace("put(session: Session) {", head), "typescript"
    )


VOLUME = """\
const DEFAULT_VOLUME = 50;

function play(volume = DEFAULT_VOLUME) {
  return volume;
}
"""


def test_a_default_that_has_a_name_of_its_own_is_set_where_that_is():
    assert surely("change default volume to 80", VOLUME, "javascript") == VOLUME.replace("50", "80")
    assert doubted("volume should default to 80", VOLUME, "javascript")
    other = VOLUME.replace("volume = DEFAULT_VOLUME", "volume = 50")
    wanted = other.replace("volume = 50", "volume = 80")
    assert surely("change default volume to 80", other, "javascript") == wanted
