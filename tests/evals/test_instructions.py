"""Cases that are asked for in words say one thing only, and what is wanted is what they say."""

from __future__ import annotations

import pytest

from evals.instructions import ambiguous, instruction_cases, several_cases, spoken_cases
from evals.regions import MOST
from fastedit.train.families import FAMILIES
from tests.evals.files import DOCUMENT, FILES, HUNKS, WRAP, File


def test_every_family_makes_cases_that_change_a_small_region_of_a_whole_file():
    cases = instruction_cases(FILES, 1)
    spoken = {name for name, family in FAMILIES.items() if "python" in family.languages}
    made = {case.kind for case in cases}
    assert made <= spoken
    assert len(made) > len(spoken) / 2
    for case in cases:
        assert case.instruction
        assert case.update is None
        assert case.old in (DOCUMENT, HUNKS, WRAP)
        assert 1 <= case.lines <= MOST
        assert case.old != case.wanted


TWICE = [
    "class A:",
    "    def size(self):",
    "        return 1",
    "class B:",
    "    def size(self):",
    "        return 2",
]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [(TWICE, True), (TWICE[:3], False)],
)
def test_an_instruction_that_fits_two_places_is_ambiguous(lines, expected):
    assert ambiguous("start `size` with `print(1)`", lines) is expected


def test_two_things_asked_for_at_once_are_both_in_the_wanted_text():
    cases = several_cases(FILES, 4)
    assert [case.kind for case in cases] == ["several"] * 4
    for case in cases:
        assert case.update is None
        assert case.old != case.wanted
        assert case.lines <= MOST


def test_other_languages_get_instructions_that_their_families_know():
    script = "function load(path) {\n  const text = read(path);\n  return text;\n}\n\nconst limit = 10;\n"
    file = File("own", "own/load.js", script, script.replace("10", "20"))
    (case,) = spoken_cases([file], 3)
    assert case.language == "javascript"
    assert "javascript" in FAMILIES[case.kind].languages
    assert case.wanted != case.old
