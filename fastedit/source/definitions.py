"""The definitions of a text: what they are called and which lines belong to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from tree_sitter import Node

from fastedit.source.syntax import ByteSpan, Syntax, is_outer_comment

# A value that makes a definition of what it is given to.
_FUNCTIONS = frozenset(
    {"arrow_function", "function_expression", "generator_function", "class", "function", "class_expression"}
)
# What begins a definition that goes on with another one of its name.
REOPENING = frozenset({"impl", "namespace", "extension"})
# What makes a member another one than that of its name without it.
DISTINCT = frozenset({"get", "set", "static"})
_GENERICS = re.compile(r"<[^<>]*>|<[^>]*\Z", re.DOTALL)
_NAME = re.compile(r"[~#]?[\w$]+[?!=]?")
_OPERATOR = re.compile(r"\boperator[^\w\s]+\Z")  # of C++: its name may look like the arguments of a type


@dataclass(frozen=True, slots=True)
class Definition:
    """Lines `start` up to but not including `stop`, decorators, attributes and the comment above among them.

    `path` names it and what it stands in, outermost first; `header` is the line on which the definition
    itself begins, `body` the first line after its signature (`stop` where there is none).
    """

    path: tuple[str, ...]
    kind: str
    start: int
    header: int
    body: int
    stop: int

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def dotted(self) -> str:
        return ".".join(self.path)

    def __len__(self) -> int:
        return self.stop - self.start

    def moved(self, by: int) -> Definition:
        """The same definition in a text that has `by` lines more above it."""
        lines = (line + by for line in (self.start, self.header, self.body, self.stop))
        return Definition(self.path, self.kind, *lines)


@lru_cache(maxsize=4)
def definitions(syntax: Syntax) -> tuple[Definition, ...]:
    """All definitions in order of appearance, outer ones first."""
    return tuple(_definition(syntax, node, path) for node, path in defining(syntax))


@lru_cache(maxsize=4)
def defining(syntax: Syntax, within: ByteSpan | None = None) -> tuple[tuple[Node, tuple[str, ...]], ...]:
    """The nodes of all definitions, or of those around and within a span, with their paths, outer ones first."""
    found: list[tuple[Node, tuple[str, ...]]] = []
    around: list[tuple[int, tuple[str, ...]]] = []  # end byte and path of the definitions that are open
    for node in syntax.nodes(syntax.language.definitions, within):
        names = _names(syntax, node)
        if not names:
            continue
        while around and around[-1][0] <= node.start_byte:
            around.pop()
        path = (around[-1][1] if around else ()) + names
        around.append((node.end_byte, path))
        found.append((node, path))
    return tuple(found)


@lru_cache(maxsize=4)
def bound(syntax: Syntax) -> frozenset[tuple[str, tuple[str, ...]]]:
    """The kinds of nodes that bind a name as they may a function, with its path, whatever it is bound to."""
    paths = {node.id: path for node, path in defining(syntax)}
    found = set[tuple[str, tuple[str, ...]]]()
    for node in syntax.nodes(syntax.language.bindings):
        name = node.child_by_field_name(syntax.language.bindings[node.type][0])
        around = node.parent
        while around is not None and around.id not in paths:
            around = around.parent
        if name is not None:
            outer = paths[around.id] if around is not None else ()
            found.add((node.type, outer + name_parts(syntax.text(name))))
    return frozenset(found)


def nodes_named(syntax: Syntax, name: str) -> list[tuple[Node, Definition]]:
    """The definitions that are called `name`, with their nodes."""
    return [(node, _definition(syntax, node, path)) for node, path in _by_name(syntax).get(name, ())]


def named(syntax: Syntax | None, name: str) -> list[Definition]:
    """The definitions that a plain or dotted name can mean."""
    wanted = tuple(part for part in re.split(r"::|[.#]", name) if part)
    if syntax is None or not wanted:
        return []
    known = _by_name(syntax).get(wanted[-1], ())
    return [_definition(syntax, node, path) for node, path in known if path[-len(wanted) :] == wanted]


@lru_cache(maxsize=4)
def _by_name(syntax: Syntax) -> dict[str, list[tuple[Node, tuple[str, ...]]]]:
    """The nodes of all definitions with their paths, by what they are called."""
    found: dict[str, list[tuple[Node, tuple[str, ...]]]] = {}
    for node, path in defining(syntax):
        found.setdefault(path[-1], []).append((node, path))
    return found


def _definition(syntax: Syntax, node: Node, path: tuple[str, ...]) -> Definition:
    header = node.start_point.row
    start, stop = syntax.rows(whole_statement(syntax, node))
    while start and (above := _attached(syntax, start - 1)) is not None:
        start = above
    body = _body(syntax, node)
    inside = (
        stop
        if body is None
        else body.start_point.row + (body.start_point.row == header or _opens(syntax, body))
    )
    kind = syntax.language.definitions[node.type]
    return Definition(path, kind, start, header, min(max(inside, header + 1), stop), stop)


def whole_statement(syntax: Syntax, node: Node) -> Node:
    """The statement that a definition makes with its decorators, `export` or `const`, where it defines nothing else."""
    wrappers = syntax.language.wrappers
    while node.parent is not None and node.parent.type in wrappers and _only_child(node):
        node = node.parent
    return node


def _attached(syntax: Syntax, line: int) -> int | None:
    """Where the comment, decorator or attribute begins that `line` is part of; None where it is none, or stands
    on the line of code and so belongs to that.
    """
    node = syntax.at(line)
    while node is not None and not (is_outer_comment(node) or node.type in syntax.language.attached):
        node = node.parent
    if node is None or not syntax.ends_line(node):
        return None
    row, column = node.start_point
    return None if syntax.lines[row].encode()[:column].strip() else min(row, line)


def _only_child(node: Node) -> bool:
    """Whether the statement around `node` defines nothing else, as `const f = () => {}, g = 1` does."""
    parent = node.parent
    if parent is None:
        return True
    # One by one, since there may be thousands and two are enough to tell.
    children = (parent.named_child(index) for index in range(parent.named_child_count))
    alike = (child for child in children if child is not None and child.type == node.type)
    return len(list(islice(alike, 2))) == 1


def _opens(syntax: Syntax, body: Node) -> bool:
    return syntax.text(body)[:1] == "{"


def _body(syntax: Syntax, node: Node) -> Node | None:
    binding = syntax.language.bindings.get(node.type)
    if binding is not None:
        value = node.child_by_field_name(binding[1])
        return None if value is None else value.child_by_field_name("body")
    return syntax.child(node, syntax.language.bodies.get(node.type, "body"))


def _names(syntax: Syntax, node: Node) -> tuple[str, ...]:
    """What the node defines, with the names it is qualified by; empty where it defines nothing."""
    language, kind = syntax.language, node.type
    if kind in language.needs_body and syntax.child(node, "body") is None:
        return ()
    if kind in language.bindings:
        name, value = (node.child_by_field_name(field) for field in language.bindings[kind])
        if value is None or value.type not in _FUNCTIONS:
            return ()
    else:
        name = syntax.child(node, language.names.get(kind, "name")) or declared(node)
    if name is None:
        return ()
    return receiver(syntax.data, node) + name_parts(syntax.text(name))


def name_parts(name: str) -> tuple[str, ...]:
    """A name and those that it is qualified by, without the arguments of types, which may hold others."""
    operator = _OPERATOR.search(name)
    written = name[: operator.start()] if operator else name
    while (plain := _GENERICS.sub("", written)) != written:
        written = plain
    return (*_NAME.findall(written), *([operator[0]] if operator else []))


def declared(node: Node) -> Node | None:
    """The name at the bottom of C's nested declarators."""
    inner = node.child_by_field_name("declarator")
    while inner is not None:
        deeper = inner.child_by_field_name("declarator")
        if deeper is None and inner.type == "reference_declarator":
            deeper = inner.named_children[0]
        if deeper is None:
            return inner
        inner = deeper
    return None


def receiver(data: bytes, method: Node) -> tuple[str, ...]:
    """The type that a method of Go's belongs to."""
    node = method.child_by_field_name("receiver")
    text = "" if node is None else data[node.start_byte : node.end_byte].decode()
    return tuple(re.findall(r"\w+", text.partition("[")[0])[-1:])
