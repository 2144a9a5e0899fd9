"""The torture set is what it says, a lost byte is seen, and the surfaces pass a few cases of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from evals.fidelity.__main__ import figures, judge
from evals.fidelity.language_server import applied
from evals.fidelity.surfaces import Outcome, decoded, encoded
from evals.fidelity.torture import Torture, torture

SURFACES = """
import sys, tempfile
from pathlib import Path
from evals.fidelity.__main__ import run
from evals.fidelity.surfaces import FileCommand, PipeCommand
from evals.fidelity.torture import torture

cases = [case for case in torture() if case.id in sys.argv[1:]]
with tempfile.TemporaryDirectory() as folder:
    for surface in (FileCommand(Path(folder)), PipeCommand(Path(folder))):
        print(*(verdict.result + verdict.why for verdict in run(surface, cases, "merge")), sep=",")
"""


@pytest.fixture(scope="module")
def cases() -> list[Torture]:
    return torture()


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
    assert judge(case, "x", "merge", Outcome("ok", wanted)).result == "exact"
    for lost in (wanted + b"\n", wanted.replace(b"\r", b"", 1), case.data, None):
        assert judge(case, "x", "merge", Outcome("ok", lost)).result == "failed"
    assert judge(case, "x", "merge", Outcome("refused")).result == "refused"
    assert judge(case, "x", "merge", Outcome("suspect", None, "it wrote all the same")).result == "failed"


def test_a_model_may_write_what_it_likes_in_the_definition_and_nowhere_else(cases):
    case = next(case for case in cases if case.id == "CR, one at the end, nothing")
    before, behind = case.frame
    assert judge(case, "x", "model", Outcome("ok", before + b"def target(): 0\r" + behind)).result == "exact"
    assert judge(case, "x", "model", Outcome("ok", before + behind[1:])).result == "failed"


def test_what_is_no_text_must_not_come_back_edited(cases):
    case = next(case for case in cases if case.id == "an overlong slash")
    assert judge(case, "x", "merge", Outcome("ok", case.data)).result == "failed"
    assert figures([judge(case, "x", "merge", Outcome("refused"))]) == {
        "x, merge": {"cases": 1, "exact": 0, "held": 0, "refused": 1, "failed": 0}
    }


def test_an_editor_counts_in_utf_16_units_and_in_the_protocols_own_lines():
    def edit(line, start, stop, text):
        ends = ({"line": line, "character": at} for at in (start, stop))
        return {"range": dict(zip(("start", "end"), ends, strict=True)), "newText": text}

    changes = {"documentChanges": [{"edits": [edit(0, 2, 3, "X"), edit(2, 0, 9, "Y"), edit(3, 0, 0, "Z")]}]}
    assert applied("😀a\u2028b\r\nc\rdd\n", changes) == "😀X\u2028b\r\nc\rY\nZ"
    assert applied("a", None) == "a"


def test_commands_keep_mixed_line_ends_and_refuse_what_is_no_text():
    names = [
        "mixed, none at the end, the last line",
        "utf-16-le with a BOM, CR LF, the same characters",
        "cut off in a character",
    ]
    ended = subprocess.run(
        [sys.executable, "-c", SURFACES, *names], capture_output=True, text=True, timeout=120, check=True
    )
    assert ended.stdout.split() == ["exact,exact,refused"] * 2
