"""What other tools publish as their behaviour, re-said as cases: input files, a message, the files after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.conformance.cases import CASES, Case, outcome
from tests.formats.conformance.document import DOCUMENT, END, START, block


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_message_has_the_files_or_the_refusal_of_its_case(case: Case, tmp_path: Path) -> None:
    found = outcome(case, tmp_path)
    if case.refuse is not None:
        assert isinstance(found, str), f"not refused: {found}"
        assert case.refuse in found
    else:
        assert found == case.after


def test_every_case_says_what_it_is_about_once() -> None:
    assert len({str(case) for case in CASES}) == len(CASES)


def test_the_document_has_the_table_that_the_cases_make() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert START in text
    stale = "run: python -m tests.formats.conformance.document"
    assert text[text.index(START) :].split(END)[0].removeprefix(START).strip() == block().strip(), stale
