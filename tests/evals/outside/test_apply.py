"""Appliers get the same edits, and what comes out is counted by what it is."""

from __future__ import annotations

import pytest

from evals.outside.apply import KINDS, figures_of, headline, measure
from evals.outside.case import Case, same_text
from evals.outside.peers.appliers import APPLIERS, Applier, bare
from tests.formats.blocks import FileEdit
from tests.formats.writers import git_diff

OLD = "".join(f"def step_{n}():\n    total = {n}\n    return total\n\n\n" for n in range(30))
NEW = OLD.replace("total = 5\n", "total = 50\n").replace("total = 25\n", "total = 250\n    log(total)\n")
PATH = "src/steps.py"
DIFF = git_diff(FileEdit(PATH, OLD, NEW))
CASE = Case("1", "udiff", "", "python", PATH, OLD, same_text(NEW), update=DIFF)


@pytest.mark.parametrize("applier", APPLIERS, ids=lambda applier: applier.name)
def test_a_real_diff_is_right_with_every_applier(applier: Applier) -> None:
    assert applier.lacking() is None
    assert applier.apply(DIFF, PATH, OLD) == NEW
    assert applier.apply(DIFF, PATH, "x = 1\n") is None


def test_what_comes_out_is_right_refused_or_wrong() -> None:
    answers = iter([NEW, None, "other"])
    applier = Applier("some", None, lambda message, path, text: next(answers))
    tally = measure(applier, [CASE] * 3)
    assert tally.pop("ms") >= 0
    assert tally == {"edits": 3, "right": 1, "refused": 1, "wrong": 1}


def test_an_applier_gets_the_formats_that_it_reads() -> None:
    found = figures_of([CASE], APPLIERS)
    assert {kind: len(rows) for kind, rows in found.items()} == dict.fromkeys(KINDS, 1) | {
        "udiff": len(APPLIERS)
    }
    assert found["udiff"]["fastedit"]["right"] == 1


def test_the_headline_is_fastedits() -> None:
    rows = {
        "fastedit": {"edits": 10, "right": 9, "refused": 0, "wrong": 1},
        "other": {"edits": 10, "right": 0, "refused": 10, "wrong": 0},
    }
    assert headline({"v4a": rows, "udiff": rows}) == {"right": 0.9, "wrong": 2}


def test_a_fence_around_a_diff_is_no_part_of_it() -> None:
    assert bare("```diff\n--- a\n+++ b\n```\n") == "--- a\n+++ b\n"
    assert bare("--- a\n+++ b") == "--- a\n+++ b\n"
