"""Evaluation cases of our own making, on packages that training never saw.

They are kept as rows beside this module: the file by package, path and hash, the change as ranges of its lines, and
what asks for it. A program that is gone made them (docs/figures.md). `updates-*.jsonl` are changed regions of files
between two releases, each asked for by an update sketch. `instructions-*.jsonl` are made: families of change that
training knows, in wordings that are kept back from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import eq
from pathlib import Path
from typing import Any

from evals.edits import HERE, EditsOfRows, changed
from evals.outside.case import Case, same_text
from evals.outside.releases import Split
from fastedit.source.languages import language_of
from fastedit.train import jsonl


def updates(split: Split, name: str = "edits", new: float = 0.0) -> list[Case]:
    """Up to 300 real edits of a set, those of the packages in turn; of these the ones with at least this share of new
    lines in the region that changes. Raises FileUnreadable."""
    return [
        Case(row["id"], "sketch", "", language, row["path"], old, same_text(wanted, old), update=row["edit"])
        for row, language, old, wanted in _rows("updates", split, name)
        if _share_new(row) >= new
    ]


def instructions(split: Split) -> list[Case]:
    """Up to 15 of each family, the families in turn, and 120 that ask for two things. Raises FileUnreadable."""
    return [
        Case(row["id"], row["kind"], "", language, row["path"], old, partial(eq, wanted), row["instruction"])
        for row, language, old, wanted in _rows("instructions", split, "edits")
    ]


def _rows(kind: str, split: Split, name: str) -> Iterator[tuple[dict[str, Any], str, str, str]]:
    """Each row of a set with its language and the texts before and after."""
    edits = EditsOfRows(split)
    for row in jsonl.read(HERE / f"{kind}-{split}.jsonl"):
        if row["set"] == name:
            old = edits[row].old
            yield row, language_of(Path(row["path"]), old), old, changed(old, row["change"])


def _share_new(row: dict[str, Any]) -> float:
    """Of the lines that the wanted region has, how many the old one has not; `lines` is the old one's length."""
    added = sum(len(lines) for _, _, lines in row["change"])
    gone = sum(stop - start for start, stop, _ in row["change"])
    share: float = added / max(1, row["lines"] - gone + added)
    return share
