"""The faults run here as they do in the evaluation."""

from __future__ import annotations

import json
import random
import subprocess
import sys

from evals.fault_kinds import Absent
from evals.faults import Counts, headline, measure

# In a process of its own, since commands are forked from one that has not loaded torch.
RUN = """
import json, random, sys
from dataclasses import asdict
from evals.fault_kinds import FAULTS
from evals.faults import measure

for name in FAULTS if sys.argv[1] == "all" else sys.argv[1:2]:
    print(json.dumps(asdict(measure(FAULTS[name], int(sys.argv[2]), random.Random(0)))))
"""


def counted(fault: str, applies: int) -> list[Counts]:
    ended = subprocess.run(
        [sys.executable, "-c", RUN, fault, str(applies)],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    return [Counts(**json.loads(line)) for line in ended.stdout.splitlines()]


def test_no_fault_tears_a_file_or_breaks_the_journal():
    for found in counted("all", 1):
        assert (found.torn, found.lost, found.journal, found.what) == (0, 0, 0, [])
        assert found.applies >= 1 or found.absent


def test_a_fault_that_cannot_be_made_here_is_absent_and_counts_nothing():
    def cannot(folder, rng):
        raise Absent("no disk")

    found = measure(cannot, 5, random.Random(0))
    assert (found.absent, found.applies) == ("no disk", 0)
    added = headline({"x": found, "y": Counts(applies=3, torn=1)})
    assert added == {"applies": 3, "torn": 1, "lost": 0, "journal": 0}
