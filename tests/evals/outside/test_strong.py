from __future__ import annotations

import pytest
from typer.testing import CliRunner

from evals.outside.case import Case, same_text
from evals.outside.sources import Missing
from evals.outside.strong import CASES, app, drawn, score_one

OLD = "def load(path):\n    return open(path).read()\n"
NEW = OLD.replace("load", "read")
BLOCK = "<<<<<<< SEARCH\ndef load(path):\n=======\ndef read(path):\n>>>>>>> REPLACE\n"


def case(judge=None) -> Case:
    return Case("a-1", "people", "dev", "terse", "a", "python", "a.py", OLD, "load -> read, ok?", None, judge)


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
    scored = score_one(case(judge), "a-1", "blocks", answer)
    assert scored.outcome == outcome
    assert scored.asked == (2 if outcome in ("held back, wrong", "refused") else 1)
    assert scored.ms > 0


def test_the_cases_are_always_the_same_and_of_twenty_files():
    try:
        found = drawn()
    except Missing as missing:
        pytest.skip(str(missing))
    assert [each.id for each in found] == [each.id for each in drawn()]
    assert len(found) == len({each.id for each in found}) == CASES
    assert len({each.path for each in found}) >= 20
    assert {each.split for each in found} == {"dev"}


def test_a_model_that_is_not_there_ends_a_run_with_one_line():
    try:
        drawn()
    except Missing as missing:
        pytest.skip(str(missing))
    run = CliRunner().invoke(app, ["run", "--model", "http://127.0.0.1:9/v1#m"])
    assert run.exit_code == 2
    assert run.stdout == ""
    assert "start the server, or correct the address" in run.stderr
    assert run.stderr.endswith(f"; 0 of {CASES} cases were asked\n")
