"""Python's imports, in isort's order: __future__, the standard library, others, the package's own."""

from __future__ import annotations

import re
import sys
from typing import Any

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.blocks import is_string
from fastedit.ops.imported.wanted import (
    Wanted,
    already,
    among,
    inserted,
    top_level,
    uses,
    with_item,
    without_item,
    without_line,
)
from fastedit.ops.sorting import sorted_index
from fastedit.ops.source import Edit, Source

_KINDS = ("import_statement", "import_from_statement", "future_import_statement")
_DEFINITION = re.compile(r"(?:async\s+def|def|class)\b|@")
_MODULE = r"\.*[^\W\d]\w*(\.[^\W\d]\w*)*|\.+"


def add(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE)
    if wanted.module.startswith(".") and wanted.member is None:
        raise wanted.refused("a relative import needs a member; say which")
    found = top_level(source, *_KINDS)
    for node in found:
        if any(_is(source, item, wanted) and _module(source, node) == wanted.module for item in _items(node)):
            return already(source, node)
    bare = wanted.alias is None and wanted.member is None
    bound = wanted.alias or wanted.member or wanted.module.split(".")[0]
    wanted.check_free(source, bound, beside="import_statement" if bare else "")
    text = wanted.item
    if wanted.member is not None:
        for node in found:
            items = _items(node)
            from_it = node.type != "import_statement" and _module(source, node) == wanted.module
            if from_it and items and not _starred(node):
                keys = [source.text(item).lower() for item in items]
                return with_item(source, items, sorted_index(keys, text.lower()), text)
    return _new_line(source, wanted, found, text)


def remove(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE)
    matches = [
        (node, item)
        for node in (n for kind in _KINDS for n in source.syntax.find(f"({kind}) @found"))
        for item in _items(node)
        if (wanted.member is None or _name(source, item) == wanted.member)
        and (
            _module(source, node) == wanted.module
            if node.type != _KINDS[0]
            else _name(source, item) == wanted.module
        )
    ]
    nodes = {node.start_byte for node, _ in matches}
    if not matches or len(nodes) > 1:
        lines = ", ".join(str(source.number(node.start_point.row)) for node, _ in matches)
        raise wanted.refused(
            f"is imported on lines {lines}; say which member" if matches else "is not imported here"
        )
    node, item = matches[0]
    items = _items(node)
    going = [item for _, item in matches]
    left = [candidate for item in going for candidate in uses(source, _bound_by(source, item), node)]
    if len(going) == len(items):
        block = node.parent
        if block is not None and block.type == "block" and block.named_child_count == 1:
            return Outcome(source.hunks([Edit(node.start_byte, node.end_byte, "pass")]), (), tuple(left))
        return without_line(source, node, left)
    return without_item(source, items, item, left)


def _new_line(source: Source, wanted: Wanted, found: list[Node], text: str) -> Outcome:
    line = f"from {wanted.module} import {text}" if wanted.member else f"import {text}"
    section = _section(wanted.module)
    run = [node for node in found if source.syntax.rows(node)[0] <= _last_of_head(source, found)]
    same = [node for node in run if _section(_module(source, node)) == section]
    if same:
        new = wanted.member is not None, wanted.module.lower()
        return among(source, same, [_key(source, node) for node in same], new, line)
    before = [node for node in run if _section(_module(source, node)) < section]
    if before:
        row = source.syntax.rows(before[-1])[1]
        return inserted(source, row, line, above=True, below=_apart(source, row))
    if run:
        return inserted(source, source.syntax.rows(run[0])[0], line, below=True)
    row = _below_docstring(source)
    return inserted(source, row, line, above=True, below=_apart(source, row))


def _apart(source: Source, row: int) -> int:
    """How many blank lines set an import above this line apart from what follows: two from a definition."""
    following = next((line for line in source.lines[row:] if line.strip()), "")
    return 2 if _DEFINITION.match(following) else 1


def _last_of_head(source: Source, found: list[Node]) -> int:
    """The last line of the imports that the file begins with."""
    last = -1
    wanted = {node.start_byte for node in found}
    for node in source.syntax.root.named_children:
        if node.start_byte in wanted:
            last = node.start_point.row
        elif "comment" not in node.type and not is_string(node) and not _is_conditional(node):
            break
    return last if last >= 0 or not found else found[0].start_point.row


def _is_conditional(node: Node) -> bool:
    return node.type in ("if_statement", "try_statement")


def _below_docstring(source: Source) -> int:
    """The line below the docstring, or below the comments that the file begins with."""
    row = 0
    for node in source.syntax.root.named_children:
        if is_string(node):
            return source.syntax.rows(node)[1]
        if "comment" not in node.type or node.start_point.row != row:
            break
        row = node.start_point.row + 1
    return row


def _section(module: str) -> int:
    if module == "__future__":
        return 0
    if module.startswith("."):
        return 3
    return 1 if module.split(".")[0] in sys.stdlib_module_names else 2


def _key(source: Source, node: Node) -> Any:
    return node.type != "import_statement", _module(source, node).lower()


def _module(source: Source, node: Node) -> str:
    if node.type == "future_import_statement":
        return "__future__"
    module = node.child_by_field_name("module_name")
    if module is not None:
        return source.text(module)
    items = _items(node)
    return _name(source, items[0]) if items else ""


def _items(node: Node) -> list[Node]:
    return node.children_by_field_name("name")


def _starred(node: Node) -> bool:
    return any(child.type == "wildcard_import" for child in node.named_children)


def _name(source: Source, item: Node) -> str:
    """What an item imports, without its alias."""
    return source.text(item.child_by_field_name("name") or item)


def _is(source: Source, item: Node, wanted: Wanted) -> bool:
    alias = item.child_by_field_name("alias")
    said = source.text(alias) if alias is not None else None
    statement = item.parent
    whole = statement is not None and statement.type == "import_statement"
    return (
        whole == (wanted.member is None)
        and _name(source, item) == (wanted.member or wanted.module)
        and said == wanted.alias
    )


def _bound_by(source: Source, item: Node) -> str:
    """The name that an item binds."""
    alias = item.child_by_field_name("alias")
    return source.text(alias) if alias is not None else source.text(item).split(".")[0]
