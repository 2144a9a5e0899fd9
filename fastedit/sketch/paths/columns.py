"""Rows and tables of feature values, filled in by the names of their columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastedit.sketch.paths.weights import GROUPS

_COLUMNS = {names: {name: column for column, name in enumerate(names)} for names in GROUPS.values()}


def row(names: tuple[str, ...], values: dict[str, float]) -> list[float]:
    """The values of one step, 0 for each name without one. `names` is one of the groups of features."""
    columns, found = _COLUMNS[names], [0.0] * len(names)
    for name, value in values.items():
        found[columns[name]] = value
    return found


def table(names: tuple[str, ...], values: dict[str, Any], count: int) -> Any:
    """[count, names]: the values of many steps, a column or a single number for each name given, 0 elsewhere."""
    columns, found = _COLUMNS[names], np.zeros((count, len(names)))
    for name, column in values.items():
        found[:, columns[name]] = column
    return found
