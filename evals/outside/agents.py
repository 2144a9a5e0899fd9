"""Edits as coding agents send them: sketches, blocks, diffs, envelopes, string pairs, functions and whole files.

Each was written blind for a real change between two releases, from the file before and after alone; a second blind
reader said whether it says what it should. docs/evaluation.md has the procedure.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evals.outside.case import Case, same_text
from evals.outside.releases import Split
from evals.outside.sources import rows, text_of
from fastedit.source.languages import language_of


def with_instruction(split: Split) -> list[Case]:
    """The call as agents make it: the edit, and a line that says what it does."""
    found = []
    for row in rows("agents", split):
        source = text_of(row, split)
        assert source.new is not None
        path = row["file"]["path"]
        found.append(
            Case(
                id=row["id"],
                suite="agents",
                split=split,
                kind=row["format"] if row["habit"] is None else f"sketch: {row['habit']}",
                author=row["author"],
                language=language_of(Path(path), source.old),
                path=path,
                old=source.old,
                instruction=row["instruction"],
                update=row["edit"],
                judge=same_text(source.new, source.old),
                says_so=row["says_so"],
            )
        )
    return found


def alone(split: Split) -> list[Case]:
    """The same edits with nothing beside them."""
    return [replace(case, suite="agents_alone", instruction=None) for case in with_instruction(split)]
