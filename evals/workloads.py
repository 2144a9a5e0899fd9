"""What drafters are compared on: regions of files that training never saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from evals.cases import Case, instructions, updates
from fastedit.engine.plan import Part, make_plan
from fastedit.errors import FasteditError
from fastedit.request import EditRequest
from fastedit.source.document import Document
from fastedit.source.hunks import diff_lines

Workload = Literal["update", "instruction", "new lines"]
NEW = 0.3  # share of new lines in the wanted region from which an edit counts as mostly new


def mostly_new() -> list[Case]:
    """Real updates, at least NEW of whose region is new."""
    return [case for case in updates("test") if share_new(case) >= NEW]


def share_new(case: Case) -> float:
    """Of the lines that the wanted region has, how many the old one has not."""
    hunks = diff_lines(case.old.split("\n"), case.wanted.split("\n"))
    added = sum(len(hunk.lines) for hunk in hunks)
    gone = sum(hunk.stop - hunk.start for hunk in hunks)
    return added / max(1, case.lines - gone + added)


WORKLOADS: dict[Workload, Callable[[], list[Case]]] = {
    "update": lambda: updates("test"),
    "instruction": lambda: instructions("test"),
    "new lines": mostly_new,
}


def region_parts(cases: Sequence[Case], each: int) -> list[Part]:
    """The regions that the engine would rewrite, of one edit at most `each`; edits that it refuses before any model are
    left out."""
    parts: list[Part] = []
    for case in cases:
        document = Document.from_text(case.old, Path(case.path))
        try:
            plan = make_plan(EditRequest(document, case.instruction, case.update, policy="model"))
            parts += plan.parts[:each]  # looked for only now
        except FasteditError:
            continue
    return parts
