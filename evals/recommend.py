"""What the comparison of drafters says: which drafter for which workload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fastedit.train.table import table

if TYPE_CHECKING:
    from evals.drafters import Row

RESAMPLES = 2000
FEW = 5  # regions below which nothing is distinguishable
SURE = 0.95  # share of resamples in which the fastest must be faster for it to be recommended


def recommendation(results: Mapping[str, Mapping[str, Row]]) -> str:
    """A line a workload. Drafters that the measurement does not tell apart from the fastest are named with it."""
    rows = [_workload(name, found) for name, found in results.items()]
    return table(["workload", "fastest", "x none", "not distinguishable from it"], rows)


def _workload(name: str, found: Mapping[str, Row]) -> list[str]:
    order = sorted(found, key=lambda drafter: sum(found[drafter].seconds))
    best = order[0]
    alike = [other for other in order[1:] if faster(found[best].seconds, found[other].seconds) < SURE]
    speed = sum(found["none"].seconds) / sum(found[best].seconds)
    few = len(found[best].seconds) < FEW
    return [name, best, f"{speed:.2f}", "too few edits to tell" if few else ", ".join(alike) or "-"]


def faster(one: Sequence[float], other: Sequence[float]) -> float:
    """How often the first is faster in total when the edits are drawn anew (paired bootstrap), 0 to 1."""
    differences = np.asarray(other) - np.asarray(one)
    drawn = np.random.default_rng(0).integers(len(differences), size=(RESAMPLES, len(differences)))
    return float((differences[drawn].sum(axis=1) > 0).mean())
