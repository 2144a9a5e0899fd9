from __future__ import annotations

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from evals.outside import ties
from evals.outside.case import Case, same_text
from evals.strong.__main__ import CASES, app, drawn, question_of
from evals.strong.scored import Scored, read, report
from fastedit.errors import FileUnreadable
from fastedit.plan.base import tokens_of

OLD = "def load(path):\n    return open(path).read()\n"
NEW = OLD.replace("load", "read")
BLOCK = "<<<<<<< SEARCH\ndef load(path):\n=======\ndef read(path):\n>>>>>>> REPLACE\n"


def case(judge=None) -> Case:
    return Case("a-1", "terse", "a", "python", "a.py", OLD, judge, "load -> read, ok?")


@pytest.mark.parametrize(
    ("answer", "judge", "outcome"),
    [
        (BLOCK, same_text(NEW), "delivered, right"),
        (BLOCK, same_text(OLD), "delivered, wrong"),
        (BLOCK, None, "delivered, wrong"),
        (BLOCK.replace("def read(path):", "def read(path:"), same_text(NEW), "held back, wrong"),
        ("NO CHANGE: why?", None, "left alone, rightly"),
        ("NO CHANGE: why?", same_text(NEW), "left alone, wrongly"),
        ("no", same_text(NEW), "refused"),
    ],
)
def test_an_answer_is_read_by_the_engine_and_judged(answer, judge, outcome):
    scored = read(question_of(case(judge)), "blocks", answer)
    assert scored.outcome == outcome
    assert scored.asked == (2 if outcome in ("held back, wrong", "refused") else 1)
    assert scored.ms > 0


def test_a_second_answer_is_given_to_the_question_that_goes_back_and_counted():
    scored = read(question_of(case(same_text(NEW))), "blocks", "no", BLOCK)
    assert (scored.outcome, scored.asked) == ("delivered, right", 2)
    assert scored.answer_tokens == tokens_of("no") + tokens_of(BLOCK)
    once = read(question_of(case(same_text(NEW))), "blocks", BLOCK, "no")
    assert (once.outcome, once.asked) == ("delivered, right", 1)
    assert once.answer_tokens == tokens_of(BLOCK)


def test_figures_count_each_outcome_by_shape_and_the_tokens_of_small_edits(tmp_path):
    right = Scored("a", "diff", "delivered, right", "", 1, 10, 100, 0.05, 5.0)
    held = replace(right, outcome="held back, right", asked=2, answer_tokens=30, ms=7.0)
    large = replace(right, shape="blocks", answer_tokens=90, changed=0.5, ms=9.0)
    report("3 answers", [right, held, large], None, tmp_path / "f.json")
    data = json.loads((tmp_path / "f.json").read_text())
    assert data["headline"]["right and delivered"] == 2
    assert data["headline"]["right and held back"] == 1
    assert data["headline"]["tokens, of a rewrite's, where under 10% of the lines change"] == 0.1
    row = data["figures"]["written as"]["diff"]
    assert (row["answers"], row["held back, right"], row["asked twice"]) == (2, 1, 1)
    assert (row["tokens, of a rewrite's"], row["ms, median"]) == (0.2, 6.0)


def test_the_cases_are_always_the_same_and_of_twenty_files():
    try:
        found = drawn()
    except FileUnreadable as missing:
        pytest.skip(str(missing))
    assert [each.id for each in found] == [each.id for each in drawn()]
    assert len(found) == len({each.id for each in found}) == CASES
    assert len({each.path for each in found}) >= 20


def test_a_model_that_is_not_there_ends_a_run_with_one_line():
    try:
        drawn()
    except FileUnreadable as missing:
        pytest.skip(str(missing))
    run = CliRunner().invoke(app, ["run", "--model", "http://127.0.0.1:9/v1#m"])
    assert run.exit_code == 5
    assert run.stdout == ""
    assert "start the server, or correct the address" in run.stderr
    assert run.stderr.endswith(f"; 0 of {CASES} cases were asked\n")


@pytest.mark.parametrize("command", [app, ties.app])
def test_answers_that_are_none_are_refused_with_what_they_lack(command, write, tmp_path):
    write("people")
    (tmp_path / "answers.jsonl").write_text('{"said": "a"}\n')
    run = CliRunner().invoke(command, ["score", "--answers", str(tmp_path / "answers.jsonl")])
    assert run.exit_code == 2
    assert "answers.jsonl: no JSON lines with `name`, " in run.stderr
    assert run.stderr.count("\n") == 1
