"""The faults run here as they do in the evaluation."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest

from evals.fault_kinds import Absent
from evals.faults import Counts, headline, measure

# In a process of its own, since commands are forked from one that has not loaded torch. What is planted there takes the
# place of `swap`, and is traced like the file that it stands in.
RUN = """
import json, random, sys
from dataclasses import asdict
from evals.fault_kinds import FAULTS
from evals.faults import measure
from fastedit.files import recovery, swap, transaction

if len(sys.argv) > 3:
    exec(compile(sys.argv[3], swap.__file__, "exec"))
    transaction.swap = recovery.swap = planted

for name in FAULTS if sys.argv[1] == "all" else sys.argv[1:2]:
    print(json.dumps(asdict(measure(FAULTS[name], int(sys.argv[2]), random.Random(0)))))
"""


IN_PLACE = """
def planted(root, changes, folders):
    for change in changes:
        with open(change.path, "wb", buffering=0) as file:
            for at in range(0, len(change.after), 16):
                file.write(change.after[at : at + 16])
"""
REMOVED_FIRST = """
def planted(root, changes, folders):
    for change in changes:
        change.path.unlink()
        for at in range(100):
            new = change.after
        change.path.write_bytes(new)
"""
NOT_WRITTEN = """
def planted(root, changes, folders):
    pass
"""


def counted(fault: str, applies: int, *planted: str) -> list[Counts]:
    ended = subprocess.run(
        [sys.executable, "-c", RUN, fault, str(applies), *planted],
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


@pytest.mark.parametrize(
    ("planted", "kind"), [(IN_PLACE, "torn"), (REMOVED_FIRST, "lost"), (NOT_WRITTEN, "lost")]
)
def test_a_writer_that_tears_or_loses_files_is_found_out(planted, kind):
    [found] = counted("kill -9 while writing", 12, planted)
    assert getattr(found, kind) > 0, found


def test_kills_fall_before_the_write_and_behind_it():
    [found] = counted("kill -9 at any moment", 30)
    assert found.killed > 0
    assert 0 < found.written < found.applies


def test_a_fault_that_cannot_be_made_here_is_absent_and_counts_nothing():
    def cannot(folder, rng):
        raise Absent("no disk")

    found = measure(cannot, 5, random.Random(0))
    assert (found.absent, found.applies) == ("no disk", 0)
    added = headline({"x": found, "y": Counts(applies=3, torn=1)})
    assert added == {"applies": 3, "torn": 1, "lost": 0, "journal": 0}


MUTE = """
import resource, signal, tempfile
from pathlib import Path
from evals.commands import Command

def nothing_can_be_written():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))

with tempfile.TemporaryDirectory() as folder:
    done = Command(["--help"], Path(folder), prepare=nothing_can_be_written).wait()
    print(Path(folder).exists())
"""


def test_a_command_that_can_say_nothing_ends_and_does_not_clean_up_for_its_parent():
    run = subprocess.run([sys.executable, "-c", MUTE], capture_output=True, text=True, check=False)
    assert run.stdout == "True\n"
