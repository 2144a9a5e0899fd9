"""Edits are written in every format, files drift where they should, and what comes out is counted by what it is."""

from __future__ import annotations

import random

import pytest

from evals.apply import BLIND, VERIFIED, Tally, headline, measure, under, written
from evals.apply_appliers import APPLIERS, UDIFF, Applier, bare
from evals.apply_blocks import FileEdit, line_blocks
from evals.apply_drift import FAR, Drifted, clean, far, near
from evals.apply_many import many
from evals.apply_writers import WRITERS, git_diff

OLD = "".join(f"def step_{n}():\n    total = {n}\n    return total\n\n\n" for n in range(30))
NEW = OLD.replace("total = 5\n", "total = 50\n").replace("total = 25\n", "total = 250\n    log(total)\n")
EDIT = FileEdit("src/steps.py", OLD, NEW)
DIALECTS = {writer.name for writer in WRITERS}


@pytest.mark.parametrize("applier", APPLIERS, ids=lambda applier: applier.name)
def test_a_real_diff_is_right_with_every_applier(applier: Applier) -> None:
    assert applier.lacking() is None
    assert applier.apply(git_diff(EDIT), EDIT.path, OLD) == NEW
    assert applier.apply(git_diff(EDIT), EDIT.path, "x = 1\n") is None


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.name)
def test_every_dialect_is_right_with_fastedit(writer) -> None:
    tally = measure(APPLIERS[0], written(writer, [clean(EDIT)]))
    assert (tally.edits, tally.right) == (1, 1)


def test_an_author_repeats_lines_until_a_block_is_unique() -> None:
    old = "a\nsame\nb\n" + "x\nsame\ny\n"
    [block] = line_blocks(FileEdit("a", old, old.replace("x\nsame", "x\nnew"), context=0))
    assert old.split("\n")[block.start : block.stop] == ["x", "same", "y"]
    [block] = line_blocks(FileEdit("a", old, old.replace("x\nsame", "x\nnew"), context=0, unique=False))
    assert old.split("\n")[block.start : block.stop] == ["same"]


def test_far_changes_leave_the_context_alone_and_near_ones_do_not() -> None:
    chance = random.Random(1)
    for _ in range(20):
        for made, limits in ((far(EDIT, chance), (FAR, 1000)), (near(EDIT, chance), (1, 3))):
            assert made is not None
            rows = [
                row for row, line in enumerate(OLD.split("\n")) if line[-3:] == "= 5" or line[-4:] == "= 25"
            ]
            theirs = next(
                row
                for row, pair in enumerate(zip(OLD.split("\n"), made.now.split("\n"), strict=False))
                if len(set(pair)) > 1
            )
            assert made.now != made.edit.old
            assert made.wanted not in (made.now, made.edit.new)
            gap = min(abs(theirs - row) for row in rows)
            assert gap == 0 or limits[0] <= gap <= limits[1] + 1


def test_what_comes_out_is_right_refused_or_wrong() -> None:
    answers = iter([NEW, None, "other"])
    applier = Applier("some", None, lambda message, path, text: next(answers))
    tally = measure(applier, written(WRITERS[0], [clean(EDIT)] * 3))
    assert (tally.edits, tally.right, tally.refused, tally.wrong) == (3, 1, 1, 1)


def test_the_headline_counts_dialects_that_carry_their_text() -> None:
    rows = {f"{writer.name}: fastedit": Tally(10, 9, 0, 1, 1.0) for writer in WRITERS}
    rows["V4A: other"] = Tally(10, 0, 10, 0, 1.0)
    counted = len(DIALECTS - BLIND - VERIFIED)
    assert headline({"clean": rows}) == {"right, clean": 0.9, "wrong, clean": counted}
    assert DIALECTS > BLIND | VERIFIED | UDIFF


def test_files_without_room_for_another_change_are_left_out() -> None:
    short = FileEdit("a", "x\n", "y\n")
    assert under("far", [short]) == under("near", [short]) == []
    assert under("clean", [short]) == [Drifted(short, "x\n", "y\n")]


def test_a_fence_around_a_diff_is_no_part_of_it() -> None:
    assert bare("```diff\n--- a\n+++ b\n```\n") == "--- a\n+++ b\n"
    assert bare("--- a\n+++ b\n") == "--- a\n+++ b\n"


def test_a_change_of_many_files_is_read_placed_and_written() -> None:
    found = many(3)
    assert (found["files"], found["hunks"]) == (3, 30)
    assert found["seconds"] > 0
