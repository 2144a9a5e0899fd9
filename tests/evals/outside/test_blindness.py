"""What may be read of the half test, and by whom; and which packages nobody has seen."""

import json
import re
from pathlib import Path

import pytest

from evals.outside.releases import LOCK, SPLITS, locked, packages
from fastedit.train.sources.corpus import bare_name, held_out
from fastedit.train.sources.pinned import read_lock

ROOT = Path(__file__).parents[3]
OUTSIDE = ROOT / "evals" / "outside"
SCORERS = (OUTSIDE, ROOT / "evals" / "strong", Path(__file__).parent)
# The modules that read a set's texts; `suites` and the command are the way to them.
SETS = {path.name.rpartition("-")[0] for path in OUTSIDE.glob("*-dev.jsonl")}
READERS = ("people", "sent", "sources", "suites")


def modules():
    for folder in ("fastedit", "evals", "kernels", "lsp", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            if not any(map(path.is_relative_to, SCORERS)):
                yield path


def test_nothing_but_the_scorers_names_the_files_of_the_sets_or_imports_their_readers():
    files = re.compile(rf"(?:outside|{'|'.join(SETS)})-(?:{'|'.join(SPLITS)})")
    readers = re.compile(rf"evals\.outside(?:\.| import \(?[\w, ]*)(?:{'|'.join(READERS)})\b")
    for path in modules():
        text = path.read_text("utf-8")
        assert not files.search(text), path
        assert not readers.search(text), path


def test_no_package_is_in_both_halves():
    halves = [{bare_name(package).lower() for package in packages(split)} for split in SPLITS]
    assert not halves[0] & halves[1]


def test_no_package_was_trained_or_tuned_on():
    locks = [
        json.loads((ROOT / "evals" / name).read_text()) for name in ("edits.lock.json", "languages.lock.json")
    ]
    seen = {bare_name(entry["package"]) for lock in locks for rows in lock.values() for entry in rows}
    seen |= {bare_name(source.package) for source in read_lock()}
    mine = {bare_name(package).lower() for split in SPLITS for package in packages(split)}
    assert not mine & {name.lower() for name in seen}
    assert all(held_out(package) for split in SPLITS for package in packages(split))


@pytest.mark.parametrize("split", SPLITS)
def test_every_release_is_pinned_by_hash_with_its_licence(split):
    kinds = locked(split)
    pinned = [entry[side] for entry in kinds["pairs"] for side in ("old", "new")] + kinds["singles"]
    assert all(len(digest) == 64 for release in pinned for digest in release["files"].values())
    assert all(entry["licence"] for entries in kinds.values() for entry in entries)
    assert set(json.loads(LOCK.read_text())) == set(SPLITS)


@pytest.mark.parametrize("split", SPLITS)
def test_the_sets_are_as_large_and_as_mixed_as_said(split):
    agents, people = (
        [json.loads(line) for line in (OUTSIDE / f"{name}-{split}.jsonl").read_text("utf-8").splitlines()]
        for name in ("agents", "people")
    )
    assert len(agents) >= 300
    assert len(people) >= 200
    assert 0.55 <= sum(row["format"] == "sketch" for row in agents) / len(agents) <= 0.65
    assert {row["format"] for row in agents} == {
        "sketch", "search_replace", "udiff", "v4a", "str_replace", "whole_function", "whole_file",
    }  # fmt: skip
    assert len({row["id"] for row in [*agents, *people]}) == len(agents) + len(people)
    assert len({row["file"]["key"] for row in people}) >= 20
