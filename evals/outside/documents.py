"""Sketches for data, styles, scripts and documents: what agents edit beside code.

Each author had one file of the set `documents` (`evals.edits`), thought of two changes to it and wrote the sketch of
each, with nothing else to see. The change is kept as ranges of the file's lines.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evals import edits
from evals.edits import RealEdit
from evals.outside.case import Case, same_text
from evals.outside.releases import Split
from evals.outside.sources import Missing, changed, digest, rows
from fastedit.source.languages import notation_of

BUILD = "python -m evals.edits build"


def load(split: Split) -> list[Case]:
    """Raises Missing."""
    try:
        known = by_file(edits.load(split, "documents"))
    except FileNotFoundError as error:
        raise Missing(str(error)) from None
    return [_case(row, text_before(row, known)) for row in rows("documents", split)]


def _case(row: dict[str, Any], old: str) -> Case:
    path = Path(row["path"])
    kind = f"sketch: {path.suffix.removeprefix('.') or path.name}"
    judge = same_text(changed(old, row["change"]), old)
    return Case(
        row["id"], kind, row["author"], notation_of(path, old), row["path"], old, judge, update=row["edit"]
    )


def by_file(found: list[RealEdit]) -> dict[tuple[str, str, str], str]:
    """The texts before, by package, path and digest."""
    return {(edit.package, edit.path, digest(edit.old)): edit.old for edit in found}


def text_before(row: dict[str, Any], known: dict[tuple[str, str, str], str]) -> str:
    """The file that a sketch was written for. Raises Missing."""
    text = known.get((row["package"], row["path"], row["old"]))
    if text is None:
        raise Missing(f"{row['id']}: {row['set']} has no such file; build it again: {BUILD}")
    return text
