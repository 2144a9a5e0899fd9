"""`python -m evals.apply_sketches`: ways to put an edit into a file without a model, on the same real edits.

*clean*: the file is as the author saw it. *drifted*: meanwhile it got other changes, elsewhere (a comment of two lines
behind every tenth line that no hunk is near). *sloppy*: the author has lost the trailing blanks and indents by two more
columns, as chat models do. Counted is what came out: exactly the wanted text, refused, or another text; and how many
characters the author had to write.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from evals.cases import Case, lines_of, update_cases
from evals.edits import load
from evals.machine import machine
from evals.peers.appliers import APPLIERS, Applier
from evals.table import table
from fastedit.source.hunks import diff_lines

SEED = 0
EDITS, QUICK = 300, 20
EVERY, NEAR = 10, 6
CONDITIONS = ("clean", "drifted", "sloppy")


@dataclass(frozen=True, slots=True)
class Tally:
    """One applier under one condition. `written` are the characters of the edit in its form, in the median."""

    cases: int
    exact: int
    refused: int
    wrong: int
    written: float
    ms: float


def drifted(case: Case) -> tuple[str, str]:
    """The old and the wanted text of a file in which somebody else added lines that this edit is not about."""
    old, wanted = lines_of(case.old), lines_of(case.wanted)
    hunks = diff_lines(old, wanted)
    far = [
        at
        for at in range(EVERY, len(old), EVERY)
        if all(at + NEAR < hunk.start or at - NEAR > hunk.stop for hunk in hunks)
    ]
    for at in reversed(far):
        shift = sum(len(hunk.lines) - (hunk.stop - hunk.start) for hunk in hunks if hunk.stop <= at)
        note = [f"# note {at}", f"# of somebody else, {at}"]
        old[at:at] = note
        wanted[at + shift : at + shift] = note
    end = "\n" if case.old.endswith("\n") else ""
    return "\n".join(old) + end, "\n".join(wanted) + end


def sloppy(text: str, form: str) -> str:
    """What a careless author writes: two columns more of indentation, no trailing blanks; a diff keeps its signs."""
    signs = 1 if form.startswith(("git", "patch")) else 0
    lines = []
    for line in text.split("\n"):
        sign, code = line[:signs], line[signs:]
        frame = line.startswith(("@@", "---", "+++", "\\", "<<<<<<<", "=======", ">>>>>>>"))
        lines.append(line if frame or not code.strip() else f"{sign}  {code}".rstrip())
    return "\n".join(lines)


def measure(applier: Applier, cases: Sequence[Case], condition: str) -> Tally:
    exact = refused = 0
    sizes, seconds = list[int](), list[float]()
    for case in cases:
        old, wanted = drifted(case) if condition == "drifted" else (case.old, case.wanted)
        edit = applier.write(case)
        sizes.append(len(edit))
        said = sloppy(edit, applier.name) if condition == "sloppy" else edit
        started = time.perf_counter()
        text = applier.apply(case, said, old)
        seconds.append(time.perf_counter() - started)
        exact += text == wanted
        refused += text is None
    wrong = len(cases) - exact - refused
    return Tally(
        len(cases), exact, refused, wrong, statistics.median(sizes), 1000 * statistics.median(seconds)
    )


def headline(found: dict[str, dict[str, Tally]]) -> dict[str, float]:
    """The share of exact texts, by applier and condition."""
    return {
        f"{name}, {condition}": tally.exact / tally.cases
        for name, row in found.items()
        for condition, tally in row.items()
    }


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Few edits, under a minute.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Exact, refused and wrong texts by way of applying."""
    cases, _ = update_cases(load("test"), QUICK if quick else EDITS, SEED)
    absent = {applier.name: reason for applier in APPLIERS if (reason := applier.lacking())}
    found = {
        applier.name: {condition: measure(applier, cases, condition) for condition in CONDITIONS}
        for applier in APPLIERS
        if applier.name not in absent
    }
    print(f"{machine()}; {len(cases)} real edits of the test split, seed {SEED}")
    rows = [
        [f"{name}, {condition}", *(f"{value:g}" for value in asdict(tally).values())]
        for name, row in found.items()
        for condition, tally in row.items()
    ]
    print(table(["applier", "cases", "exact", "refused", "wrong", "characters written", "ms"], rows))
    for name, reason in absent.items():
        print(f"{name}: absent, {reason}")
    if json_file:
        data = {
            "headline": headline(found),
            "machine": machine(),
            "seed": SEED,
            "quick": quick,
            "absent": absent,
        }
        data |= {"figures": {n: {c: asdict(t) for c, t in row.items()} for n, row in found.items()}}
        json_file.write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
