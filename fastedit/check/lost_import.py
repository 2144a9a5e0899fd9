"""Whether an import vanishes."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change
from fastedit.source.definitions import definitions
from fastedit.source.imports import imports
from fastedit.source.syntax import Syntax


def _imports_stay(change: Change) -> Iterator[str]:
    """No import vanishes that is still used, or that nobody asked to lose."""
    if not change.hunks:
        return
    if change.near and not any(_import_names(old.syntax) - _kept_names(new) for old, new in change.near):
        return
    if change.old_syntax is None or change.new_syntax is None:
        return
    kept = _kept_names(change.new_syntax)
    for item in imports(change.old_syntax):
        for name in sorted(item.names - kept):
            root = name.split(".")[0]
            if change.asks_for(name):
                continue
            # A sketch that lists the imports it has in mind is the usual way to lose one, so that it spells them
            # out is no excuse while the name is in use.
            if root in change.new_syntax.identifiers and root not in kept:
                yield f"the import of {name} vanishes, but {root} is still used"
            elif not change.foretold and not change.leaves_out_line(item.start):
                yield f"the import of {name} vanishes, and nobody asked for that"


def _import_names(syntax: Syntax) -> set[str]:
    return {name for item in imports(syntax) for name in item.names}


def _kept_names(syntax: Syntax) -> set[str]:
    return _import_names(syntax) | {definition.name for definition in definitions(syntax)}


RULE = Rule(
    code="FE112",
    name="import",
    sentence="No import vanishes that is still used, or that nobody asked to lose.",
    why=("An update that lists only the imports it has in mind is the usual way to lose the others."),
    example=("-import os\n import sys"),
    severity="doubt",
    applies_to=(
        "merge",
        "embedded",
    ),
    check=_imports_stay,
)
