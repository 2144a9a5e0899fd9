"""What carried a path: the features of its steps, counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from fastedit.sketch.paths.lattice import Layer, PathStep, singly
from fastedit.sketch.paths.weights import (
    BEGIN,
    ENDED,
    GROUPS,
    INSIDE,
    KEEP,
    PUT,
    SHOWN_UP_TO,
    TURNED,
    TURNS,
    Features,
    SketchWeights,
)


def counted(features: Features, path: Sequence[PathStep]) -> dict[str, float]:
    """How often each feature counts on this path; its score is their sum times the weights."""
    found: dict[str, float] = defaultdict(float)
    for name, value in _steps(features, path):
        found[name] += value
    return {name: value for name, value in found.items() if value}


def _steps(features: Features, path: Sequence[PathStep]) -> Iterable[tuple[str, float]]:
    path = singly(path)
    rows = {pair: k for k, pair in enumerate(zip(*(axis.tolist() for axis in features.pairs), strict=True))}
    i = j = 0
    marker = -1
    before = Layer.EDGE
    for at, step in enumerate(path):
        if step.layer is Layer.MATCH:
            if (pair := rows.get((step.sketch, step.file))) is not None:  # which a rival may lack
                yield from _named("match", features.match[pair])
        elif step.layer is Layer.NEW:
            yield from _named("new", features.new[step.sketch])
            yield from _side(PUT, features.put[step.sketch, j])
            yield PUT[2], features.near[step.sketch, j]
            yield PUT[3], features.elsewhere[step.sketch, j]
            yield from _side(PUT[4:6], features.entered[step.sketch, j])
            yield from _side(PUT[6:8], features.stands_out[step.sketch, j])
            if alike := float(features.near_like[step.sketch, j]):
                yield from zip(PUT[8:10], (1.0, alike), strict=True)
            for k in np.nonzero(features.importing == step.sketch)[0].tolist():
                yield PUT[10], features.in_order[k, j]
        elif step.layer is Layer.MARK:
            marker = step.sketch if step.sketch is not None else marker
            yield from _named("mark", features.mark[step.sketch])
        elif step.layer is Layer.GONE and step.sketch is not None:
            yield from _named("note", features.note[step.sketch])
        elif step.layer is Layer.GONE:
            yield from _named("gone", features.gone[step.file])
            yield from _side(INSIDE, features.inside[i, step.file])
            yield INSIDE[2], features.open_ends[i]
            if at == 0 or path[at - 1].layer is not Layer.GONE or not path[at - 1].lines:
                yield from _named("cut", features.cut[j])
            if at + 1 == len(path) or path[at + 1].layer is not Layer.GONE or not path[at + 1].lines:
                yield from _named("join", features.join[j + 1])
        elif step.layer is Layer.KEEP:
            yield KEEP[0], features.beyond[marker, step.file]
            if before is not Layer.KEEP:
                yield from _side(BEGIN, features.depth[marker, j])
                yield BEGIN[2], features.midst[marker, j]
                yield BEGIN[3], float(features.ended[marker, j] < 0)
        if step.layer in (Layer.KEEP, Layer.LEAP):
            yield from zip(KEEP[1:], features.shown[step.file].tolist(), strict=True)
        if step.layer is Layer.LEAP and before is not Layer.LEAP:
            yield from _named("leap", features.leap[i])
            yield from _named("enter", features.enter[j])
            yield from _side(ENDED, features.ended[i, j])
            yield ENDED[2], float(features.ended[i, j] == SHOWN_UP_TO)
        i += step.sketch is not None
        j += step.file is not None
        if step.layer is Layer.LEAP and (at + 1 == len(path) or path[at + 1].layer is not Layer.LEAP):
            yield from _named("leave", features.leave[j])
        before = step.layer
    names = dict(zip(TURNED, TURNS, strict=True))
    yield from ((names[turn], 1.0) for turn in _turns(path) if turn in names)


def _turns(path: Sequence[PathStep]) -> Iterator[tuple[Layer, Layer]]:
    """The changes of layer of a path with a step for each file line: to a note it turns as to a marker, and a note goes
    on in the next one and in the lines below it that go."""
    before, pending = Layer.EDGE, False
    for step in path:
        if step.layer is Layer.GONE and step.sketch is not None:
            if not pending:
                yield before, Layer.MARK
                pending = before is not Layer.GONE
        else:
            goes_on = pending or (step.layer is before and before not in (Layer.NEW, Layer.MARK))
            if not goes_on:
                yield before, step.layer
            pending = False
        before = step.layer
    yield before, Layer.EDGE


def _named(group: str, row: Any) -> Iterable[tuple[str, float]]:
    return zip(GROUPS[group], row.tolist(), strict=True)


def _side(names: Sequence[str], side: float) -> Iterable[tuple[str, float]]:
    """The name for inside, or the one for outside."""
    if side:
        yield names[int(side < 0)], 1.0


def grounds(
    features: Features, weights: SketchWeights, path: Sequence[PathStep], other: Sequence[PathStep]
) -> dict[str, tuple[float, float]]:
    """For each feature that tells between two paths: how much oftener it counts on the first, and what that adds to its
    score."""
    mine, theirs = counted(features, path), counted(features, other)
    often = {
        name: mine.get(name, 0.0) - theirs.get(name, 0.0) for name in sorted(mine.keys() | theirs.keys())
    }
    found = {name: (more, more * weights.values[name]) for name, more in often.items()}
    return {name: both for name, both in found.items() if abs(both[1]) >= 0.005}
