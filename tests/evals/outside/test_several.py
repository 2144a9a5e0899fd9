from __future__ import annotations

import pytest

from evals.strong.scored import read
from evals.strong.several import Task, question_of, tasks

OLD = {"store.py": "MOST = 10\n", "app.py": "from store import MOST\n"}
WANT = {"store.py": {"has": ["LIMIT"], "lacks": ["MOST"]}, "app.py": {"has": ["import LIMIT"], "lacks": []}}
BLOCK = "{0}\n<<<<<<< SEARCH\n{1}=======\n{2}>>>>>>> REPLACE\n"
BOTH = "\n".join(BLOCK.format(path, text, text.replace("MOST", "LIMIT")) for path, text in OLD.items())
ONE = BLOCK.format("store.py", OLD["store.py"], "LIMIT = 10\n")


@pytest.mark.parametrize(
    ("want", "answer", "outcome"),
    [
        (WANT, BOTH, "delivered, right"),
        (WANT | {"app.py": None}, BOTH, "delivered, wrong"),
        (WANT, ONE, "held back, wrong"),
        ({"store.py": WANT["store.py"]}, BOTH, "delivered, wrong"),
        ({}, "NO CHANGE: it does", "left alone, rightly"),
        (WANT, "no", "refused"),
    ],
)
def test_an_answer_about_several_files_is_judged_by_what_stands_in_all_of_them(want, answer, outcome):
    task = Task("a", "npm:a", tuple(OLD), "call MOST LIMIT, ok?", want, {})
    assert read(question_of(task, OLD), "any", answer).outcome == outcome


def test_every_task_has_files_of_its_own_and_an_answer():
    found = tasks()
    assert len({task.id for task in found}) == len(found) == 12
    assert all(2 <= len(task.paths) <= 4 and task.answers for task in found)
