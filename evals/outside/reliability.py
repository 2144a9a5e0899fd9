"""`python -m evals.outside.reliability`: what the posterior of a merge is worth.

Sketches of agents, hazards, and our own synthesis. For each the likeliest reading, its
posterior, what the checks say and whether it is right; then how many texts above a threshold are wrong, and how often
those of a posterior are right. The threshold of `fastedit/engine/merge/merge.py` is chosen on dev.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Annotated, Any, NamedTuple

import typer

from evals.outside.case import Case
from evals.outside.outcome import wilson
from evals.outside.releases import Split
from evals.outside.suites import BY_NAME
from evals.publish import Json, check_known, machine, write_figures
from fastedit.console import reported
from fastedit.engine.merge.merge import Merge
from fastedit.engine.merge.reading import SURE
from fastedit.errors import FasteditError, UsageError, not_installed
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks
from fastedit.train.options import in_folder
from fastedit.train.table import table

THRESHOLDS = (0.999, 0.995, 0.99, 0.98, 0.97, 0.95, 0.9, 0.5, 0.0)
EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
SUITES = tuple(name for name in BY_NAME if name not in ("agents", "people"))  # of sketches alone
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


def merged(document: Document, case: Case) -> Merge | None:
    """None for an update that is refused."""
    try:
        return Merge(document, case.update or "", LineRange(0, len(document.lines)))
    except FasteditError:
        return None


def lay(case: Case) -> Laid | None:
    """None for an update that is refused."""
    document, started = case.document, time.perf_counter()
    merge = merged(document, case)
    if merge is None:
        return None
    best = merge.best
    spent = (time.perf_counter() - started) * 1000.0
    rights = [case.is_right(apply_hunks(document, one.hunks)) for one in merge.offered]
    return Laid(case.id, best.posterior, rights[0], bool(best.objections), any(rights), spent)


def sketches(name: str, split: Split) -> list[Case]:
    """The cases of a suite whose update is a sketch, a whole function or a whole file, and says what it should."""
    return [case for case in BY_NAME[name].load(split) if case.says_so and case.kind not in _BLOCKS]


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


class Bin(NamedTuple):
    """So many `answers` of about the same posterior, its mean, and the share that is right."""

    answers: int
    posterior: float
    right: float


def bins(found: Sequence[Laid]) -> list[Bin]:
    """By rising posterior, of the texts that no check objects to; the last edge is within the last one."""
    known, made = [one for one in found if not one.objected], list[Bin]()
    for low, high in pairwise(EDGES):
        inside = [one for one in known if low <= one.posterior < high or one.posterior == high == EDGES[-1]]
        if inside:
            mean, right = fmean(one.posterior for one in inside), fmean(one.right for one in inside)
            made.append(Bin(len(inside), mean, right))
    return made


def calibration_error(drawn: Sequence[Bin]) -> float:
    """The expected calibration error: the mean distance of the shares that are right from what was predicted."""
    everything = sum(one.answers for one in drawn)
    return sum(one.answers * abs(one.posterior - one.right) for one in drawn) / max(1, everything)


def draw(drawn: Sequence[Bin], title: str, file: Path) -> None:
    """The share that is right by posterior, beside what was predicted, as SVG; the same figures give the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    means = [one.posterior for one in drawn]
    figure = Figure(figsize=(5, 4), layout="constrained")
    figure.suptitle(title, fontsize=8)
    axes = figure.add_subplot(xlabel="posterior", ylabel="share right", ylim=(0, None))
    for name, values in {"right": [one.right for one in drawn], "as predicted": means}.items():
        axes.plot(means, values, marker="o", markersize=3, label=name)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)
    with mpl.rc_context({"svg.hashsalt": "fastedit", "svg.fonttype": "none"}):
        figure.savefig(file, format="svg", metadata={"Date": None})


def summary(found: Sequence[Laid], refused: int) -> dict[str, Any]:
    sure = [one for one in found if one.posterior >= SURE and not one.objected]
    return {
        "sketches": len(found) + refused,
        "refused": refused,
        "right": sum(one.right for one in found),
        "right among three": sum(one.any_right for one in found),
        "sure": len(sure),
        "sure and wrong": sum(not one.right for one in sure),
        "calibration error": round(calibration_error(bins(found)), 4),
        "ms median": round(median([one.milliseconds for one in found] or [0.0]), 1),
        "ms worst": round(max((one.milliseconds for one in found), default=0.0), 1),
    }


@reported
def main(
    split: Annotated[
        Split, typer.Option(help="dev for anything that is chosen, test for figures to quote.")
    ] = "dev",
    suite: Annotated[list[str] | None, typer.Option(help="May be repeated; all by default.")] = None,
    json_file: Json = None,
    plot: Annotated[
        Path | None, typer.Option(callback=in_folder, help="Draw the figures into this file, as SVG.")
    ] = None,
) -> None:
    """Posteriors of merges against what is right."""
    names = suite or list(SUITES)
    check_known("suite", names, SUITES)
    if plot and find_spec("matplotlib") is None:
        raise UsageError(not_installed("matplotlib", "dev"))
    cases = {name: sketches(name, split) for name in names}
    print(f"{machine()}; split {split}; sure from {SURE}")
    figures: dict[str, Any] = {"machine": machine(), "split": split, "sure": SURE}
    everything: list[Laid] = []
    for name, asked in cases.items():
        found = [laid for laid in map(lay, asked) if laid is not None]
        everything += found
        told = summary(found, len(asked) - len(found))
        figures[name] = told | {"bins": bins(found)}
        if split == "dev":
            figures[name]["cases"] = [asdict(one) for one in found]
        print(f"\n{name}: " + ", ".join(f"{key} {value}" for key, value in told.items()))
        print(table(["posterior at least", "texts", "share", "wrong (95 %)"], thresholds(found)))
    if plot:
        title = f"Merges, {split}, {len(everything)} texts"
        draw(bins(everything), title, plot)
    write_figures(json_file, **figures)


if __name__ == "__main__":
    typer.run(main)
