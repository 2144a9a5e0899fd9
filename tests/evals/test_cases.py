"""Cases hold one edit each, and the wanted text differs from the old one in that edit alone."""

from __future__ import annotations

from evals.cases import in_turn, lines_of, update_cases
from evals.regions import MOST
from fastedit.source.hunks import diff_lines
from tests.evals.files import CHANGED, DOCUMENT, FILES, WRAP, File


def test_each_real_change_of_a_file_becomes_a_case_of_its_own():
    cases = update_cases(FILES[:1], 10)
    assert len(cases) == 2
    for case in cases:
        assert case.kind == "update"
        assert len(diff_lines(lines_of(case.old), lines_of(case.wanted))) == 1
        assert case.update
        assert case.lines <= MOST


def test_the_cases_of_a_file_together_are_its_new_text():
    cases = update_cases(FILES[:1], 10)
    old = lines_of(DOCUMENT)
    hunks = sorted((h for c in cases for h in diff_lines(old, lines_of(c.wanted))), key=lambda h: h.start)
    assert hunks == list(diff_lines(old, lines_of(CHANGED)))


def test_a_change_too_long_for_a_region_is_no_case():
    long = File("own", "own/long.py", WRAP, WRAP + "\n".join(f"x{i} = {i}" for i in range(140)) + "\n")
    assert update_cases([long], 10) == []


def test_packages_take_turns():
    assert {file.package for file in list(in_turn(FILES, 0))[:2]} == {"own", "text"}


def test_the_same_seed_makes_the_same_cases():
    assert update_cases(FILES, 4, seed=3) == update_cases(FILES, 4, seed=3)
