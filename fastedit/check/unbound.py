"""Whether a new line uses a name that nothing gives a meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fastedit.check.base import Rule
from fastedit.check.change import Change, ChangedPart
from fastedit.source.imports import imports
from fastedit.source.syntax import Syntax

if TYPE_CHECKING:
    from tree_sitter import Node


def _names_are_bound(change: Change) -> Iterator[str]:
    """What new lines call or read from is bound in the file or built in, where the language sees nothing else."""
    if not change.complete or not change.hunks:
        return
    near = _new_names(change.parts)
    if not near:
        return
    parts = change.parts_with([*near, "*"])
    if any(_imports_all(part.new) for part in parts):
        return
    for name in _new_names(parts):
        rows = (row for part in parts for row in part.new_rows_of(name))
        row = next((row for row in rows if row in change.new_rows), None)
        if row is not None and _is_unbound(parts, name):
            yield f"result line {row + 1} uses {name}, which the file neither imports nor defines"


def _new_names(parts: Sequence[ChangedPart]) -> list[str]:
    """Names that only the new text has and that are not built in; none in a language that may see others."""
    closed = parts[0].new.language.closed if parts else None
    if closed is None:
        return []
    known = closed.known.union(name for part in parts for name in part.old.identifiers)
    new = dict.fromkeys(name for part in parts for name in part.new.identifiers)
    return [name for name in new if name not in known]


def _imports_all(syntax: Syntax) -> bool:
    return any("*" in line for item in imports(syntax) for line in syntax.lines[item.start : item.stop])


def _is_unbound(parts: Sequence[ChangedPart], name: str) -> bool:
    """Whether the name is used, and stands nowhere that could bind it."""
    closed = parts[0].new.language.closed
    assert closed is not None
    used = False
    for node in (node for part in parts for node in part.new.identifier_nodes(name)):
        parent = node.parent
        role = None if parent is None else (parent.type, _field_of(parent, node))
        if role in closed.members:
            continue
        if role not in closed.uses:
            return False
        used = True
    return used


def _field_of(parent: Node, node: Node) -> str | None:
    """The field of its parent that a node fills."""
    at = next(at for at, child in enumerate(parent.children) if child == node)
    return parent.field_name_for_child(at)


RULE = Rule(
    code="FE108",
    name="unbound",
    sentence="What new lines call or read an attribute from is built in, or imported or defined in the file.",
    why=(
        "The import was forgotten: the file parses, but fails when that line runs. Asked only of languages in which "
        "nothing else gives a name a meaning."
    ),
    example="+    os.replace(scratch, path)\n\n # and no `import os`",
    severity="wrong",
    applies_to=("strong",),
    check=_names_are_bound,
)
