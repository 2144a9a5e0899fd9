"""What added code defines a second time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from fastedit.ops.names.variables import variables
from fastedit.ops.source import Source
from fastedit.source.definitions import DISTINCT, REOPENING, defining, whole_statement
from fastedit.source.hunks import Hunk
from fastedit.source.names.site import Role
from fastedit.source.outline import is_decorator

# Words that make a member the type's own, where objects may have one of its name too.
_OF_TYPE = ("static", "class")


class _Made(NamedTuple):
    """A name that a statement gives a meaning: `told` is what no two of a block have in common."""

    name: str
    told: tuple[str, ...]
    node: Node
    whole: Node
    assigned: bool


def check_doubles(source: Source, hunk: Hunk) -> None:
    """Raises OperationRefused where new lines define what the block that they come to stand in has already."""
    new = source.changed((hunk,))
    if new.syntax.damage > source.syntax.damage:
        return  # which is refused elsewhere, by its line
    added = range(hunk.start, hunk.start + len(hunk.lines))
    made = [*_made(new)]
    known = {(each.told, _block(each)): each for each in made if each.node.start_point.row not in added}
    for each in made:
        other = known.get((each.told, _block(each)))
        if each.node.start_point.row in added and other is not None and not _is_read(new, each, other):
            row = other.node.start_point.row
            line = source.number(row if row < hunk.start else row - len(hunk.lines))
            problem = f"`{each.name}` exists already on line {line}"
            raise source.refused(f"{problem}; choose another name, or change that")


def _made(source: Source) -> Iterator[_Made]:
    """Definitions, and variables that statements declare or assign."""
    defined = set[int]()
    for node, path in defining(source.syntax):
        defined.add(node.id)
        if path[-1] != "_" and not _is_repeatable(source, node):
            kind = "" if source.by_functions else source.language.definitions[node.type]
            told = (kind, *path, *_apart(source, node), *_head(source, node))
            yield _Made(path[-1], told, node, whole_statement(source.syntax, node), False)
    for each in variables(source):
        assigned = source.kind(each.node).startswith("assignment")
        unsaid = each.node.type == "declaration" or (assigned and not source.language.has_scopes)
        if each.node.id in defined or not each.is_statement or each.path[-1] == "_":
            continue
        if each.value is not None or not unsaid:
            kind = "" if source.by_functions else "variable"
            told = (kind, *each.path, *_apart(source, each.node))
            yield _Made(each.path[-1], told, each.node, each.statement, assigned)


def _block(made: _Made) -> int | None:
    return None if made.whole.parent is None else made.whole.parent.id


def _is_repeatable(source: Source, node: Node) -> bool:
    """Whether a definition may have others of its name beside it, as those with a decorator or `#[cfg(...)]` do."""
    repeats, whole = source.language.repeats, whole_statement(source.syntax, node)
    above = source.lines[source.rows(whole)[0] : node.start_point.row]
    return (
        any(map(is_decorator, above))
        or any(child.type in REOPENING for child in node.children)
        or (repeats is not None and repeats.match(source.text(node)) is not None)
    )


def _head(source: Source, node: Node) -> Iterator[str]:
    """What tells a definition from others of its name: all of its head where a language has overloads."""
    ends = (source.syntax.child(node, "body"), node.child_by_field_name("value"))
    around = whole_statement(source.syntax, node).child_by_field_name("parameters")  # of a template
    for child in (*([around] if around is not None else []), *node.children):
        if child in ends:
            return
        whole = source.language.overloads and "modifier" not in child.type and child.is_named
        if whole or child.type in DISTINCT:
            yield "".join(source.text(child).split())


def _apart(source: Source, node: Node) -> Iterator[str]:
    """What makes a member another one than the same without: the type that it extends, or that it is its type's own."""
    for child in node.children:
        if child.next_sibling is not None and child.next_sibling.type == ".":
            yield source.text(child)
        own = node.type.startswith("constructor") and child.type == "modifier"
        words = [child] if own else [part for part in child.children if part.type == "property_modifier"]
        if any(source.text(word) in _OF_TYPE for word in words):
            yield _OF_TYPE[0]


def _is_read(source: Source, one: _Made, other: _Made) -> bool:
    """Whether the first of two values is used before the second one takes its place, or for it."""
    if not (one.assigned or other.assigned):
        return False
    first, second = sorted((one.whole, other.whole), key=lambda node: node.start_byte)
    between = range(first.end_byte, second.end_byte)
    sites = [site for site in source.names(one.name).sites if site.start in between]
    return any(s.role is Role.NAME and not s.binds and s.scope.kind != "function" for s in sites)
