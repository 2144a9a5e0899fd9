"""What people's instructions take as blocks, by what their words tell: the figures of `fastedit.plan.estimate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from evals.outside.people import solved
from evals.outside.sources import rows, text_of
from fastedit.plan.base import tokens_of
from fastedit.plan.estimate import Kind, kind_of
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, diff_lines
from fastedit.train.table import table

_MARKS = tokens_of("<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n\n")


@dataclass(frozen=True, slots=True)
class Priced:
    """`sayable`: operations can say it, as a reader judged. `blocks` are tokens; None where nothing is to be done."""

    kind: Kind
    sayable: bool
    hunks: int | None
    blocks: int | None


def prices() -> str:
    """A table of the instructions of dev by kind. Raises Missing."""
    found = [_priced(row) for row in rows("people", "dev")]
    head = ["a name known and one new", "short", "instructions", "sayable", "blocks if so", "if not", "hunks"]
    kinds = sorted({each.kind for each in found}, reverse=True)
    lines = [_line(kind, [each for each in found if each.kind == kind]) for kind in kinds]
    return table(head, [*lines, _line(None, found)])


def _line(kind: Kind | None, found: Sequence[Priced]) -> list[str]:
    named = ["all", ""] if kind is None else ["yes" if told else "" for told in kind]
    return [
        *named,
        str(len(found)),
        f"{mean(each.sayable for each in found):.2f}",
        *(_mean([each.blocks for each in found if each.sayable is said]) for said in (True, False)),
        _mean([each.hunks for each in found], 1),
    ]


def _mean(values: Sequence[int | None], digits: int = 0) -> str:
    known = [value for value in values if value is not None]
    return f"{mean(known):.{digits}f}" if known else "-"


def _priced(row: dict[str, object]) -> Priced:
    source = text_of(row, "dev")
    file, said, solution = row["file"], str(row["instruction"]), row.get("solution")
    assert isinstance(file, dict)
    document = Document.from_text(source.old, Path(file["path"]))
    kind, sayable = kind_of(document, said), bool(row["expressible"])
    if not isinstance(solution, list):
        return Priced(kind, sayable, None, None)
    hunks = diff_lines(document.lines, Document.from_text(solved(source.old, solution)).lines)
    return Priced(kind, sayable, len(hunks), sum(_block(document, hunk) for hunk in hunks))


def _block(document: Document, hunk: Hunk) -> int:
    """Tokens of the shortest block that says a hunk: lines above it are repeated until its place is unique."""
    lines, whole = document.lines, "\n".join(document.lines)
    start = hunk.start - 1 if hunk.start == hunk.stop and hunk.start else hunk.start
    while start and whole.count("\n".join(lines[start : hunk.stop])) > 1:
        start -= 1
    search = "\n".join(lines[start : hunk.stop])
    replace = "\n".join([*lines[start : hunk.start], *hunk.lines])
    return tokens_of(f"{search}\n{replace}\n") + _MARKS
