"""Questions about sketches whose reading is not sure, and what answers to them are worth."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from evals.outside import ties
from tests.evals.outside.conftest import NEW, OLD, SKETCH, agent, digest

TWINS = "def first(path):\n    name = path\n    return name\n\n\ndef last(path):\n    name = path\n    return name\n"
CHANGED = TWINS.replace(
    "    name = path\n    return name\n", "    name = path\n    print(name)\n    return name\n", 1
)
EITHER = (
    "# ... existing code ...\n    name = path\n    print(name)\n    return name\n# ... existing code ...\n"
)


@pytest.fixture
def questions(write, tmp_path, monkeypatch) -> list[dict[str, object]]:
    """Those about one sketch that is sure and one that is not."""
    monkeypatch.setattr(ties, "SUITES", ("agents_alone",))
    file = {"key": "npm:one/1..2/b.py", "path": "b.py", "old": digest(TWINS), "new": digest(CHANGED)}
    write("agents", agent(1, SKETCH), agent(2, EITHER, file=file))
    write.texts(**{"npm:one/1..2/a.py": (OLD, NEW), "npm:one/1..2/b.py": (TWINS, CHANGED)})
    out = tmp_path / "questions.jsonl"
    assert CliRunner().invoke(ties.app, ["prompts", "--out", str(out)]).exit_code == 0
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_a_model_is_asked_about_what_is_not_sure_and_not_told_what_is_right(questions):
    ((_, (_, question)),) = [question["messages"] for question in questions]
    assert "Result A" in question
    assert "Result B" in question
    assert "a2" not in question


def test_answers_are_counted_by_whether_they_name_the_reading_that_is_meant(questions, tmp_path):
    (question,) = questions

    def counted(said: str) -> tuple[int, ...]:
        answers, told = tmp_path / "answers.jsonl", tmp_path / "told.json"
        answers.write_text(json.dumps({"name": question["name"], "said": said}) + "\n")
        asked = ["score", "--answers", str(answers), "--json", str(told)]
        assert CliRunner().invoke(ties.app, asked).exit_code == 0
        counts = json.loads(told.read_text())["figures"]["agents_alone"]
        return tuple(counts[kind] for kind in ("taken right", "taken wrong", "none taken"))

    assert {counted("A"), counted("B")} == {(1, 0, 0), (0, 1, 0)}
    assert counted("N") == (0, 0, 1)


def test_questions_that_nobody_answered_are_counted(questions, tmp_path):
    answers = tmp_path / "answers.jsonl"
    answers.write_text("")
    result = CliRunner().invoke(ties.app, ["score", "--answers", str(answers)])
    assert "1 of 1 questions are left out" in result.output
