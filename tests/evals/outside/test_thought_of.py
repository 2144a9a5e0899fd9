"""Sketches of changes that their authors thought of, with the files that they were written for."""

import json
from dataclasses import asdict

import pytest

from evals import edits
from evals.edits import RealEdit
from evals.outside import sources
from evals.outside.sent import thought_of
from fastedit.errors import FileUnreadable
from fastedit.train import jsonl
from tests.evals.outside.conftest import digest

OLD, NEW = "[a]\nx = 1\n", "[a]\nx = 1\ny = 2\n"


@pytest.fixture
def half(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "HERE", tmp_path)
    monkeypatch.setattr(edits, "DATA", tmp_path)
    row = {"id": "D1-01a", "author": "D1", "set": "documents-dev", "package": "one", "path": "a.toml"}
    row |= {"old": digest(OLD), "change": [[2, 2, ["y = 2"]]], "edit": "[a]\n# ...\ny = 2\n"}
    (tmp_path / "documents-dev.jsonl").write_text(json.dumps(row) + "\n")
    return tmp_path


def test_a_case_is_judged_by_the_change_that_its_author_thought_of(half):
    jsonl.write(half / "documents-dev.jsonl.gz", [asdict(RealEdit("one", "a.toml", OLD, "other\n", 0.1))])
    (case,) = thought_of("documents", "dev")
    assert case.judge is not None
    assert (case.language, case.kind, case.judge(NEW), case.judge(OLD)) == (
        "toml",
        "sketch: toml",
        True,
        False,
    )


def test_a_set_that_is_not_built_or_lacks_the_file_names_the_command(half):
    with pytest.raises(FileUnreadable, match=r"evals\.edits build"):
        thought_of("documents", "dev")
    jsonl.write(half / "documents-dev.jsonl.gz", [asdict(RealEdit("one", "a.toml", NEW, OLD, 0.1))])
    with pytest.raises(FileUnreadable, match="D1-01a: documents-dev has no such edit"):
        thought_of("documents", "dev")
