"""Which token is of which kind, what each kind costs, and what may be said of the figures."""

from __future__ import annotations

import pytest

from evals.drafters import Row, recommendation, region_parts, repository
from evals.edits import RealEdit
from evals.outside.case import Case
from evals.spans import KINDS, ByKind, kinds_of
from evals.timing.turns import faster
from fastedit.engine.models.folder import NANO
from fastedit.prompt.base import RegionTask
from fastedit.prompt.embedded import EmbeddedFormat


def test_tokens_are_told_apart_by_the_line_that_they_stand_in():
    form = EmbeddedFormat.load(NANO)
    task = RegionTask(("def load(path):", "    return read(path)"))
    tags = form.tags_for(task)
    lines = (
        (tags.of_original(0), "def load(path):"),
        (tags.of_original(1), "    return read(path, mode)"),
        (tags.new, "# finished for good"),
    )
    wanted = [
        kind
        for (_, text), kind in zip(lines, KINDS, strict=True)
        for _ in range(1 + len(form.encode_line(text)))
    ]
    tokens = form.tagged(lines)
    assert kinds_of(form, task, tokens) == wanted


def test_a_pass_counts_for_each_kind_by_its_share():
    found = ByKind()
    found.add(["copied"] * 6 + ["novel"] * 3, [8, 0, 1])
    assert found.tokens["copied"] == 6
    assert found.passes == pytest.approx({"copied": 0.75, "edited": 0.0, "novel": 1.25})
    assert found.tokens_per_pass("copied") == pytest.approx(8.0)
    assert found.tokens_per_pass("edited") == 0.0
    assert found.tokens_per_pass() == pytest.approx(4.5)


def test_a_repository_begins_with_the_files_that_are_edited_and_has_others_of_their_packages():
    files = [RealEdit(package, path, "", "", 0.0) for package, path in (("p", "a"), ("q", "b"), ("q", "c"))]
    assert repository(files, [Case("q/x", "sketch", "", "python", "c", "", None)]) == [files[2], files[1]]


def row(*seconds: float) -> Row:
    made = Row(seconds=list(seconds), chars=100)
    made.kinds.add(["novel"] * 4, [4])
    return made


def test_a_drafter_is_recommended_only_over_those_that_it_is_surely_faster_than():
    rows = {"none": row(4, 5, 6, 5, 5), "a": row(1, 1.1, 1, 1.2, 1), "b": row(0.9, 1.3, 1, 1.2, 1)}
    said = recommendation({"update": rows}).splitlines()
    cells = [cell.strip() for cell in said[2].strip("|").split("|")]
    assert cells == ["update", "a", "4.72", "b"]
    few = recommendation({"update": {name: row(*made.seconds[:2]) for name, made in rows.items()}})
    assert "too few edits to tell" in few
    assert faster([1, 1, 1], [2, 2, 2]) == 1.0
    assert faster([1, 1], [1, 1]) == 0.0


def test_an_edit_that_is_refused_has_no_regions():
    lost = Case("x", "sketch", "", "python", "x.py", "x = 1\n", None, "  ")
    assert region_parts([lost], 2) == []


def test_an_instruction_that_names_too_many_places_has_no_regions():
    old = "".join(f"value = make({i})\n\n\ndef part{i}():\n    return value\n\n\n" for i in range(30))
    lost = Case("many", "x", "", "python", "a.py", old, None, "make value better everywhere")
    assert region_parts([lost], 2) == []
