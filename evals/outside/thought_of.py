"""Sketches of changes that their authors thought of themselves.

Each author had one file at a time of the sets of `evals.edits` or of a single release, thought of two changes to it and
wrote the sketch of each, with nothing else to see. The change is kept as ranges of the file's lines.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evals.edits import EditsOfRows, changed
from evals.outside.case import Case, same_text
from evals.outside.releases import Split
from evals.outside.sources import rows, text_of
from fastedit.source.languages import notation_of


def load(suite: str, split: Split) -> list[Case]:
    """Raises FileUnreadable, also before a set is built that one of them is of."""
    edits = EditsOfRows(split)
    return [
        _case(row, (edits[row] if "set" in row else text_of(row, split)).old) for row in rows(suite, split)
    ]


def _case(row: dict[str, Any], old: str) -> Case:
    path = Path(row["path"])
    kind = f"sketch: {path.suffix.removeprefix('.') or path.name}"
    judge = same_text(changed(old, row["change"]), old)
    return Case(
        row["id"], kind, row["author"], notation_of(path, old), row["path"], old, judge, update=row["edit"]
    )
