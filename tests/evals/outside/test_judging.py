"""When a text is right, and what shares are worth."""

import pytest

from evals.outside import people
from evals.outside.case import same_but_for_depth, same_text
from evals.outside.outcome import wilson
from tests.evals.outside.conftest import OLD, person

CHECK = "import ast\n\ndef check(old, new):\n    names = [n.name for n in ast.parse(new).body if hasattr(n, 'name')]\n"
CHECK += "    return names == ['read', 'save']\n"
RENAMED = [{"old": "def load", "new": "def read"}]


def test_blank_lines_do_not_matter_but_indentation_and_the_final_line_end_do():
    right = same_text("def f():\n    return 1\n")
    assert right("def f():\n\n    return 1  \n")
    assert not right("def f():\n  return 1\n")
    assert not right("def f():\n    return 1")
    assert same_text("def f():\n    return 1\n", old="def f():\n    return 0")("def f():\n    return 1")
    assert not right("def f():\r\n    return 1\r\n")
    assert same_but_for_depth("if (a) {\n  b();\n}\n")("if (a) {\nb();\n}\n")


def test_a_predicate_judges_any_right_answer_and_not_the_file_as_it_was(write):
    write("people", person(1, "call it read", judge="check", solution=RENAMED, check=CHECK))
    (case,) = people.load("dev")
    assert case.judge is not None
    assert case.judge(OLD.replace("def load", "def read"))
    assert case.judge(OLD.replace("def load(path)", "def read(path: str)"))
    assert not case.judge(OLD)
    assert not case.judge(OLD.replace("def load(path):", "def read(path:"))


def test_an_answer_that_takes_away_far_more_than_the_writers_own_is_wrong(write):
    check = "def check(old, new):\n    return 'def read' in new\n"
    write("people", person(1, "call it read", judge="check", solution=RENAMED, check=check))
    (case,) = people.load("dev")
    assert case.judge is not None
    assert case.judge(OLD.replace("def load", "def read"))
    assert people._lines_gone("a\n" * 40, "b\n") > people._FACTOR + people._MORE


def test_what_may_not_be_done_has_no_judge(write):
    write("people", person(1, "delete load - actually no, keep it", judge="must_not"))
    assert people.load("dev")[0].judge is None


@pytest.mark.parametrize(
    ("hits", "cases", "low", "high"), [(0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (50, 100, 0.404, 0.596)]
)
def test_the_interval_of_a_share_is_wilsons(hits, cases, low, high):
    found = wilson(hits, cases)
    assert found == (pytest.approx(low, abs=0.001), pytest.approx(high, abs=0.001))
