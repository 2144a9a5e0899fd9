from __future__ import annotations

import pytest

from evals.plain import Outcome, counted, headline, load, outcome
from fastedit import Engine

CASES = load()
# Of most cases that were added to mend mistakes nothing is to be understood, so how many are is no share.
UNDERSTOOD = {"dev": 350, "test": 80}


@pytest.mark.parametrize("split", ["dev", "test"])
def test_no_plain_instruction_is_carried_out_wrongly_without_a_doubt(split):
    engine = Engine()
    met = [(case, outcome(engine, case, "merge")) for case in CASES if case.split == split]
    assert not [case.instruction for case, found in met if found is Outcome.WRONG_OK]
    counts = counted(met)
    assert headline(counts)["cases"] == len(met)
    assert counts["all"][Outcome.RIGHT_OK] >= UNDERSTOOD[split]


def test_every_wanted_text_differs_from_the_file():
    assert all(case.old not in case.wanted for case in CASES)
    assert {case.split for case in CASES} == {"dev", "test"}
