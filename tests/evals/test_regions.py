"""Hunks of a changed file are gathered into regions that are small, disjoint and whole where they can be."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from evals.regions import MOST, changed_regions, definitions_in
from fastedit.request import LineRange
from fastedit.source.hunks import Hunk

TEXT = """import os


@cache
def load(path):
    with open(path) as file:
        return file.read()


class Store:
    size = 1

    def save(self):
        pass
""".splitlines()


@st.composite
def files(draw):
    """A file's length and its sorted, disjoint hunks."""
    marks = sorted(draw(st.lists(st.integers(0, 300), min_size=2, max_size=16, unique=True)))
    hunks = [
        Hunk(a, b, ("x",) * draw(st.integers(0, 130)))
        for a, b in zip(marks[0::2], marks[1::2], strict=False)
        if draw(st.booleans())
    ]
    return marks[-1] + draw(st.integers(0, 20)), hunks


def test_definitions_start_at_their_decorators():
    assert definitions_in(TEXT, "python") == [LineRange(3, 7), LineRange(9, 14), LineRange(12, 14)]


def test_text_without_a_grammar_has_no_definitions():
    assert definitions_in(["a: 1"], "text") == []


def test_a_change_in_a_function_takes_the_whole_function():
    regions, unusable = changed_regions(
        15, [Hunk(5, 6, ("        return 1",))], definitions_in(TEXT, "python")
    )
    assert [(r.start, r.stop, r.lines) for r in regions] == [(3, 7, 4)]
    assert unusable == 0


def test_a_change_outside_definitions_takes_lines_of_context():
    regions, _ = changed_regions(100, [Hunk(50, 51, ("x",))], [])
    assert [(r.start, r.stop) for r in regions] == [(42, 59)]


def test_a_hunk_over_the_limit_is_counted_and_not_touched_by_its_neighbours():
    hunks = [Hunk(10, 11, ("x",)), Hunk(14, 140, ()), Hunk(142, 143, ("y",))]
    regions, unusable = changed_regions(160, hunks, [])
    assert unusable == 1
    assert [(r.start, r.stop) for r in regions] == [(2, 14), (140, 151)]


def test_two_changes_in_one_function_are_one_region():
    hunks = [Hunk(4, 5, ("def load(name):",)), Hunk(5, 6, ("    with open(name) as file:",))]
    regions, _ = changed_regions(15, hunks, definitions_in(TEXT, "python"))
    assert len(regions) == 1
    assert len(regions[0].hunks) == 2


@given(files(), st.lists(st.tuples(st.integers(0, 280), st.integers(1, 150)), max_size=5))
def test_regions_are_disjoint_small_and_hold_every_usable_hunk(file, places):
    count, hunks = file
    definitions = [LineRange(start, min(count, start + size)) for start, size in places if start < count]
    regions, unusable = changed_regions(count, hunks, definitions)
    assert sum(len(r.hunks) for r in regions) + unusable == len(hunks)
    assert all(a.stop <= b.start for a, b in pairwise(regions))
    for region in regions:
        assert region.lines <= MOST
        assert 0 <= region.start <= region.hunks[0].start
        assert region.hunks[-1].stop <= region.stop <= count
