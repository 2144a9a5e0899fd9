"""The accuracy figures count what the engine really gave."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from evals.accuracy import attempt, damage, run
from evals.cases import Case
from evals.outcomes import Outcome, figures, grouped, headline, report, wrong
from fastedit.engine import Engine
from fastedit.errors import ModelUnavailable

OLD = """import os


def load(path):
    with open(path) as file:
        return file.read()


def save(path, text):
    with open(path, "w") as file:
        file.write(text)
    return len(text)
"""
UPDATE = """# ... existing code ...
def save(path, text):
    with open(path, "x") as file:
        file.write(text)
    # ... existing code ...
"""
CASE = Case(
    id="own/file.py:9",
    kind="update",
    language="python",
    path="own/file.py",
    old=OLD,
    wanted=OLD.replace('"w"', '"x"'),
    lines=4,
    hunks=1,
    update=UPDATE,
)
INSTRUCTION = replace(
    CASE, kind="rename", instruction="rename `save` to `store`", update=None, hunks=2, lines=30
)


def outcome(case: Case = CASE, **changes) -> Outcome:
    plain = Outcome(case, "model", "ok", True, True, True, False, (), 2, 1.0, "")
    return replace(plain, **changes)


def test_an_unambiguous_merge_comes_out_exact_and_ok():
    found = attempt(Engine(), CASE, "merge")
    assert (found.status, found.exact, found.exact_but_blanks, found.parses) == ("ok", True, True, True)
    assert found.difference == ""
    assert found.passes == 0


def test_a_wrong_text_is_not_exact_and_shows_its_difference():
    found = attempt(Engine(), replace(CASE, wanted=OLD.replace('"w"', '"y"')), "merge")
    assert not found.exact
    assert '+    with open(path, "x") as file:' in found.difference


def test_a_refused_edit_is_an_outcome():
    found = attempt(Engine(), replace(CASE, update=None, instruction="  "), "merge")
    assert (found.status, found.exact) == ("refused", False)
    assert found.reasons


def test_a_missing_model_is_an_error_and_no_outcome(tmp_path):
    with pytest.raises(ModelUnavailable):
        attempt(Engine(str(tmp_path / "nothing")), CASE, "model")


def test_an_instruction_is_carried_out_without_a_model_or_refused():
    plain, vague = run(Engine(), [INSTRUCTION, replace(INSTRUCTION, instruction="tidy `save` up")], ["merge"])
    assert (plain.status, plain.passes) == ("ok", 0)
    assert vague.status == "refused"


def test_instructions_in_the_wordings_of_training_are_counted_apart():
    found = headline([outcome(INSTRUCTION), outcome(replace(INSTRUCTION, trained=True), exact=False)])
    assert found["instruction_exact"] == 1.0
    assert found["instruction_exact_trained_wording"] == 0.0


def test_wrong_ok_counts_among_the_delivered_alone():
    outcomes = [
        outcome(),
        outcome(exact=False),
        outcome(status="suspect"),
        outcome(exact=False, status="suspect", parses=False),
        outcome(exact=False, status="refused", parses=None),
    ]
    found = figures(outcomes)
    assert found["cases"] == 5
    assert found["exact"] == 2 / 5
    assert found["ok"] == 2 / 5
    assert found["wrong_ok"] == 1 / 2
    assert found["right_held_back"] == 1 / 5
    assert found["refused"] == 1 / 5
    assert found["parse"] == 3 / 4


def test_what_is_wrong_and_held_back_is_caught():
    found = figures([outcome(), outcome(exact=False), outcome(exact=False, status="suspect")])
    assert (found["suspect"], found["caught"]) == (1 / 3, 1 / 2)


def test_a_change_apart_from_the_one_that_was_wanted_is_damage():
    assert not damage(CASE, CASE.wanted)
    assert not damage(CASE, OLD.replace('"w"', '"a"'))
    assert damage(CASE, CASE.wanted.replace("import os", "import sys"))
    assert damage(CASE, CASE.wanted.replace("    return len(text)\n", ""))


def test_nothing_delivered_gives_no_rate():
    assert figures([outcome(status="suspect")])["wrong_ok"] is None


def test_groups_split_by_mode_family_length_and_hunks():
    tables = grouped([outcome(), outcome(INSTRUCTION)])
    assert set(tables["family"]) == {"update", "rename"}
    assert set(tables["length"]) == {"update, 1-10 lines", "instruction, 21-40 lines"}
    assert set(tables["hunks"]) == {"update, 1 hunk", "instruction, 2 hunks"}


def test_the_headline_holds_the_policies_that_ran():
    assert set(headline([outcome(policy="auto")])) == {
        "auto_update_exact_python",
        "auto_update_exact_python_60",
        "auto_instruction_exact",
        "auto_instruction_exact_trained_wording",
        "auto_instruction_exact_combined",
        "auto_wrong_ok_rate",
    }
    assert headline([outcome(policy="merge"), outcome(INSTRUCTION, policy="merge", exact=False)]) == {
        "merge_update_exact_python": 1.0,
        "merge_update_exact_python_60": 1.0,
        "merge_wrong_ok_rate": 0.0,
    }
    found = headline([outcome(), outcome(INSTRUCTION, exact=False)])
    assert found == {
        "update_exact_python": 1.0,
        "update_exact_python_60": 1.0,
        "instruction_exact": 0.0,
        "instruction_exact_trained_wording": None,
        "instruction_exact_combined": None,
        "wrong_ok_rate": 0.5,
        "suspect_rate": 0.0,
    }


def test_longer_regions_count_among_all_and_not_among_the_short_ones():
    long = replace(CASE, lines=61)
    found = headline([outcome(), outcome(long, exact=False)])
    assert (found["update_exact_python"], found["update_exact_python_60"]) == (0.5, 1.0)
    assert set(grouped([outcome(long)])["length"]) == {"update, 61-80 lines"}
    assert "update_exact_python_60" not in headline([outcome(long)])


def test_the_report_and_the_list_of_wrong_cases_can_be_written():
    outcomes = [outcome(), outcome(exact=False, difference="-a\n+b"), outcome(policy="auto")]
    text = report(outcomes)
    assert "policy model" in text
    assert "policy auto" in text
    listed = json.loads(json.dumps(wrong(outcomes)))
    assert [item["difference"] for item in listed] == ["-a\n+b"]
