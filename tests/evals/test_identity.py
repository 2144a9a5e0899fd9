"""Speculation and plain decoding are compared token by token, in one run or in several."""

from __future__ import annotations

from dataclasses import replace

import pytest
import typer

from evals.identity import Comparison, Kept, compare, compare_all, headline
from tests.evals.conftest import CASE, INSTRUCTION

RENAME = replace(INSTRUCTION, id=f"{INSTRUCTION.id}:rename")


def test_a_model_in_float32_writes_the_same_with_and_without_speculation(model, parts):
    found = [compare(model, part) for part in parts]
    assert all(one.first_difference is None and one.tokens > 0 for one in found)


def test_the_headline_counts_a_region_that_differs():
    figures = headline([Comparison(10, None), Comparison(30, 4)])
    assert figures == {"regions": 2, "tokens": 40, "identical": 0.5}


def test_a_piece_that_ran_out_of_time_or_was_killed_is_gone_on_with(model, tmp_path):
    cases, file = [CASE, RENAME], tmp_path / "kept.jsonl"
    first = Kept(file, "as set")
    running = compare_all(model, cases, first, 1e9)
    assert next(running) == CASE.id
    file.write_bytes(file.read_bytes() + b'{"edit": "own/a.py:1:ren')
    second = Kept(file, "as set")
    assert second.found == first.found
    assert list(compare_all(model, cases, second, -1)) == []
    assert list(compare_all(model, cases, second, 1e9)) == [RENAME.id]
    third = Kept(file, "as set")
    assert third.found.keys() == {CASE.id, RENAME.id}
    assert list(compare_all(model, cases, third, 1e9)) == []
    assert headline(third.regions)["identical"] == 1


@pytest.mark.parametrize(
    ("text", "why"), [('{"settings": "others"}\n', "made with others"), ("x\n", "holds no")]
)
def test_a_file_of_other_settings_or_of_something_else_is_left_alone(tmp_path, text, why):
    file = tmp_path / "kept.jsonl"
    file.write_text(text)
    with pytest.raises(typer.BadParameter, match=why):
        Kept(file, "as set")
    assert file.read_text() == text
