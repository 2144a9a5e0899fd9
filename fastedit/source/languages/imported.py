"""The names that an import brings in, as several grammars have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from fastedit.source.syntax import Syntax


def leaves(syntax: Syntax, node: Node) -> list[str]:
    """What JavaScript's clauses and Rust's trees bind: an alias, else the last name of a path."""
    alias = node.child_by_field_name("alias")
    if alias is not None:
        return [syntax.text(alias)]
    if node.type in ("scoped_identifier", "scoped_use_list"):
        inner = node.child_by_field_name("name") or node.child_by_field_name("list")
        return [] if inner is None else leaves(syntax, inner)
    if node.type == "identifier":
        return [syntax.text(node)]
    return [name for child in node.named_children for name in leaves(syntax, child)]


def whole(syntax: Syntax, node: Node) -> list[str]:
    """The whole text, which brings in names that it does not say."""
    return [" ".join(syntax.text(node).split())]


def last(syntax: Syntax, node: Node) -> list[str]:
    """The last name of a path."""
    return [whole(syntax, node)[0].rstrip(";").rsplit(".", 1)[-1]]
