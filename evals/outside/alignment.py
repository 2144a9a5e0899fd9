"""`python -m evals.outside.alignment`: the alignment model of `fastedit/sketch` beside the merge that the engine uses.

The same sketches of the outside suites for both: how many texts are right, and for the model how many of the texts
above a posterior are wrong. The engine is not decided by it yet: docs/merge.md says what is missing.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated, Any, cast

import typer

from evals.machine import machine
from evals.outside.case import Case
from evals.outside.outcome import Outcome, attempt_all, wilson
from evals.outside.releases import SPLITS, Split
from evals.outside.report import Unknown, choose
from evals.outside.sources import Missing
from evals.outside.suites import BY_NAME
from evals.table import table
from fastedit.edit.document import Document
from fastedit.engine import Engine
from fastedit.sketch.align import Alignment
from fastedit.sketch.reading import read_update

THRESHOLDS = (0.999, 0.99, 0.98, 0.95, 0.9, 0.5, 0.0)
SUITES = ("agents_alone", "hazards")


@dataclass(frozen=True, slots=True)
class Laid:
    """How likely the likeliest text of a case is, whether it is right, and milliseconds."""

    posterior: float
    right: bool
    milliseconds: float


def lay(case: Case) -> Laid:
    """The alignment model's own answer to a case that has an update."""
    assert case.update is not None
    assert case.judge is not None
    started = time.perf_counter()
    lines = Document.from_text(case.old, Path(case.path)).lines
    best = Alignment(lines, read_update(case.update, case.language, lines)).best()
    spent = (time.perf_counter() - started) * 1000.0
    text = "\n".join(best.text.lines) + ("\n" if case.old.endswith("\n") else "")
    return Laid(best.posterior, case.judge(text), spent)


def sketches(name: str, split: Split) -> list[Case]:
    """The cases of a suite whose update is a sketch, a whole function or a whole file, and says what it should."""
    kinds = ("search_replace", "udiff", "v4a", "str_replace")
    return [case for case in BY_NAME[name].load(split) if case.says_so and case.kind not in kinds]


def rows(found: Iterable[Laid]) -> list[list[str]]:
    """For each threshold how many texts are above it, and how many of these are wrong, with the 95 % interval."""
    laid = list(found)
    made = []
    for threshold in THRESHOLDS:
        above = [one for one in laid if one.posterior >= threshold]
        wrong = sum(not one.right for one in above)
        low, high = wilson(wrong, len(above))
        share = f"{100 * len(above) / len(laid):.1f} %" if laid else "-"
        made.append(
            [f"{threshold:.3f}", str(len(above)), share, f"{wrong} ({100 * low:.1f}-{100 * high:.1f} %)"]
        )
    return made


def main(
    split: Annotated[
        str, typer.Option(help="dev for anything that is chosen, test for figures to quote.")
    ] = "dev",
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Right texts of the engine's merge and of the alignment model, and what posteriors are worth."""
    try:
        choose("split", [split], SPLITS)
        suites = {name: sketches(name, cast(Split, split)) for name in SUITES}
    except (Unknown, Missing) as error:
        print(f"evals.outside.alignment: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
    print(f"{machine()}; split {split}")
    figures: dict[str, Any] = {}
    for name, cases in suites.items():
        rules = attempt_all(Engine(), cases, "merge")
        right = (Outcome.RIGHT_OK, Outcome.RIGHT_SUSPECT)
        laid = [lay(case) for case in cases]
        figures[name] = {
            "cases": len(cases),
            "right, engine": sum(met.outcome in right for met in rules),
            "right and ok, engine": sum(met.outcome is Outcome.RIGHT_OK for met in rules),
            "wrong and ok, engine": sum(met.outcome is Outcome.WRONG_OK for met in rules),
            "right, model": sum(one.right for one in laid),
            "ms median, model": round(median(one.milliseconds for one in laid), 1),
            "ms worst, model": round(max(one.milliseconds for one in laid), 1),
        }
        print(f"\n{name}: " + ", ".join(f"{key} {value}" for key, value in figures[name].items()))
        print(table(["posterior at least", "texts", "share", "wrong (95 %)"], rows(laid)))
    if json_file:
        json_file.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
