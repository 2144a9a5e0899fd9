"""The values of a JSON text and where they stand.

JSON, with or without comments and trailing commas, is parsed as the JavaScript expression that it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from tree_sitter import Node

from fastedit.source.languages.json import LANGUAGE as JSON
from fastedit.source.syntax import Syntax

CONTAINERS = ("object", "array")
_LEAVES = ("string", "number", "unary_expression", "true", "false", "null")


class NotJson(Exception):
    """Says in a few words why a text is not JSON."""


class JsonDocument:
    """The members of a container are the pairs of an object and the values of an array. Raises NotJson.

    `source` has one byte more than the text in front and two at the end; the offsets of all nodes are in it.
    """

    def __init__(self, text: str) -> None:
        # Parentheses make an expression of the text; the line break ends a comment in its last line.
        wrapped = f"({text}\n)"
        self.source = wrapped.encode()
        self.syntax = Syntax(wrapped.split("\n"), JSON.name)
        self.root = _expression(self.syntax.root)
        if not _is_strict(text):
            for node in walk(self.root):
                self._check(node)

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode()

    def value(self, node: Node) -> object:
        if node.type == "object":
            return {self.key(pair): self.value(value_of(pair)) for pair in members(node)}
        if node.type == "array":
            return [self.value(child) for child in members(node)]
        value: object = json.loads(self.text(node))
        return value

    def key(self, pair: Node) -> str:
        key: str = json.loads(self.text(key_of(pair)))
        return key

    def _check(self, node: Node) -> None:
        if node.type in CONTAINERS:
            commas = [child.type == "," for child in node.children[1:-1] if child.type != "comment"]
            # JavaScript may leave elements out between commas.
            valid = commas == ([False, True] * len(commas))[: len(commas)]
        else:
            valid = node.type in _LEAVES and _is_strict(self.text(node))
        if node.type == "object":
            valid = valid and all(
                pair.type == "pair" and _is_strict(self.text(key_of(pair))) for pair in members(node)
            )
        if not valid:
            raise NotJson(f"line {node.start_point.row + 1} is not JSON")


def tokens(pointer: str) -> list[str]:
    """The reference tokens of a JSON Pointer (RFC 6901). Raises ValueError."""
    if pointer and not pointer.startswith("/"):
        raise ValueError(f"{pointer!r} does not begin with /")
    if re.search(r"~(?![01])", pointer):
        raise ValueError(f"{pointer!r} has a ~ that is not ~0 or ~1")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def members(container: Node) -> list[Node]:
    return [child for child in container.named_children if child.type != "comment"]


def value_of(member: Node) -> Node:
    return _field(member, "value") if member.type == "pair" else member


def key_of(pair: Node) -> Node:
    return _field(pair, "key")


def walk(node: Node) -> Iterator[Node]:
    """All values in a value, itself first."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if node.type in CONTAINERS:
            waiting += [value_of(member) for member in reversed(members(node))]


def _expression(program: Node) -> Node:
    """The only value in the parentheses that are all of a program."""
    node = program
    for kind in ("program", "expression_statement", "parenthesized_expression"):
        inner = members(node)
        if node.type != kind or node.has_error or len(inner) != 1:
            raise NotJson("the file is not JSON")
        node = inner[0]
    return node


def _field(pair: Node, name: str) -> Node:
    node = pair.child_by_field_name(name)
    assert node is not None
    return node


def _is_strict(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
