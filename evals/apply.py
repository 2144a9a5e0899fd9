"""`python -m evals.apply`: real edits of the dev half in every edit format, applied by fastedit and by other appliers.

*clean*: the file is as its author read it. *far* and *near*: meanwhile it got another change, apart from the edit or
within its context (`evals.apply_drift`). Counted is what came out: exactly the wanted text, refused, or another text.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from evals import languages
from evals.apply_appliers import APPLIERS, Applier
from evals.apply_blocks import FileEdit
from evals.apply_drift import Drifted, clean, far, near
from evals.apply_many import many
from evals.apply_peers import installed
from evals.apply_writers import WRITERS, Writer
from evals.edits import load
from evals.machine import machine
from evals.table import table

SEED = 0
EDITS, QUICK = 200, 20
LONGEST = 4000  # lines
CONDITIONS = ("clean", "far", "near")
# What these change is named by position alone: in a file that changed, no applier can tell that it is elsewhere.
BLIND = frozenset({"WorkspaceEdit", "whole file"})
# These verify the lines that they name, and are meant to be refused once the file has changed.
VERIFIED = frozenset({"hashline, lines", "hashline, file"})


@dataclass(frozen=True, slots=True)
class Tally:
    """One applier with one dialect under one condition; `ms` in the median."""

    edits: int
    right: int
    refused: int
    wrong: int
    ms: float


def real_edits(count: int) -> list[FileEdit]:
    """Files before and after, of Python and of other languages, whose line ends and last line stay as they are."""
    found = [
        FileEdit(edit.path, edit.old, edit.new)
        for edit in [*load("dev"), *languages.load("dev")]
        if "\r" not in edit.old + edit.new and edit.old.count("\n") <= LONGEST
    ]
    found = [edit for edit in found if edit.same_end and edit.old]
    return random.Random(SEED).sample(found, min(count, len(found)))


def under(condition: str, edits: Sequence[FileEdit]) -> list[Drifted]:
    """The edits with their files as they are under a condition; those without any such change are left out."""
    chance = random.Random(SEED)
    makes: dict[str, Callable[[FileEdit, random.Random], Drifted | None]]
    makes = {"clean": lambda edit, _: clean(edit), "far": far, "near": near}
    return [drifted for edit in edits if (drifted := makes[condition](edit, chance)) is not None]


def written(writer: Writer, cases: Sequence[Drifted]) -> list[tuple[Drifted, str]]:
    """The edits that the format can say, with their messages."""
    messages = ((case, writer.write(case.edit)) for case in cases)
    return [(case, message) for case, message in messages if message is not None]


def measure(applier: Applier, messages: Sequence[tuple[Drifted, str]]) -> Tally:
    counts = {"right": 0, "refused": 0, "wrong": 0}
    seconds: list[float] = []
    for case, message in messages:
        started = time.perf_counter()
        text = applier.apply(message, case.edit.path, case.now)
        seconds.append(time.perf_counter() - started)
        counts["refused" if text is None else "right" if text == case.wanted else "wrong"] += 1
    return Tally(len(seconds), **counts, ms=1000 * statistics.median(seconds or [0]))


def headline(found: dict[str, dict[str, Tally]]) -> dict[str, float]:
    """fastedit's share of right files and number of wrong ones over the dialects that carry the text they change."""
    figures: dict[str, float] = {}
    for condition, rows in found.items():
        ours = [
            tally
            for name, tally in rows.items()
            if name.endswith(": fastedit") and name.removesuffix(": fastedit") not in BLIND | VERIFIED
        ]
        figures[f"right, {condition}"] = sum(tally.right for tally in ours) / sum(
            tally.edits for tally in ours
        )
        figures[f"wrong, {condition}"] = sum(tally.wrong for tally in ours)
    return figures


def figures_of(edits: Sequence[FileEdit], appliers: Sequence[Applier]) -> dict[str, dict[str, Tally]]:
    """The tallies by condition, and by dialect and applier."""
    found: dict[str, dict[str, Tally]] = {}
    for condition in CONDITIONS:
        cases, rows = under(condition, edits), found.setdefault(condition, {})
        for writer in WRITERS:
            messages = written(writer, cases)
            for applier in appliers:
                if applier.reads(writer.name):
                    rows[f"{writer.name}: {applier.name}"] = measure(applier, messages)
    return found


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Few edits, under a minute.")] = False,
    peers: Annotated[
        bool, typer.Option("--peers", help="Also appliers from PyPI and npm, in a temporary folder.")
    ] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Right, refused and wrong files by format and applier."""
    edits = real_edits(QUICK if quick else EDITS)
    absent = {applier.name: reason for applier in APPLIERS if (reason := applier.lacking())}
    appliers = [applier for applier in APPLIERS if applier.name not in absent]
    with tempfile.TemporaryDirectory() as folder:
        if peers:
            others, missing = installed(Path(folder))
            appliers += others
            absent |= missing
        found = figures_of(edits, appliers)
    change = many(10 if quick else 100)
    print(f"{machine()}; {len(edits)} real edits of the dev splits, seed {SEED}")
    for condition, rows in found.items():
        print(
            f"\n{table([condition, *Tally.__dataclass_fields__], [_row(name, t) for name, t in rows.items()])}"
        )
    print(
        "\n" + table(["a change of many files", ""], [[name, f"{value:g}"] for name, value in change.items()])
    )
    for name, reason in absent.items():
        print(f"{name}: absent, {reason}")
    if json_file:
        data: dict[str, Any] = {"headline": headline(found) | change, "machine": machine(), "seed": SEED}
        data |= {"quick": quick, "absent": absent}
        data["figures"] = {c: {n: asdict(t) for n, t in rows.items()} for c, rows in found.items()}
        json_file.write_text(json.dumps(data, indent=1) + "\n")


def _row(name: str, tally: Tally) -> list[str]:
    return [
        name,
        *(f"{value:.4g}" if isinstance(value, float) else str(value) for value in asdict(tally).values()),
    ]


if __name__ == "__main__":
    typer.run(main)
