"""`python -m evals.outside.apply`: edits in formats that others read too, by fastedit and by them.

The edits are those of the suite `agents` on dev, written blind for real changes: blocks, diffs and envelopes, as agents
send them. Counted is what came out, by the same judge: the right text, refused, or another text.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from evals.outside.case import Case
from evals.outside.peers.appliers import APPLIERS, Applier, installed
from evals.outside.sent import agents_alone
from evals.publish import Json, Quick, publish
from fastedit.console import reported

KINDS = ("search_replace", "udiff", "v4a")
QUICK = 5  # edits of a kind


FormatTally = dict[str, float]


def measure(applier: Applier, cases: Sequence[Case]) -> FormatTally:
    """One applier with the edits of one format; `ms` in the median."""
    counts = {"right": 0, "refused": 0, "wrong": 0}
    seconds: list[float] = []
    for case in cases:
        assert case.update is not None
        started = time.perf_counter()
        text = applier.apply(case.update, case.path, case.old)
        seconds.append(time.perf_counter() - started)
        counts["refused" if text is None else "right" if case.is_right(text) else "wrong"] += 1
    return {"edits": len(seconds), **counts, "ms": 1000 * statistics.median(seconds or [0])}


def figures_of(cases: Sequence[Case], appliers: Sequence[Applier]) -> dict[str, dict[str, FormatTally]]:
    """The tallies by format and applier."""
    return {
        kind: {
            applier.name: measure(applier, [case for case in cases if case.kind == kind])
            for applier in appliers
            if applier.reads(kind)
        }
        for kind in KINDS
    }


def headline(found: dict[str, dict[str, FormatTally]]) -> dict[str, float]:
    """fastedit's share of right files and number of wrong ones."""
    ours = [rows["fastedit"] for rows in found.values()]
    return {
        "right": sum(tally["right"] for tally in ours) / sum(tally["edits"] for tally in ours),
        "wrong": sum(tally["wrong"] for tally in ours),
    }


@reported
def main(
    quick: Quick = False,
    peers: Annotated[
        bool, typer.Option("--peers", help="Also appliers from PyPI and npm, in a temporary folder.")
    ] = False,
    json_file: Json = None,
) -> None:
    """Right, refused and wrong files by format and applier."""
    cases = [case for case in agents_alone("dev") if case.says_so]
    if quick:
        cases = [case for kind in KINDS for case in [one for one in cases if one.kind == kind][:QUICK]]
    absent = {applier.name: reason for applier in APPLIERS if (reason := applier.lacking())}
    appliers = [applier for applier in APPLIERS if applier.name not in absent]
    with tempfile.TemporaryDirectory() as folder:
        if peers:
            others, missing = installed(Path(folder))
            appliers += others
            absent |= missing
        found = figures_of(cases, appliers)
    publish("agents' edits of dev", headline(found), found, json_file, quick=quick, absent=absent)


if __name__ == "__main__":
    typer.run(main)
