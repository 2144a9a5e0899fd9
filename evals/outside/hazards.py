"""Sketches that mean one thing to anybody who reads them and are easily misread, of real functions.

A program that is gone made them of the files of both halves; docs/evaluation.md says how. The change is kept as ranges
of the file's lines.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evals.edits import changed
from evals.outside.case import Case, same_but_for_depth, same_text
from evals.outside.releases import Split
from evals.outside.sources import rows, text_of
from fastedit.source.languages import notation_of


def load(split: Split) -> list[Case]:
    """Raises FileUnreadable."""
    return [_case(row, text_of(row, split).old) for row in rows("hazards", split)]


def _case(row: dict[str, Any], text: str) -> Case:
    old, wanted = texts_of(row, text)
    return Case(
        row["id"],
        row["kind"],
        row["author"],
        notation_of(Path(row["file"]["key"]), text),
        row["file"]["path"],
        old,
        same_but_for_depth(wanted) if row.get("loose") else same_text(wanted),
        update=row["edit"],
    )


def texts_of(row: dict[str, Any], text: str) -> tuple[str, str]:
    """The file before and after. Where `text`, as the release has it, lacks the hazard, `before` puts it there."""
    old = changed(text, row.get("before", ()))
    return old, changed(old, row["change"])
