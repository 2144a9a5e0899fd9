"""Rust's use declarations."""

from __future__ import annotations

import re

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imported.wanted import (
    Wanted,
    already,
    among,
    first_row,
    inserted,
    top_level,
    uses,
    with_item,
    without_item,
    without_line,
)
from fastedit.ops.lists import items_of
from fastedit.ops.sorting import sorted_index
from fastedit.ops.source import Source

_MODULE = r"(::)?[^\W\d]\w*(::[^\W\d]\w*)*"


def add(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE, member=r"[^\W\d]\w*|\*")
    found = top_level(source, "use_declaration")
    module, name = _parts(wanted)
    item_text = f"{name} as {wanted.alias}" if wanted.alias else name
    for node in found:
        if (
            _plain(source, node) == f"{module}::{item_text}"
            or _listed(source, node, module, item_text) is not None
        ):
            return already(source, node)
    for node in found:
        items = _list(source, node, module)
        if items:
            keys = [source.text(item) for item in items]
            return with_item(source, items, sorted_index(keys, item_text), item_text)
    line = f"use {module}::{item_text};" if module else f"use {item_text};"
    if not found:
        return inserted(source, first_row(source, "inner_attribute_item", "inner_line_doc"), line, below=True)
    top = line.split("::")[0]
    alike = [node for node in found if source.text(node).startswith(top)] or found
    return among(source, alike, [source.text(node).rstrip(";") for node in alike], line.rstrip(";"), line)


def remove(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE, member=r"[^\W\d]\w*|\*", alias="")
    module, name = _parts(wanted)
    for node in top_level(source, "use_declaration"):
        plain = _plain(source, node)
        if plain.split(" as ")[0] == f"{module}::{name}":
            return without_line(source, node, uses(source, plain.split(" as ")[-1].rsplit("::", 1)[-1], node))
        item = _listed(source, node, module, name)
        if item is not None:
            items = _list(source, node, module)
            left = uses(source, module.rpartition("::")[2] if name == "self" else name, node)
            return (
                without_line(source, node, left)
                if len(items) == 1
                else without_item(source, items, item, left)
            )
    raise wanted.refused("is not used here under that path")


def _parts(wanted: Wanted) -> tuple[str, str]:
    if wanted.member is not None:
        return wanted.module, wanted.member
    module, _, name = wanted.module.rpartition("::")
    return module, name


def _plain(source: Source, node: Node) -> str:
    """The path of a declaration that has no braces."""
    text = re.sub(r"\s*::\s*", "::", source.text(node))
    return re.sub(r"^(?:pub(?:\([^)]*\))?\s+)?use\s+|\s*;$", "", text)


def _list(source: Source, node: Node, module: str) -> list[Node]:
    """The items between the braces behind a module; nothing where the declaration is another's."""
    argument = node.child_by_field_name("argument")
    if argument is None or argument.type != "scoped_use_list":
        return []
    path, items = argument.child_by_field_name("path"), argument.child_by_field_name("list")
    if path is None or items is None or source.text(path) != module:
        return []
    return items_of(items)


def _listed(source: Source, node: Node, module: str, text: str) -> Node | None:
    return next((item for item in _list(source, node, module) if source.text(item) == text), None)
