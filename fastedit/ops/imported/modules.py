"""The imports of JavaScript and TypeScript."""

from __future__ import annotations

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
from fastedit.ops.sorting import sorted_index
from fastedit.ops.source import Source

_NAME = r"[^\W\d][\w$]*|\$[\w$]*"
_MODULE = r"[^\s'\"\\]+"


def add(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE, member=rf"{_NAME}|\*", alias=_NAME)
    if wanted.member in ("*", "default") and wanted.alias is None:
        raise wanted.refused(f"`{wanted.member}` needs an alias, which is its name in this file")
    if wanted.alias is not None and wanted.member is None:
        raise wanted.refused("an alias needs a member: `default`, `*` or a name")
    found = top_level(source, "import_statement")
    same = [node for node in found if _module(source, node) == wanted.module]
    for node in same:
        if _has(source, node, wanted):
            return already(source, node)
    if (name := wanted.alias or wanted.member) is not None:
        wanted.check_free(source, name)
    if wanted.member not in (None, "*", "default"):
        for node in same:
            items = _specifiers(node)
            if items and not _types_only(source, node):
                text = wanted.item
                keys = [source.text(item).lower() for item in items]
                return with_item(source, items, sorted_index(keys, text.lower()), text)
    line = _statement(source, wanted, same or found)
    if not found:
        return inserted(
            source,
            first_row(source, "expression_statement") if _strict(source) else first_row(source),
            line,
            below=True,
        )
    return among(source, found, [_module(source, node) for node in found], wanted.module, line)


def remove(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE, member=rf"{_NAME}|\*", alias="")
    same = [node for node in top_level(source, "import_statement") if _module(source, node) == wanted.module]
    if wanted.member is None:
        if len(same) != 1:
            raise wanted.refused(
                "is imported several times; say which member" if same else "is not imported here"
            )
        names = _bound(source, same[0])
        return without_line(source, same[0], [c for name in names for c in uses(source, name, same[0])])
    for node in same:
        items = _specifiers(node)
        for part in _unbraced(node):
            name = source.text(part.named_children[-1] if part.named_child_count else part)
            if wanted.member in (name, "*" if part.named_child_count else "default"):
                left = uses(source, name, node)
                if len(_bound(source, node)) == 1:
                    return without_line(source, node, left)
                return without_item(source, _parts(node), part, left)
        for item in items:
            if source.text(item.child_by_field_name("name") or item) == wanted.member:
                name = source.text(item.child_by_field_name("alias") or item)
                left = uses(source, name, node)
                alone = len(items) == 1 and len(_bound(source, node)) == 1
                if len(items) == 1 and not alone:
                    raise wanted.refused(
                        "is the last of its braces beside a default import; edit the line by hand"
                    )
                return without_line(source, node, left) if alone else without_item(source, items, item, left)
    raise wanted.refused("is not imported here")


def _strict(source: Source) -> bool:
    first = source.syntax.root.named_children[0] if source.syntax.root.named_child_count else None
    return first is not None and source.text(first).strip(";\"'") in ("use strict", "use client")


def _module(source: Source, node: Node) -> str:
    module = node.child_by_field_name("source")
    return "" if module is None else source.text(module).strip("'\"")


def _clause(node: Node) -> Node | None:
    return next((child for child in node.named_children if child.type == "import_clause"), None)


def _specifiers(node: Node) -> list[Node]:
    named = [part for part in _parts(node) if part.type == "named_imports"]
    return [item for child in named for item in child.named_children if item.type == "import_specifier"]


def _parts(node: Node) -> list[Node]:
    """What the statement imports, by its commas: a default, all, and what stands in braces."""
    clause = _clause(node)
    return [] if clause is None else clause.named_children


def _unbraced(node: Node) -> list[Node]:
    """The default that the statement imports, and the name for all."""
    return [part for part in _parts(node) if part.type in ("identifier", "namespace_import")]


def _types_only(source: Source, node: Node) -> bool:
    return any(child.type == "type" for child in node.children)


def _bound(source: Source, node: Node) -> list[str]:
    """The names that the statement gives to the file."""
    found = [
        source.text(part.named_children[-1] if part.named_child_count else part) for part in _unbraced(node)
    ]
    return [*found, *(source.text(item.child_by_field_name("alias") or item) for item in _specifiers(node))]


def _has(source: Source, node: Node, wanted: Wanted) -> bool:
    clause = _clause(node)
    if wanted.member is None:
        return clause is None
    if wanted.member in ("*", "default"):
        kind = "namespace_import" if wanted.member == "*" else "identifier"
        children = clause.named_children if clause is not None else []
        return any(
            child.type == kind
            and source.text(child.named_children[-1] if child.named_children else child) == wanted.alias
            for child in children
        )
    return not _types_only(source, node) and any(
        source.text(item) == wanted.item for item in _specifiers(node)
    )


def _statement(source: Source, wanted: Wanted, like: list[Node]) -> str:
    """The import with the quotes and the semicolon of the last of these, else of the file."""
    beside = source.text(like[-1]) if like else source.text(source.syntax.root)
    double, single = beside.count('"'), beside.count("'")
    quote = "'" if single > double else '"'
    end = ";" if not beside.strip() or ";" in beside else ""
    what = {None: "", "*": f"* as {wanted.alias} from ", "default": f"{wanted.alias} from "}.get(
        wanted.member, f"{{ {wanted.item} }} from "
    )
    return f"import {what}{quote}{wanted.module}{quote}{end}"
