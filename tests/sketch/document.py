"""`python -m tests.sketch.document`: writes what the kinds of rivals say of themselves into docs/merge.md."""

from __future__ import annotations

from pathlib import Path

from fastedit.sketch.paths.fitted import fitted
from fastedit.sketch.rivals.base import Kind, Sign
from fastedit.sketch.rivals.kinds import EVEN, KINDS
from fastedit.train.table import table
from tests.document import rewritten

DOCUMENT = Path(__file__).parents[2] / "docs" / "merge.md"
START, END = "<!-- from the rivals -->", "<!-- end of the rivals -->"


def block() -> str:
    """A row for each kind."""
    rows = [
        [f"`{_file(kind)}`", kind.question, _share(kind), "; ".join(map(_said, kind.signs))] for kind in KINDS
    ]
    return table(["`sketch/rivals`", "what is open", "shares", "signs and weights"], rows)


def _file(kind: Kind) -> str:
    return kind.told.__module__.rpartition(".")[2] + ".py"


def _share(kind: Kind) -> str:
    return "even" if kind in EVEN else "by words" if kind.others is Kind.others else "by lines"


def _said(sign: Sign) -> str:
    if sign.weight is not None:
        return f"{sign.name} ({sign.weight:g}, by hand)"
    return f"{sign.name} ({fitted()['evidence'].get(sign.name, 0.0):g})"


def written() -> str:
    """The document with the block of now."""
    return rewritten(DOCUMENT.read_text("utf-8"), START, END, block())


if __name__ == "__main__":
    DOCUMENT.write_text(written(), "utf-8")
