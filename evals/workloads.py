"""What drafters are compared on: regions of files that training never saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from evals.cases import instructions, updates
from evals.outside.case import Case
from fastedit.engine.plan import EditPlan, PlannedRegion
from fastedit.errors import FasteditError
from fastedit.request import EditRequest
from fastedit.source.document import Document

Workload = Literal["update", "instruction", "new lines"]
NEW = 0.3  # share of new lines in the wanted region from which an edit counts as mostly new


WORKLOADS: dict[Workload, Callable[[], list[Case]]] = {
    "update": lambda: updates("test"),
    "instruction": lambda: instructions("test"),
    "new lines": lambda: updates("test", new=NEW),
}


def region_parts(cases: Sequence[Case], each: int) -> list[PlannedRegion]:
    """The regions that the engine would rewrite, of one edit at most `each`; edits that it refuses before any model are
    left out."""
    parts: list[PlannedRegion] = []
    for case in cases:
        document = Document.from_text(case.old, Path(case.path))
        try:
            plan = EditPlan(EditRequest(document, case.instruction, case.update, policy="model"))
            parts += plan.parts[:each]  # looked for only now
        except FasteditError:
            continue
    return parts
