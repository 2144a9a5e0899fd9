"""No byte changes that an edit does not concern: a generated torture set through every surface."""

from __future__ import annotations

import subprocess
import sys

import httpx2
import pytest

from evals.serving import serving
from tests.fidelity.surfaces import Http, LanguageServer, Outcome, applied, decoded, encoded, mcp
from tests.fidelity.torture import Torture, torture
from tests.fidelity.verdict import failures, judge
from tests.lsp.editor import Editor

WITH_MODEL = 20  # a model writes each of them
LONGEST_FOR_MODEL = 4_000  # bytes


@pytest.fixture(scope="module")
def cases() -> list[Torture]:
    return torture()


@pytest.fixture
def short(cases) -> list[Torture]:
    """Some of which a model can rewrite the edited definition."""
    fit = [case for case in cases if case.frame[0] and case.wanted and len(case.data) < LONGEST_FOR_MODEL]
    return fit[:: len(fit) // WITH_MODEL]


def test_the_same_seed_makes_the_same_files_each_under_a_name_of_its_own(cases):
    assert torture() == cases
    assert len({case.id for case in cases}) == len(cases) > 600


def test_every_right_result_keeps_the_bytes_around_the_definition(cases):
    for case in cases:
        if case.frame[0]:
            assert all(
                text.startswith(case.frame[0]) and text.endswith(case.frame[1]) for text in case.wanted
            )
            assert case.data.startswith(case.frame[0])


def test_a_client_of_text_gets_a_file_back_as_the_bytes_it_read(cases):
    assert all(encoded(case, decoded(case)) == case.data for case in cases)


def test_what_an_encoding_cannot_express_comes_back_as_a_question_mark_and_not_as_a_crash(cases):
    case = next(case for case in cases if case.spelling is not None and case.spelling.codec == "euc_kr")
    assert encoded(case, "a\ufffd\n") == b"a?\n"


def test_one_other_byte_is_a_failure_and_an_unchanged_file_is_none_where_something_was_asked(cases):
    case = next(case for case in cases if case.id == "mixed, none at the end, a line more")
    [wanted, *_] = case.wanted
    assert judge(case, "merge", Outcome("ok", wanted)) == "exact"
    for lost in (wanted + b"\n", wanted.replace(b"\r", b"", 1), case.data, None):
        assert judge(case, "merge", Outcome("ok", lost)).startswith(("other bytes", "nothing came back"))
    assert judge(case, "merge", Outcome("refused")) == "refused"
    assert judge(case, "merge", Outcome("suspect", None, "it wrote all the same")) == "it wrote all the same"


def test_a_model_may_write_what_it_likes_in_the_definition_and_nowhere_else(cases):
    case = next(case for case in cases if case.id == "CR, one at the end, nothing")
    before, behind = case.frame
    assert judge(case, "model", Outcome("ok", before + b"def target(): 0\r" + behind)) == "exact"
    assert "outside the definition" in judge(case, "model", Outcome("ok", before + behind[1:]))


def test_what_is_no_text_must_not_come_back_edited(cases):
    case = next(case for case in cases if case.id == "an overlong slash")
    assert judge(case, "merge", Outcome("ok", case.data)) == "edited though it is no text"


def test_an_editor_counts_in_utf_16_units_and_in_the_protocols_own_lines():
    def edit(line, start, stop, text):
        ends = ({"line": line, "character": at} for at in (start, stop))
        return {"range": dict(zip(("start", "end"), ends, strict=True)), "newText": text}

    changes = {"documentChanges": [{"edits": [edit(0, 2, 3, "X"), edit(2, 0, 9, "Y"), edit(3, 0, 0, "Z")]}]}
    assert applied("😀a\u2028b\r\nc\rdd\n", changes) == "😀X\u2028b\r\nc\rY\nZ"
    assert applied("a", None) == "a"


def by_command(surface: str, *names: str) -> str:
    """The failures of a command, of some cases or of those named."""
    command = [sys.executable, "-m", "tests.fidelity.verdict", surface, *names]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=True).stdout


@pytest.mark.parametrize("surface", ["file", "pipe"])
def test_commands_keep_mixed_line_ends_and_refuse_what_is_no_text(surface):
    names = [
        "mixed, none at the end, the last line",
        "utf-16-le with a BOM, CR LF, the same characters",
        "cut off in a character",
    ]
    assert by_command(surface, *names) == ""


@pytest.mark.slow
@pytest.mark.parametrize("surface", ["file", "pipe"])
def test_commands_leave_every_other_byte_alone(surface):
    assert by_command(surface) == ""


@pytest.mark.slow
@pytest.mark.parametrize("opens", [True, False])
def test_the_language_server_leaves_every_other_byte_alone(cases, short, tmp_path, opens):
    with Editor("--model", "embedded") as editor:
        surface = LanguageServer(editor, tmp_path, opens=opens)
        assert failures(surface, cases) == []
        if opens:
            assert failures(surface, short, "model") == []


@pytest.mark.slow
def test_the_server_leaves_every_other_byte_alone(cases, short):
    with (
        serving("embedded") as server,
        httpx2.Client(base_url=server.url, timeout=600, trust_env=False) as client,
    ):
        assert failures(Http(client, native=True), cases) == []
        assert failures(Http(client, native=False), cases) == []
        assert failures(Http(client, native=True), short, "model") == []


@pytest.mark.slow
def test_the_tool_of_the_model_context_protocol_leaves_every_other_byte_alone(cases, tmp_path):
    with mcp(tmp_path, "embedded") as tool:
        assert failures(tool, cases) == []
