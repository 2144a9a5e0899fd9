"""Cases hold one edit each, and the wanted text differs from the old one in that edit alone."""

from __future__ import annotations

import inspect
import textwrap
from dataclasses import dataclass

import pytest

import fastedit.edit.document as document_module
import fastedit.edit.hunks as hunks_module
from evals.cases import ambiguous, in_turn, instruction_cases, lines_of, update_cases
from fastedit.edit.hunks import diff_lines
from fastedit.train.families import FAMILIES


@dataclass(frozen=True)
class File:
    package: str
    path: str
    old: str
    new: str


DOCUMENT = inspect.getsource(document_module)
HUNKS = inspect.getsource(hunks_module)
WRAP = inspect.getsource(textwrap)
CHANGED = DOCUMENT.replace("len(data) > MOST_BYTES", "len(data) >= MOST_BYTES").replace(
    "import hashlib\n", "import hashlib\nimport os\n"
)
FILES = [
    File("own", "own/document.py", DOCUMENT, CHANGED),
    File("own", "own/hunks.py", HUNKS, HUNKS.replace("_LONGEST_RUN = 16", "_LONGEST_RUN = 17")),
    File("text", "text/wrap.py", WRAP, WRAP.replace("whitespace", "blanks")),
]


def test_each_real_change_of_a_file_becomes_a_case_of_its_own():
    cases, census = update_cases(FILES[:1], 10)
    assert len(cases) == 2
    assert (census.files, census.hunks, census.unusable) == (1, 2, 0)
    for case in cases:
        assert case.kind == case.mode == "update"
        assert len(diff_lines(lines_of(case.old), lines_of(case.wanted))) == case.hunks == 1
        assert case.update
        assert case.lines <= 60


def test_the_cases_of_a_file_together_are_its_new_text():
    cases, _ = update_cases(FILES[:1], 10)
    old = lines_of(DOCUMENT)
    hunks = sorted((h for c in cases for h in diff_lines(old, lines_of(c.wanted))), key=lambda h: h.start)
    assert hunks == list(diff_lines(old, lines_of(CHANGED)))


def test_a_change_too_long_for_a_region_is_counted():
    long = File("own", "own/long.py", WRAP, WRAP + "\n".join(f"x{i} = {i}" for i in range(80)) + "\n")
    cases, census = update_cases([long], 10)
    assert cases == []
    assert census.unusable == 1


def test_packages_take_turns():
    assert {file.package for file in list(in_turn(FILES, 0))[:2]} == {"own", "text"}


def test_the_same_seed_makes_the_same_cases():
    assert update_cases(FILES, 4, seed=3) == update_cases(FILES, 4, seed=3)
    assert instruction_cases(FILES, 1, seed=3) == instruction_cases(FILES, 1, seed=3)


def test_every_family_makes_cases_that_change_a_small_region_of_a_whole_file():
    cases = instruction_cases(FILES, 1)
    spoken = {name for name, family in FAMILIES.items() if "python" in family.languages}
    made = {case.kind for case in cases}
    assert made <= spoken
    assert len(made) > len(spoken) / 2
    for case in cases:
        assert case.mode == "instruction"
        assert case.instruction
        assert case.update is None
        assert case.old in (DOCUMENT, HUNKS, WRAP)
        assert 1 <= case.lines <= 60
        assert case.hunks == len(diff_lines(lines_of(case.old), lines_of(case.wanted)))


TWICE = [
    "class A:",
    "    def size(self):",
    "        return 1",
    "class B:",
    "    def size(self):",
    "        return 2",
]


@pytest.mark.parametrize(
    ("family", "instruction", "lines", "expected"),
    [
        ("add_log", "start `size` with `print(1)`", TWICE, True),
        ("add_log", "start `size` with `print(1)`", TWICE[:3], False),
        ("add_import", "add `import re`", ["import os", "", "import sys"], True),
        ("add_import", "add `import re`", ["import os", "from a import (", "    b,", ")"], True),
        ("add_import", "add `import re`", ["import os", "import sys", "x = 1"], False),
    ],
)
def test_an_instruction_that_fits_two_places_is_ambiguous(family, instruction, lines, expected):
    assert ambiguous(family, instruction, lines) is expected
