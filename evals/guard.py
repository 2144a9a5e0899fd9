"""`python -m evals.guard`: has the engine become slower than it was when it was last recorded?

Runs the side-by-side evaluation anew, or reads a new record, and compares it with the recorded one of the same kind of
machine. Seconds of two runs are never compared: each run is put in units of its own anchor, plain transformers in the
same process, so that a busy machine slows both. A change counts once it is larger than chance: the interval that
holds 95 of 100 resamplings of the edits must lie wholly below 1 - `TOLERATED`.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from evals.record import load, measure
from evals.table import table

TOLERATED = 0.05  # what the same code differs by from day to day, beyond chance
RESAMPLINGS = 2000


class Incomparable(ValueError):
    """Two records that say nothing about each other; the message says why."""


@dataclass(frozen=True, slots=True)
class Change:
    """Of one way on one workload: speed in units of the anchor, then and now, and the interval of now over then."""

    workload: str
    way: str
    then: float
    now: float
    low: float
    high: float

    @property
    def regressed(self) -> bool:
        return self.high < 1 - TOLERATED


def compare(then: dict[str, Any], now: dict[str, Any], seed: int = 0) -> list[Change]:
    """Every way that both records have. Raises Incomparable."""
    places = [record["environment"]["machine"] for record in (then, now)]
    if places[0] != places[1]:
        raise Incomparable(
            f"the record is of another machine ({places[0]}, here {places[1]}); record it here first"
        )
    anchor = then["data"].get("anchor")
    if anchor is None or anchor != now["data"].get("anchor"):
        raise Incomparable("the records have no common anchor; record it anew")
    changes = []
    for workload, before in then["data"]["edits"].items():
        after = now["data"]["edits"].get(workload, {})
        for way in before:
            if way == anchor or way not in after or anchor not in before or anchor not in after:
                continue
            if len(before[way]) != len(after[way]):
                raise Incomparable(f"{workload}: {len(before[way])} edits then and {len(after[way])} now")
            changes.append(
                _change(workload, way, _ratios(before, way, anchor), _ratios(after, way, anchor), seed)
            )
    if not changes:
        raise Incomparable("the records have no workload in common")
    return changes


def _ratios(edits: dict[str, Any], way: str, anchor: str) -> list[tuple[float, float]]:
    """Seconds of the anchor and of the way, edit by edit."""
    return [(a["seconds"], w["seconds"]) for a, w in zip(edits[anchor], edits[way], strict=True)]


def _change(
    workload: str,
    way: str,
    then: Sequence[tuple[float, float]],
    now: Sequence[tuple[float, float]],
    seed: int,
) -> Change:
    rng = random.Random(seed)
    found = []
    for _ in range(RESAMPLINGS):
        # The same edits on both sides: it is what changed about each that counts.
        picked = rng.choices(range(len(then)), k=len(then))
        found.append(_speed([now[i] for i in picked]) / _speed([then[i] for i in picked]))
    found.sort()
    low, high = found[math.floor(0.025 * len(found))], found[math.ceil(0.975 * len(found)) - 1]
    return Change(workload, way, _speed(then), _speed(now), low, high)


def _speed(pairs: Sequence[tuple[float, float]]) -> float:
    return sum(anchor for anchor, _ in pairs) / sum(way for _, way in pairs)


def main(
    new: Annotated[Path | None, typer.Option(help="A new record; without one `evals.peers` is run.")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Run few edits; compares with a quick record only.")
    ] = False,
    recorded: Annotated[str, typer.Option(help="The name of the record to compare with.")] = "peers",
) -> None:
    """Regressions over noise, in units of the anchor; ends with 1 where there is one, with 2 where nothing compares."""
    then = load(recorded)
    try:
        if then is None:
            raise Incomparable(f"nothing is recorded yet: python -m evals.record {recorded}")
        now = json.loads(new.read_text()) if new else measure("peers", ["--quick"] if quick else [])
        changes = compare(then, now)
    except Incomparable as error:
        print(f"evals.guard: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
    rows = [
        [
            f"{c.workload}: {c.way}",
            f"{c.then:.3g}",
            f"{c.now:.3g}",
            f"{c.low:.2f}-{c.high:.2f}",
            "slower" if c.regressed else "",
        ]
        for c in changes
    ]
    print(table(["speed in units of the anchor", "then", "now", "95 %", "verdict"], rows))
    raise typer.Exit(1 if any(change.regressed for change in changes) else 0)


if __name__ == "__main__":
    typer.run(main)
