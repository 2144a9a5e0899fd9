"""Confidences held against what was right: bins, how far both are apart, and a picture of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import NamedTuple


class Bin(NamedTuple):
    """So many `answers` of about the same confidence, its mean, and the share that is right."""

    answers: int
    confidence: float
    right: float


def bins(found: Iterable[tuple[float, bool]], edges: Sequence[float]) -> list[Bin]:
    """By rising confidence, those bins between the edges that have any; the last edge is within the last one."""
    known, made = sorted(found), list[Bin]()
    for low, high in pairwise(edges):
        inside = [one for one in known if low <= one[0] < high or one[0] == high == edges[-1]]
        if inside:
            confidences, right = zip(*inside, strict=True)
            made.append(Bin(len(inside), fmean(confidences), fmean(right)))
    return made


def calibration_error(drawn: Sequence[Bin]) -> float:
    """The expected calibration error: the mean distance of the shares that are right from what was predicted."""
    everything = sum(one.answers for one in drawn)
    return sum(one.answers * abs(one.confidence - one.right) for one in drawn) / max(1, everything)


def draw(drawn: Sequence[Bin], confidence: str, title: str, file: Path) -> None:
    """The share that is right by confidence, beside what was predicted. Needs matplotlib, which the extra `dev` has;
    the same figures give the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    means = [one.confidence for one in drawn]
    figure = Figure(figsize=(5, 4), layout="constrained")
    figure.suptitle(title, fontsize=8)
    axes = figure.add_subplot(xlabel=confidence, ylabel="share right", ylim=(0, None))
    for name, values in {"right": [one.right for one in drawn], "as predicted": means}.items():
        axes.plot(means, values, marker="o", markersize=3, label=name)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)
    with mpl.rc_context({"svg.hashsalt": "fastedit", "svg.fonttype": "none"}):
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
