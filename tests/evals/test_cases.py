"""Cases are made of the files of a set by the ranges that their rows name."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

import pytest

from evals import cases, edits
from evals.edits import RealEdit, digest
from fastedit.errors import FileUnreadable
from fastedit.train import jsonl

OLD = "def load(path):\n    return open(path)\n"
NEW = "def load(path):\n    return open(path, 'rb')\n"
ROW = {"id": "own/a.py:1", "package": "own", "path": "a.py", "old": digest(OLD), "lines": 2}
CHANGE = {"change": [[1, 2, ["    return open(path, 'rb')"]]]}


@pytest.fixture
def built(tmp_path, monkeypatch):
    monkeypatch.setattr(cases, "HERE", tmp_path)
    monkeypatch.setattr(edits, "DATA", tmp_path)
    rows = [ROW | CHANGE | {"set": "edits", "edit": NEW}, ROW | CHANGE | {"set": "languages", "edit": NEW}]
    jsonl.write(tmp_path / "updates-dev.jsonl", rows)
    asked = ROW | CHANGE | {"set": "edits", "kind": "add argument", "instruction": "open it in binary"}
    jsonl.write(tmp_path / "instructions-dev.jsonl", [asked])
    jsonl.write(tmp_path / "edits-dev.jsonl.gz", [asdict(RealEdit("own", "a.py", OLD, "other\n", 0.5))])
    return tmp_path


def test_a_case_has_the_file_before_and_the_text_that_its_change_makes_of_it(built):
    (update,) = cases.updates("dev")
    assert (update.kind, update.language, update.old, update.update) == ("sketch", "python", OLD, NEW)
    (asked,) = cases.instructions("dev")
    assert [case.judge(text) for case in (update, asked) for text in (NEW, OLD)] == [True, False] * 2
    assert (asked.kind, asked.instruction, asked.update) == ("add argument", "open it in binary", None)


def test_updates_may_be_asked_for_by_their_share_of_new_lines(built):
    assert [len(cases.updates("dev", new=share)) for share in (0.5, 0.51)] == [1, 0]


def test_a_file_that_the_set_has_not_is_named_with_the_command_that_builds_it(built):
    jsonl.write(built / "edits-dev.jsonl.gz", [asdict(RealEdit("own", "a.py", NEW, OLD, 0.5))])
    with pytest.raises(FileUnreadable, match=r"own/a.py:1: edits has no such edit; .*evals\.edits build"):
        cases.updates("dev")


@pytest.mark.parametrize("half", ["dev", "test"])
def test_there_are_as_many_cases_as_is_said(half):
    def sets(kind):
        return Counter(row["set"] for row in jsonl.read(cases.HERE / f"{kind}-{half}.jsonl"))

    assert sets("updates") == {"edits": 300, "languages": 300}
    assert sets("instructions").keys() == {"edits"}
