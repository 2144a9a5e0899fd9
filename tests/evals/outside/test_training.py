"""What the merge's weights are fitted on comes from train packages, with the texts that it was written for."""

import gzip
import json
from dataclasses import asdict

import pytest

from evals import edits
from evals.edits import RealEdit
from evals.outside import training
from evals.outside.releases import HERE
from fastedit.errors import FileUnreadable
from fastedit.train import jsonl
from tests.evals.outside.conftest import NEW, OLD, SKETCH, digest


@pytest.fixture
def sets(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "HERE", tmp_path)
    monkeypatch.setattr(edits, "DATA", tmp_path)
    monkeypatch.setattr(training, "CASES", tmp_path / "cases.jsonl.gz")
    row = {"id": "T1-01", "author": "T1", "habit": "edge markers", "set": "edits-train", "package": "one"}
    row |= {"path": "a.py", "old": digest(OLD), "new": digest(NEW), "edit": SKETCH}
    (tmp_path / "agents-train.jsonl").write_text(json.dumps(row) + "\n")
    jsonl.write(tmp_path / "edits-train.jsonl.gz", [asdict(RealEdit("one", "a.py", OLD, NEW, 0.1))])
    hazard = {"id": "wrap: a.py", "author": "generated", "set": "languages-train", "package": "two"}
    hazard |= {"path": "b.py", "old": digest(OLD), "change": [[4, 5, ["    return 1"]]], "edit": SKETCH}
    (tmp_path / "hazards-train.jsonl").write_text(json.dumps(hazard) + "\n")
    jsonl.write(tmp_path / "languages-train.jsonl.gz", [asdict(RealEdit("two", "b.py", OLD, NEW, 0.1))])
    jsonl.write(tmp_path / "documents-train.jsonl.gz", [])
    return tmp_path


def test_models_sketches_count_twice_and_come_with_hazards_and_files_that_have_their_change(sets):
    assert training.write() == 3
    with gzip.open(training.CASES, "rt") as stream:
        sketch, hazard, again = (json.loads(line) for line in stream)
    assert sketch == {
        "package": "one",
        "author": "T1",
        "path": "a.py",
        "old": OLD,
        "new": NEW,
        "edit": SKETCH,
        "weight": 2.0,
        "of_signs": 1.0,
    }
    wanted = OLD.replace("    return open(path)", "    return 1")
    assert (hazard["package"], hazard["new"]) == ("two", wanted)
    assert (hazard["weight"], hazard["of_signs"]) == (1.0, 0.3)
    assert again == sketch | {"old": NEW, "weight": 1.0, "of_signs": 0.0}, "it changes nothing more"


def test_a_change_that_the_author_thought_of_is_made_of_the_file_before_and_tells_nothing_of_signs(sets):
    row = {"id": "T2-01", "author": "T2", "habit": "own change", "set": "edits-train", "package": "one"}
    change = [[0, 0, ["import os"]], [1, 2, []]]
    row |= {"path": "a.py", "old": digest(OLD), "change": change, "edit": SKETCH}
    (sets / "agents-train.jsonl").write_text(json.dumps(row) + "\n")
    training.write()
    with gzip.open(training.CASES, "rt") as stream:
        made = json.loads(next(stream))
    first, _, rest = OLD.split("\n", 2)
    assert made["new"] == f"import os\n{first}\n{rest}"
    assert made["of_signs"] == 0.0


def test_of_documents_there_are_no_other_changes_to_tell_of_signs(sets):
    jsonl.write(sets / "documents-train.jsonl.gz", [asdict(RealEdit("three", "a.yml", OLD, NEW, 0.1))])
    row = {"id": "T3-01", "author": "T3", "habit": "own change", "set": "documents-train", "package": "three"}
    row |= {"path": "a.yml", "old": digest(OLD), "change": [[0, 0, ["import os"]]], "edit": SKETCH}
    (sets / "agents-train.jsonl").write_text(json.dumps(row) + "\n")
    training.write()
    with gzip.open(training.CASES, "rt") as stream:
        assert json.loads(next(stream))["of_signs"] == 0.3


def test_a_sketch_whose_edit_is_not_there_is_named_with_the_command_that_builds_it(sets):
    jsonl.write(sets / "edits-train.jsonl.gz", [asdict(RealEdit("one", "a.py", OLD + "x = 1\n", NEW, 0.1))])
    with pytest.raises(FileUnreadable, match=r"T1-01: edits-train has no such edit; .*evals\.edits build"):
        training.write()


def test_the_sketches_in_the_repository_are_by_other_authors_than_those_of_the_other_halves():
    def authors(name):
        return {json.loads(line)["author"] for line in (HERE / name).read_text("utf-8").splitlines()}

    mine = authors("agents-train.jsonl")
    assert len(mine) == 141
    assert not mine & authors("agents-dev.jsonl")
