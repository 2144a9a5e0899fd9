"""Sketches of changes that their authors thought of themselves.

Each author had one file at a time of the sets of `evals.edits`, thought of two changes to it and wrote the sketch of
each, with nothing else to see. The change is kept as ranges of the file's lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.edits import SETS, changed, text_before, texts_before
from evals.outside.case import Case, same_text
from evals.outside.releases import Split
from evals.outside.sources import rows
from fastedit.source.languages import notation_of


def documents(split: Split) -> list[Case]:
    """What agents edit beside code: data, styles, scripts and documents. Raises FileUnreadable, also before the
    set is built."""
    return _cases("documents", split, ["documents"])


def short(split: Split) -> list[Case]:
    """Sketches of a few lines for any file, as people in a hurry and models that are to spend little write them. Raises
    the same."""
    return _cases("short", split, list(SETS))


def fragments(split: Split) -> list[Case]:
    """Pieces of data files and styles that show the keys which lead to a change, most without a marker for the rest.
    Raises the same."""
    return _cases("fragments", split, list(SETS))


def remarks(split: Split) -> list[Case]:
    """Snippets as chat assistants write them, half of which say in comments what is new or changed. Raises the same."""
    return _cases("remarks", split, list(SETS))


def _cases(suite: str, split: Split, sets: Sequence[str]) -> list[Case]:
    texts = {f"{name}-{split}": texts_before(split, name) for name in sets}
    return [_case(row, text_before(row, texts[row["set"]])) for row in rows(suite, split)]


def _case(row: dict[str, Any], old: str) -> Case:
    path = Path(row["path"])
    kind = f"sketch: {path.suffix.removeprefix('.') or path.name}"
    judge = same_text(changed(old, row["change"]), old)
    return Case(
        row["id"], kind, row["author"], notation_of(path, old), row["path"], old, judge, update=row["edit"]
    )
