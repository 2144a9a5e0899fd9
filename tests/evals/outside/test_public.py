"""Public sets are read from a path, and judged by their own tests or text."""

import json

import pytest

from evals.outside import public
from evals.outside.sources import Missing

OLD = "def add(a, b):\n    return a - b\n"
RIGHT = OLD.replace("-", "+")
TESTS = "assert add(1, 2) == 3\n"


def case(tmp_path, name, row):
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(row) + "\n")
    return public.load(name, path)


def test_canitedit_gives_two_instructions_a_program_and_runs_its_tests(tmp_path):
    row = {"full_name": "1_add", "before": OLD, "after": RIGHT, "tests": TESTS}
    row |= {"instruction_descriptive": "Return the sum of a and b.", "instruction_lazy": "fix it"}
    cases = case(tmp_path, "canitedit", row)
    assert [c.kind for c in cases] == ["descriptive", "lazy"]
    assert cases[0].judge(RIGHT)
    assert not cases[0].judge(OLD)


def test_humanevalfix_puts_the_fault_under_its_head_and_runs_its_check(tmp_path):
    row = {"task_id": "Python/0", "entry_point": "add", "bug_type": "operator misuse"}
    row |= {"declaration": "def add(a, b):\n", "buggy_solution": "    return a - b\n"}
    row["test"] = "def check(add):\n    assert add(1, 2) == 3\n"
    (found,) = case(tmp_path, "humanevalfix", row)
    assert found.old == OLD
    assert found.judge(RIGHT)
    assert not found.judge(OLD)


def test_editbench_runs_its_tests_beside_the_answer(tmp_path):
    row = {"problem_id": 1, "programming_language": "python", "original_code": OLD, "instruction": "fix it"}
    row["test_code"] = (
        "import implementation1\n\ndef test_add():\n    assert implementation1.add(1, 2) == 3\n"
    )
    (found,) = case(tmp_path, "editbench", row)
    assert found.judge(RIGHT)
    assert not found.judge(OLD)


def test_nofuneval_is_judged_by_its_new_text(tmp_path):
    row = {
        "pl": "Python",
        "source_code": OLD,
        "target_code": RIGHT,
        "commit": "c1",
        "commit_message": "'Fix sum'",
    }
    (found,) = case(tmp_path, "nofuneval", row)
    assert found.instruction == "Fix sum"
    assert found.judge(RIGHT)
    assert not found.judge(OLD)


def test_a_program_that_does_not_end_has_not_passed(tmp_path, monkeypatch):
    monkeypatch.setattr(public, "_LIMIT_S", 0.2)
    assert not public._passes("{text}")("while True:\n    pass\n")


@pytest.mark.parametrize("text", ["not json\n", "{}\n", "[]\n", ""])
def test_a_file_that_is_not_the_set_is_refused_by_name(tmp_path, text):
    path = tmp_path / "set.jsonl"
    path.write_text(text)
    with pytest.raises(Missing, match=r"set\.jsonl"):
        public.load("canitedit", path)
