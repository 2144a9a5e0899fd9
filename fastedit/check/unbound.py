"""Whether a new line uses a name that nothing gives a meaning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fastedit.check.base import Rule
from fastedit.check.change import Change
from fastedit.source.imports import imports
from fastedit.source.syntax import Syntax

if TYPE_CHECKING:
    from tree_sitter import Node


def _names_are_bound(change: Change) -> Iterator[str]:
    """What new lines call or read from is bound in the file or built in, where the language sees nothing else."""
    if not change.complete or not change.hunks:
        return
    if change.near and not any(_new_names(old.syntax, new) for old, new in change.near):
        return
    old, new = change.old_syntax, change.new_syntax
    if old is None or new is None or _imports_all(new):
        return
    for name in _new_names(old, new):
        rows = new.identifiers[name]
        if (row := next((row for row in rows if row in change.new_rows), None)) is not None and _is_unbound(
            new, name
        ):
            yield f"line {row + 1} uses {name}, which the file neither imports nor defines"


def _new_names(old: Syntax, new: Syntax) -> list[str]:
    """Names that only the new text has and that are not built in; none in a language that may see others."""
    closed = new.language.closed
    if closed is None:
        return []
    return [name for name in new.identifiers if name not in old.identifiers and name not in closed.known]


def _imports_all(syntax: Syntax) -> bool:
    return any("*" in line for item in imports(syntax) for line in syntax.lines[item.start : item.stop])


def _is_unbound(syntax: Syntax, name: str) -> bool:
    """Whether the name is used, and stands nowhere that could bind it."""
    closed = syntax.language.closed
    assert closed is not None
    used = False
    for node in syntax.identifier_nodes(name):
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
