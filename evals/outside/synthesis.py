"""Sketches that `evals.sketch` makes of real edits: this project's own material, and it runs only where asked for."""

from __future__ import annotations

from evals import cases, edits
from evals.cases import update_cases
from evals.outside.case import Case, same_text
from evals.outside.releases import Split

MOST = 300  # of Python, and as many of all other languages


def load(split: Split) -> list[Case]:
    """Raises FileNotFoundError, naming the command, before the edits are built."""
    files = (edits.load(split), edits.load(split, "languages"))
    return [_case(one) for some in files for one in update_cases(some, MOST)]


def _case(one: cases.Case) -> Case:
    judge = same_text(one.wanted, one.old)
    return Case(one.id, "sketch", "", one.language, one.path, one.old, judge, update=one.update)
