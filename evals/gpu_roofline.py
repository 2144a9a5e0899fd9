"""`python -m evals.gpu_roofline`: what was reached beside what the card can do.

Reads what `evals.kernels` and `evals.gpu` have written, by default all in evals/results/gpu; draws measured points.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from evals.gpu_machine import RESULTS, Gpu, matrix_rate


class Point(NamedTuple):
    """Operations for each byte that must be read, and operations a second that were reached."""

    intensity: float
    reached: float
    label: str


class Run(NamedTuple):
    """One file of figures: where they were taken, its two ceilings, and a point for each case that was timed."""

    title: str
    bytes_per_s: float
    flop_per_s: float
    points: list[Point]

    def roof(self, intensity: float) -> float:
        return min(self.flop_per_s, intensity * self.bytes_per_s)


def read(file: Path) -> Run:
    """Raises ValueError for a file that neither eval has written."""
    try:
        data = json.loads(file.read_text("utf-8"))
        card = Gpu(**data["gpu"])
        cases = data["cases"] if "cases" in data else data["passes"]
        what = "kernels" if "cases" in data else f"passes of {data['shape']}, {_settings(data['settings'])}"
        # What only moves bytes has no place on an axis of operations a byte.
        points = [_point(case) for case in cases if case["ms"] is not None and case["operations"]]
        fp8 = "settings" in data and data["settings"]["weights"] == "fp8"
        rate = matrix_rate(card, fp8=fp8)
        return Run(f"{what} on {card.name}", card.copy_bytes_per_s, rate, points)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file}: not figures of evals.kernels or evals.gpu: make them anew") from error


def _settings(settings: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items())


def _point(case: dict[str, Any]) -> Point:
    size = f"{case['rows']} x {case['context']}"
    label = f"{case['op']} {size}" if "op" in case else size
    return Point(case["operations"] / case["bytes"], 1000 * case["operations"] / case["ms"], label)


def draw(run: Run, file: Path) -> None:
    """A log-log plot: the roof of the card's own copy and matrix rates, and the points below it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5))
    axes = figure.add_subplot(xlabel="operations a byte", ylabel="operations a second", title=run.title)
    axes.set_xscale("log")
    axes.set_yscale("log")
    ridge = run.flop_per_s / run.bytes_per_s
    ends = [
        min([1.0, *(p.intensity for p in run.points)]),
        ridge,
        max([4 * ridge, *(p.intensity for p in run.points)]),
    ]
    axes.plot(ends, [run.roof(end) for end in ends], color="black")
    axes.scatter([p.intensity for p in run.points], [p.reached for p in run.points], s=12)
    for point in run.points:
        axes.annotate(point.label, (point.intensity, point.reached), fontsize=5)
    figure.savefig(file, bbox_inches="tight")


def main(
    files: Annotated[list[Path] | None, typer.Argument(help="What the two evals wrote.")] = None,
    out: Annotated[Path, typer.Option(help="The folder for the plots.")] = Path("docs/media"),
) -> None:
    """One SVG a file, of the same name."""
    found = files or sorted(RESULTS.glob("*.json"))
    if not found:
        print(
            f"evals.gpu_roofline: no figures in {RESULTS}: run python -m evals.kernels on a GPU first",
            file=sys.stderr,
        )
        raise typer.Exit(2)
    for file in found:
        try:
            run = read(file)
        except ValueError as error:
            print(f"evals.gpu_roofline: {error}", file=sys.stderr)
            raise typer.Exit(2) from None
        out.mkdir(parents=True, exist_ok=True)
        draw(run, out / f"{file.stem}.svg")
        print(out / f"{file.stem}.svg")


if __name__ == "__main__":
    typer.run(main)
