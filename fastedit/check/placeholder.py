"""Whether a statement that only fills an empty block stays in one that is no longer empty."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change
from fastedit.source.languages import named
from fastedit.source.outline import along_block, is_comment


def _fills_an_empty_block(change: Change) -> Iterator[str]:
    """No placeholder stays next to a new statement, unless the update shows it."""
    placeholder = named(change.language).placeholder
    shown = {text.strip() for text in change.update.texts} if change.update is not None else set()
    if not placeholder or placeholder in shown:
        return
    rows = change.new_rows
    for row in (row for row in sorted(rows) if change.new[row].strip() and not is_comment(change.new[row])):
        for step in (-1, 1):
            near = next(along_block(change.new, row, step), None)
            if near is not None and near not in rows and change.new[near].strip() == placeholder:
                yield f"{placeholder} stays at result line {near + 1}, next to what takes its place"
                return


RULE = Rule(
    code="FE118",
    name="placeholder",
    sentence="No placeholder such as `pass` stays next to a new statement, unless the update shows it.",
    why="New code was inserted next to the placeholder that it was to replace.",
    example="+    load()\n     pass",
    severity="wrong",
    applies_to=("merge",),
    check=_fills_an_empty_block,
)
