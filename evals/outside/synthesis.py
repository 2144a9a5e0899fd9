"""Sketches that `evals.sketch` makes of real edits: this project's own material, and it runs only where asked for."""

from __future__ import annotations

from evals import edits
from evals.cases import update_cases
from evals.outside.case import Case, same_text
from evals.outside.releases import Split

MOST = 300  # of Python, and as many of all other languages


def load(split: Split) -> list[Case]:
    """Raises FileNotFoundError, naming the command, before the edits are built."""
    return [
        Case(
            id=one.id,
            suite="synthesis",
            split=split,
            kind="sketch",
            author="",
            language=one.language,
            path=one.path,
            old=one.old,
            instruction=None,
            update=one.update,
            judge=same_text(one.wanted, one.old),
        )
        for files in (edits.load(split), edits.load(split, "languages"))
        for one in update_cases(files, MOST)
    ]
