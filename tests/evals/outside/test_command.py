"""The command on a small set: the six outcomes, and one line for whatever is not there."""

import json

import pytest
from typer.testing import CliRunner

from evals.outside import suites
from evals.outside.__main__ import app
from evals.outside.case import Case, same_text
from evals.outside.suites import SUITES
from fastedit.engine import Engine
from tests.evals.outside.conftest import NEW, OLD, SKETCH, agent, person

RENAMED = [{"old": "def load", "new": "def read"}]


def invoke(*words):
    return CliRunner().invoke(app, [*words])


def test_each_case_has_one_outcome_and_groups_are_counted_from_them(write, tmp_path):
    elsewhere = SKETCH.replace("open(path, 'rb')", "open(path, 'r')")
    write("agents", agent(1, SKETCH), agent(2, NEW, format="whole_file", habit=None), agent(3, elsewhere))
    figures = tmp_path / "figures.json"
    done = invoke("--suite", "agents_alone", "--split", "dev", "--json", str(figures))
    assert done.exit_code == 0, done.output
    data = json.loads(figures.read_text())
    assert data["cases"]["agents_alone a1"] == data["cases"]["agents_alone a2"] == "right, ok"
    assert data["cases"]["agents_alone a3"] == "wrong, ok"
    groups = data["figures"]["agents_alone"]
    assert groups["kind"]["whole_file"]["right, ok"] == 1
    assert groups["all"]["all"]["cases"] == 3
    assert groups["all"]["all"]["wrong of delivered %"] == 33.3


def test_an_edit_that_does_not_say_what_it_should_is_counted_apart(write, tmp_path):
    write("agents", agent(1, SKETCH), agent(2, "def load(path):\n    pass\n", says_so=False))
    figures = tmp_path / "figures.json"
    assert invoke("--suite", "agents", "--split", "dev", "--json", str(figures)).exit_code == 0
    data = json.loads(figures.read_text())
    assert data["figures"]["agents"]["all"]["all"]["cases"] == 1
    assert data["figures"]["agents"]["all"]["does not say what it should"]["cases"] == 1
    assert data["headline"]["agents_sketch_right_ok"] in (0.0, 1.0)


def test_sketches_and_edits_in_exact_formats_have_figures_of_their_own(write, tmp_path):
    write("agents", agent(1, "nothing of this file\n"), agent(2, NEW, format="whole_file", habit=None))
    figures = tmp_path / "figures.json"
    assert invoke("--suite", "agents", "--split", "dev", "--json", str(figures)).exit_code == 0
    headline = json.loads(figures.read_text())["headline"]
    assert (headline["agents_exact_right_ok"], headline["agents_sketch_right_ok"]) == (1.0, 0.0)


def test_our_own_sketches_are_a_suite_that_runs_only_where_asked_for(write, tmp_path, monkeypatch):
    write("agents", agent(1, SKETCH))
    write("people", person(1, "what does load do?", judge="must_not"))
    own = Case("own/a.py:4", "sketch", "", "python", "a.py", OLD, same_text(NEW, OLD), update=SKETCH)
    monkeypatch.setattr(suites, "updates", lambda split, name: [own] if name == "edits" else [])
    figures = tmp_path / "figures.json"
    assert invoke("--suite", "synthesis", "--split", "dev", "--json", str(figures)).exit_code == 0
    assert json.loads(figures.read_text())["cases"] == {"synthesis own/a.py:4": "right, ok"}
    assert "synthesis" not in {suite.name for suite in SUITES if not suite.own}


def test_what_may_not_be_done_is_kept_where_nothing_is_delivered(write, tmp_path):
    write(
        "people",
        person(1, "rename load to read", judge="exact", solution=RENAMED, expressible=True),
        person(2, "what does load do?", judge="must_not"),
    )
    figures = tmp_path / "figures.json"
    assert invoke("--suite", "people", "--split", "dev", "--json", str(figures)).exit_code == 0
    data = json.loads(figures.read_text())
    assert data["headline"]["people_must_not_kept"] == 1.0
    assert data["headline"]["people_expressible_right_ok"] == data["headline"]["people_right_ok"] == 1.0


def test_a_crash_is_its_cases_outcome_and_ends_nothing(write, tmp_path, monkeypatch):
    apply = Engine.apply

    def broken(self, request, progress=None):
        if request.update.startswith("boom"):
            raise RuntimeError("boom")
        return apply(self, request, progress)

    monkeypatch.setattr(Engine, "apply", broken)
    write("agents", agent(1, "boom"), agent(2, SKETCH))
    figures = tmp_path / "figures.json"
    assert invoke("--suite", "agents_alone", "--split", "dev", "--json", str(figures)).exit_code == 0
    cases = json.loads(figures.read_text())["cases"]
    assert cases == {"agents_alone a1": "crash", "agents_alone a2": "right, ok"}


def test_cases_of_the_half_dev_can_be_read_and_those_of_test_cannot(write):
    write("agents", agent(1, SKETCH))
    shown = invoke("--suite", "agents_alone", "--split", "dev", "--show", "right, ok")
    assert "+    return open(path, 'rb')" in shown.output
    refused = invoke("--suite", "agents_alone", "--split", "test", "--show", "right, ok")
    assert refused.exit_code == 2
    assert "scored, not read" in refused.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--suite", "nobody"],
            "no suite 'nobody'; there are agents, agents_alone, documents, short, fragments, remarks, "
            "multilingual, other_languages, people, hazards",
        ),
        (["--split", "train"], "--split: 'train' is not one of 'dev', 'test'"),
        (["--policy", "luck"], "--policy: 'luck' is not one of 'model', 'merge', 'auto'"),
    ],
)
def test_what_is_not_known_is_said_in_one_line(words, said):
    done = invoke(*words)
    assert done.exit_code == 2
    assert said in done.output
    assert done.output.count("\n") == 1


def test_a_set_that_is_not_there_is_named_with_the_command_that_makes_it(write, tmp_path):
    write("agents", agent(1, SKETCH))
    (tmp_path / "outside-dev.jsonl.gz").unlink()
    done = invoke("--suite", "agents", "--split", "dev")
    assert done.exit_code == 4
    assert "run: python -m evals.outside build" in done.output
    assert done.output.count("\n") == 1


def test_a_file_whose_hash_is_not_the_pinned_one_is_refused_by_name(write):
    write("agents", agent(1, SKETCH))
    write.texts(**{"npm:one/1..2/a.py": ("other\n", NEW)})
    done = invoke("--suite", "agents", "--split", "dev")
    assert done.exit_code == 4
    assert "npm:one/1..2/a.py is not the file that case a1 was written for" in done.output
