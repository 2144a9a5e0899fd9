"""What carried a path: the features of its steps, counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from fastedit.sketch.features import GONE, GROUPS, KEEP, NEW, TURNED, TURNS, Features
from fastedit.sketch.lattice import Layer, Step


def counted(features: Features, path: Sequence[Step]) -> dict[str, float]:
    """How often each feature counts on this path; its score is their sum times the weights."""
    found: dict[str, float] = defaultdict(float)
    for name, value in _steps(features, path):
        found[name] += value
    return {name: value for name, value in found.items() if value}


def _steps(features: Features, path: Sequence[Step]) -> Iterable[tuple[str, float]]:
    rows = {pair: k for k, pair in enumerate(zip(*(axis.tolist() for axis in features.pairs), strict=True))}
    i = j = 0
    marker = -1
    before = Layer.EDGE
    for at, step in enumerate(path):
        if step.layer is Layer.MATCH:
            yield from _named("match", features.match[rows[step.sketch, step.file]])
        elif step.layer is Layer.NEW:
            yield from _named("new", features.new[step.sketch])
            yield from _side(NEW[-2:], features.put[step.sketch, j])
        elif step.layer is Layer.MARK:
            marker = step.sketch if step.sketch is not None else marker
            yield from _named("mark", features.mark[step.sketch])
        elif step.layer is Layer.GONE and step.sketch is not None:
            yield from _named("note", features.note[step.sketch])
        elif step.layer is Layer.GONE:
            yield from _named("gone", features.gone[step.file])
            yield from _side(GONE, features.inside[i, step.file])
        elif step.layer is Layer.KEEP:
            yield from _side(KEEP, features.sheltered[marker, step.file])
        if step.layer in (Layer.KEEP, Layer.LEAP):
            yield KEEP[2], features.shown[step.file]
        if step.layer is Layer.LEAP and before is not Layer.LEAP:
            yield from _named("leap", features.leap[i])
            yield from _named("enter", features.enter[j])
        i += step.sketch is not None
        j += step.file is not None
        if step.layer is Layer.LEAP and (at + 1 == len(path) or path[at + 1].layer is not Layer.LEAP):
            yield from _named("leave", features.leave[j])
        before = step.layer
    layers = [Layer.EDGE, *(step.layer for step in path), Layer.EDGE]
    names = dict(zip(TURNED, TURNS, strict=True))
    for turn in pairwise(layers):
        if turn in names and not (turn[0] == turn[1] and turn[0] not in (Layer.NEW, Layer.MARK)):
            yield names[turn], 1.0


def _named(group: str, row: Any) -> Iterable[tuple[str, float]]:
    return zip(GROUPS[group], row.tolist(), strict=True)


def _side(group: Sequence[str], side: float) -> Iterable[tuple[str, float]]:
    inside = group.index("gone in the block shown") if group is GONE else 0
    if side:
        yield group[inside + (side < 0)], 1.0
