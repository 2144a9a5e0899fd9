"""Whether a definition has two docstrings."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change
from fastedit.source.languages import named

_SECOND = """(block . (comment)* . (expression_statement . (string) .)
    . (comment)* . (expression_statement . (string) @found .))"""


def _one_docstring(change: Change) -> Iterator[str]:
    """No new docstring stands next to the old one."""
    if not named(change.language).docstring:
        return
    # A string begins in one of the new lines; without one the query, which takes long to compile, is not needed.
    if not any(quote in line for hunk in change.hunks for line in hunk.lines for quote in "\"'"):
        return
    found = [(part.new_start, second) for part in change.parts for second in part.new.find(_SECOND)]
    for start, second in found:
        block = second.parent.parent if second.parent is not None else None
        if block is None:
            continue
        one, other = (start + node.start_point.row for node in (block.named_children[0], second))
        if (one in change.new_rows) != (other in change.new_rows):
            yield f"a docstring begins at result line {one + 1} and another at line {other + 1}"


RULE = Rule(
    code="FE115",
    name="docstring",
    sentence="No new docstring stands next to the old one.",
    why="A changed docstring was inserted next to the one that it was to replace.",
    example=(' def load(path):\n+    """Read the settings."""\n     """Load."""'),
    severity="wrong",
    applies_to=("merge", "strong"),
    check=_one_docstring,
)
