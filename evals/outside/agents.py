"""Edits as coding agents send them: sketches, blocks, diffs, envelopes, string pairs, functions and whole files.

Each was written blind for a real change between two releases, from the file before and after alone; a second blind
reader said whether it says what it should. docs/evaluation.md has the procedure.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from evals.outside.case import Case, same_text
from evals.outside.releases import ReleasedFile, Split
from evals.outside.sources import rows, text_of
from fastedit.source.languages import language_of


def with_instruction(split: Split) -> list[Case]:
    """The call as agents make it: the edit, and a line that says what it does."""
    return [_case(row, text_of(row, split)) for row in rows("agents", split)]


def alone(split: Split) -> list[Case]:
    """The same edits with nothing beside them."""
    return [replace(case, instruction=None) for case in with_instruction(split)]


def _case(row: dict[str, Any], source: ReleasedFile) -> Case:
    assert source.new is not None
    path, judge = row["file"]["path"], same_text(source.new, source.old)
    kind = row["format"] if row["habit"] is None else f"sketch: {row['habit']}"
    language = language_of(Path(path), source.old)
    told = {name: row[name] for name in ("id", "author", "instruction", "says_so")}
    return Case(
        kind=kind, language=language, path=path, old=source.old, update=row["edit"], judge=judge, **told
    )
