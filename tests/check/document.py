"""`python -m tests.check.document`: writes what the rules say of themselves into docs/checks.md."""

from __future__ import annotations

from pathlib import Path

from fastedit.check import rules
from fastedit.check.describe import AUTHORS, described
from fastedit.train.table import table
from tests.document import rewritten

DOCUMENT = Path(__file__).parents[2] / "docs" / "checks.md"
START, END = "<!-- from the rules -->", "<!-- end of the rules -->"


def block() -> str:
    """The table of rule by author, and each rule."""
    rows = [
        [
            f"[{rule.code}](#{rule.code.lower()})",
            rule.sentence,
            f"`{rule.severity}`",
            *("yes" if author in rule.applies_to else "" for author in AUTHORS),
        ]
        for rule in rules()
    ]
    return "\n\n".join(
        [
            table(["code", "rule", "severity", *AUTHORS.values()], rows),
            *(described(rule, 3) for rule in rules()),
        ]
    )


def written() -> str:
    """The document with the block of now."""
    return rewritten(DOCUMENT.read_text("utf-8"), START, END, block())


if __name__ == "__main__":
    DOCUMENT.write_text(written(), "utf-8")
