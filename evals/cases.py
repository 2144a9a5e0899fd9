"""Evaluation cases: a whole file, what is asked, and the one text that is right, on packages that training never saw.

They are kept as rows beside this module: the file by package, path and hash, the change as ranges of its lines, and
what asks for it. A program that is gone made them (docs/figures.md). `updates-*.jsonl` are changed regions of files
between two releases, each asked for by an update sketch. `instructions-*.jsonl` are made: families of change that
training knows, in wordings that are kept back from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evals.edits import HERE, changed, text_before, texts_before
from fastedit.source.languages import language_of
from fastedit.train import jsonl

Half = Literal["dev", "test"]


@dataclass(frozen=True, slots=True)
class Case:
    """One edit. `lines` is the changed region's length.

    `kind` is `update`, the instruction's family, or `several` for an instruction that asks for two things.
    """

    id: str
    kind: str
    language: str
    path: str
    old: str
    wanted: str
    lines: int
    instruction: str | None = None
    update: str | None = None


def updates(half: Half, name: str = "edits") -> list[Case]:
    """Up to 300 real edits of a set, those of the packages in turn. Raises FileUnreadable."""
    return list(_cases("updates", half, name))


def instructions(half: Half) -> list[Case]:
    """Up to 15 of each family, the families in turn, and 120 that ask for two things. Raises FileUnreadable."""
    return list(_cases("instructions", half, "edits"))


def _cases(kind: str, half: Half, name: str) -> Iterator[Case]:
    texts = texts_before(half, name)
    for row in jsonl.read(HERE / f"{kind}-{half}.jsonl"):
        if row["set"] != name:
            continue
        old = text_before(row, texts)
        yield Case(
            row["id"],
            row.get("kind", "update"),
            language_of(Path(row["path"]), old),
            row["path"],
            old,
            changed(old, row["change"]),
            row["lines"],
            row.get("instruction"),
            row.get("edit"),
        )
