"""What speaks for and against the deletion of file lines that a sketch passes over."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastedit.sketch.columns import table
from fastedit.sketch.facts import Facts
from fastedit.sketch.reading import SHORT
from fastedit.sketch.weights import CUT, GONE, INK, JOIN
from fastedit.source.outline import is_closer


def gone(facts: Facts) -> Any:
    """[n, GONE]: what each line says of itself."""
    file, shown = facts.file, set(facts.sketch.stripped)
    elsewhere = np.array([text in shown for text in file.stripped], dtype=bool) & (facts.inks >= SHORT)
    values: dict[str, Any] = {f"gone, {name}": facts.inks == at for at, name in enumerate(INK)}
    values["gone head"] = facts.is_head
    values["gone, shown elsewhere"] = elsewhere
    values["gone, unique"] = facts.unique
    values["gone import"] = facts.imports
    values["gone import, shown elsewhere"] = facts.imports & elsewhere
    return table(GONE, values, len(file.texts))


def cuts(facts: Facts) -> tuple[Any, Any]:
    """[n + 1, CUT] and [n + 1, JOIN]: what stands where deleted lines begin and end. A common line there is a weak sign
    that they do."""
    file, n = facts.file, len(facts.file.texts)
    cut, join = np.zeros((n + 1, len(CUT))), np.zeros((n + 1, len(JOIN)))
    cut[:n, 0], join[:n, 0] = facts.begins, facts.begins
    cut[1:, 1], join[:n, 1] = ~facts.unique, ~facts.unique
    cut[1:, 2] = [float(file.opens(j)) for j in range(n)]
    join[:n, 2] = [float(is_closer(text)) for text in file.texts]
    return cut, join
