"""`python -m evals.faults`: what is left of a file when the machine does its worst while an edit is written.

Real `fastedit` processes edit real files and are killed, starved of disk, robbed of permissions, made to race and given
wrong clocks. Afterwards a file must be wholly old or wholly new, a command that said it wrote must have written, and
the journal must open and take back what the file shows. Files that a killed process leaves beside the file are
counted too, as `left`; they harm nothing.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from evals.fault_kinds import FAULTS, Absent, Found
from evals.machine import machine
from evals.table import table

FULL, QUICK = 1000, 40
SEED = 0


@dataclass(slots=True)
class Counts:
    """Of one kind of fault.

    `killed`: ended by the kill rather than before it; `written`: the edit, or where one is taken back the old text, is
    in the file; `torn`: neither old nor new; `lost`: no file, or a write that was reported and is not there.
    """

    applies: int = 0
    killed: int = 0
    written: int = 0
    torn: int = 0
    lost: int = 0
    journal: int = 0
    left: int = 0
    absent: str = ""
    what: list[str] = field(default_factory=list)

    def add(self, found: Found) -> None:
        self.applies += found.applies
        self.killed += found.killed
        self.written += found.written
        self.torn += found.torn
        self.lost += found.lost
        self.journal += found.journal
        self.left += found.left
        self.what += found.what


def measure(fault: Callable[[Path, random.Random], Found], applies: int, rng: random.Random) -> Counts:
    """One kind of fault until `applies` edits were tried, each attempt in a folder of its own."""
    counts = Counts()
    while counts.applies < applies:
        with tempfile.TemporaryDirectory(prefix="fastedit-faults-") as name:
            os.chmod(name, 0o755)  # where root runs this, the edits run as somebody else
            try:
                counts.add(fault(Path(name), rng))
            except Absent as reason:
                counts.absent = str(reason)
                break
    return counts


def headline(found: dict[str, Counts]) -> dict[str, int]:
    """Kills count with the rest: none of the three may ever be anything but 0."""
    names = ("applies", "torn", "lost", "journal")
    return {name: sum(getattr(counts, name) for counts in found.values()) for name in names}


def main(
    quick: Annotated[bool, typer.Option("--quick", help="A few dozen edits, under a minute.")] = False,
    applies: Annotated[int, typer.Option(help="Edits for the kills; the other faults get a fifth.")] = FULL,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Torn files, lost edits and broken journals, by kind of fault; ends with 1 where there is one."""
    rng = random.Random(SEED)
    killed = QUICK if quick else applies
    found = {
        name: measure(fault, killed if "kill" in name else max(killed // 5, 4), rng)
        for name, fault in FAULTS.items()
    }
    total = headline(found)
    print(f"{machine()}; seed {SEED}")
    names = ("applies", "killed", "written", "torn", "lost", "journal", "left")
    rows = [
        [name, *(["absent"] * len(names) if c.absent else (str(getattr(c, key)) for key in names))]
        for name, c in found.items()
    ]
    print(table(["fault", *names], rows))
    for name, counts in found.items():
        for line in [counts.absent] * bool(counts.absent) + counts.what[:10]:
            print(f"{name}: {line}")
    print(table(["headline", ""], [[name, str(value)] for name, value in total.items()]))
    if json_file:
        data = {"headline": total, "machine": machine(), "seed": SEED, "quick": quick}
        data |= {"figures": {name: asdict(counts) for name, counts in found.items()}}
        json_file.write_text(json.dumps(data, indent=1) + "\n")
    raise typer.Exit(1 if total["torn"] + total["lost"] + total["journal"] else 0)


if __name__ == "__main__":
    typer.run(main)
