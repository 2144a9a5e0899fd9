"""`python -m evals.outside.reliability`: what the posterior of a merge is worth.

Sketches of agents, hazards, and our own synthesis. For each the likeliest reading, its
posterior, what the checks say and whether it is right; then how many texts above a threshold are wrong, and how often
those of a posterior are right. The threshold of `fastedit/engine/merge.py` is chosen on dev.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from evals.bins import Bin, bins, calibration_error, draw
from evals.machine import machine
from evals.outside.case import Case
from evals.outside.outcome import wilson
from evals.outside.releases import Split
from evals.outside.suites import BY_NAME
from evals.publish import Json, Plot, Quick, check_known
from fastedit.console import reported
from fastedit.engine.merge import SURE, Merge
from fastedit.errors import FasteditError
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks
from fastedit.train.table import table

THRESHOLDS = (0.999, 0.995, 0.99, 0.98, 0.97, 0.95, 0.9, 0.5, 0.0)
EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
SUITES = ("agents_alone", "documents", "short", "fragments", "remarks", "hazards", "synthesis")
QUICK = 12  # cases of a suite
_BLOCKS = ("search_replace", "udiff", "v4a", "str_replace")  # no sketches


@dataclass(frozen=True, slots=True)
class Laid:
    """The likeliest reading of one sketch: its posterior, whether it is right, whether a check objects, whether any of
    up to three readings is right, and milliseconds."""

    id: str
    posterior: float
    right: bool
    objected: bool
    any_right: bool
    milliseconds: float


def lay(case: Case) -> Laid | None:
    """None for an update that is refused."""
    assert case.update is not None
    assert case.judge is not None
    document = Document.from_text(case.old, Path(case.path))
    started = time.perf_counter()
    try:
        merge = Merge(document, case.update, LineRange(0, len(document.lines)))
        best = merge.best
    except FasteditError:
        return None
    spent = (time.perf_counter() - started) * 1000.0
    rights = [case.judge(apply_hunks(document, one.hunks)) for one in merge.offered]
    return Laid(case.id, best.posterior, rights[0], bool(best.objections), any(rights), spent)


def sketches(name: str, split: Split, quick: bool = False) -> list[Case]:
    """The cases of a suite whose update is a sketch, a whole function or a whole file, and says what it should."""
    found = [case for case in BY_NAME[name].load(split) if case.says_so and case.kind not in _BLOCKS]
    return found[:: max(1, len(found) // QUICK)] if quick else found


def thresholds(found: Sequence[Laid]) -> list[list[str]]:
    """For each threshold how many texts that no check objects to are above it, and how many of these are wrong."""
    made = []
    for threshold in THRESHOLDS:
        above = [one for one in found if one.posterior >= threshold and not one.objected]
        wrong = sum(not one.right for one in above)
        low, high = wilson(wrong, len(above))
        share = f"{100 * len(above) / len(found):.1f} %" if found else "-"
        made.append(
            [f"{threshold:.3f}", str(len(above)), share, f"{wrong} ({100 * low:.1f}-{100 * high:.1f} %)"]
        )
    return made


def _unobjected(found: Sequence[Laid]) -> list[Bin]:
    """Of the texts that no check objects to."""
    return bins(((one.posterior, one.right) for one in found if not one.objected), EDGES)


def summary(found: Sequence[Laid], refused: int) -> dict[str, Any]:
    sure = [one for one in found if one.posterior >= SURE and not one.objected]
    return {
        "sketches": len(found) + refused,
        "refused": refused,
        "right": sum(one.right for one in found),
        "right among three": sum(one.any_right for one in found),
        "sure": len(sure),
        "sure and wrong": sum(not one.right for one in sure),
        "calibration error": round(calibration_error(_unobjected(found)), 4),
        "ms median": round(median([one.milliseconds for one in found] or [0.0]), 1),
        "ms worst": round(max((one.milliseconds for one in found), default=0.0), 1),
    }


@reported
def main(
    split: Annotated[
        Split, typer.Option(help="dev for anything that is chosen, test for figures to quote.")
    ] = "dev",
    suite: Annotated[list[str] | None, typer.Option(help="May be repeated; all by default.")] = None,
    quick: Quick = False,
    json_file: Json = None,
    plot: Plot = None,
) -> None:
    """Posteriors of merges against what is right."""
    names = suite or list(SUITES)
    check_known("suite", names, SUITES)
    cases = {name: sketches(name, split, quick) for name in names}
    print(f"{machine()}; split {split}; sure from {SURE}")
    figures: dict[str, Any] = {"machine": machine(), "split": split, "sure": SURE}
    everything: list[Laid] = []
    for name, asked in cases.items():
        found = [laid for laid in map(lay, asked) if laid is not None]
        everything += found
        told = summary(found, len(asked) - len(found))
        figures[name] = told | {"bins": _unobjected(found)}
        if split == "dev":
            figures[name]["cases"] = [asdict(one) for one in found]
        print(f"\n{name}: " + ", ".join(f"{key} {value}" for key, value in told.items()))
        print(table(["posterior at least", "texts", "share", "wrong (95 %)"], thresholds(found)))
    if plot:
        title = f"Merges, {split}, {len(everything)} texts"
        draw(_unobjected(everything), "posterior", title, plot)
    if json_file:
        json_file.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
