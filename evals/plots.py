"""Line plots of figures; the same figures give the same bytes. Needs matplotlib, which the extra `dev` has."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines by name over the same `xs`. A value that is not a number leaves a gap. `log` has the axes, of "x" and "y",
    that are logarithmic; another begins at zero."""

    x: str
    y: str
    xs: Sequence[float]
    lines: Mapping[str, Sequence[float]]
    log: str = ""


def drawable(file: Path | None) -> Path | None:
    """An option's check, before anything is measured. Raises BadParameter where no plot could be made."""
    if file is None:
        return None
    if importlib.util.find_spec("matplotlib") is None:
        raise typer.BadParameter("needs matplotlib: pip install matplotlib")
    if not file.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {file.parent}; make it first")
    if file.suffix not in (".svg", ".png", ".pdf"):
        raise typer.BadParameter(f"{file.name}: give it a name in .svg, .png or .pdf")
    return file


def draw(panels: Sequence[Panel], title: str, file: Path) -> None:
    """The panels side by side."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5 * len(panels), 4), layout="constrained")
    figure.suptitle(title, fontsize=8)
    for at, panel in enumerate(panels, 1):
        axes = figure.add_subplot(1, len(panels), at, xlabel=panel.x, ylabel=panel.y)
        for name, values in panel.lines.items():
            axes.plot(panel.xs, values, marker="o", markersize=3, label=name)
        if "x" in panel.log:
            axes.set_xscale("log", base=2)
        if "y" in panel.log:
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)
    with mpl.rc_context({"svg.hashsalt": "fastedit", "svg.fonttype": "none"}):
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
