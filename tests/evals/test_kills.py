"""The judge of killed edits finds what it is there to find."""

from __future__ import annotations

import os
import random

import pytest

from evals import kills
from evals.kills import Counts, Site


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setenv("FASTEDIT_STATE", os.devnull)  # the site sets its own, which goes with the test
    monkeypatch.setattr(kills, "FILES", 10)
    return Site(tmp_path, random.Random(0))


def test_a_few_kills_leave_nothing_half_applied(site):
    counts = Counts()
    for _ in range(3):
        site.kill_once(counts)
    assert counts.kills + counts.ended_before == 3
    assert counts.old + counts.new == counts.kills
    assert counts.half_applied == counts.temporary_files == counts.journal == 0


def test_a_half_applied_tree_is_counted_and_made_whole_for_the_next_kill(site):
    counts = Counts()
    (site.root / "d0/f0.py").unlink()
    site._judge(counts)
    assert (counts.old, counts.new, counts.half_applied) == (0, 0, 1)
    site._judge(counts)
    assert (counts.old, counts.half_applied) == (1, 1)


def test_a_temporary_file_that_was_left_is_counted(site):
    counts = Counts()
    (site.root / "d0" / ".fastedit-0").touch()
    site._judge(counts)
    assert (counts.old, counts.temporary_files) == (1, 1)


def test_a_journal_that_says_something_else_than_the_tree_is_counted(site):
    counts = Counts()
    for path in site.root.rglob("*.py"):
        path.unlink()
    kills.grow(site.root, site.new)
    site._judge(counts)
    assert (counts.new, counts.journal) == (1, 1)
