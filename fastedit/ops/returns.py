"""What a function returns: a value, by its type or else its own returns, and whether an expression gives several."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from fastedit.ops.source import Source
from fastedit.source.languages.scopes import kinds

_TYPES = ("return_type", "result", "returns", "type")  # the fields of a function that hold what it returns
_NOTHING = frozenset({"void", "none", "()", "undefined", "any", "unknown"})  # in lower case
_PROMISE = re.compile(r"[\w.:]*?(?:Promise|Task)(?:<(.*)>)?", re.DOTALL)
_POINTERS = {"pointer_declarator": "*", "reference_declarator": "&"}  # C writes them beside the name
_YIELDS = kinds("yield yield_expression")  # a bare return ends a generator, which has one of these
_RETURNS = kinds("return_statement return_expression")


def value_returned(source: Source, body: Node) -> str | None:
    """What says that the function of this body returns a value; None where nothing does."""
    function = body.parent
    if function is None or is_generator(source, body):
        return None
    declared, marks = _declared(function)
    if declared is not None:
        said = source.text(declared).lstrip(": ").strip("\"'") + marks
        return None if _is_nothing(source, function, declared, said) else f"`{said}`"
    for node in _own(source, body):
        if node.type in _RETURNS and any("comment" not in child.type for child in node.named_children):
            return f"a value on line {source.number(node.start_point.row)}"
    return None


def is_generator(source: Source, body: Node) -> bool:
    """Whether the function of this body gives its values one by one."""
    return any(node.type in _YIELDS for node in _own(source, body))


def _own(source: Source, node: Node) -> Iterator[Node]:
    """What stands in a function, without what stands in the functions and classes within."""
    scopes = source.language.scopes
    inner = source.language.definitions.keys() | (scopes.functions if scopes is not None else frozenset())
    for child in node.named_children:
        if child.type not in inner:
            yield child
            yield from _own(source, child)


def _declared(function: Node) -> tuple[Node | None, str]:
    """The type that a function says it returns, and the marks of a pointer or reference that belong to it."""
    found = next(filter(None, map(function.child_by_field_name, _TYPES)), None)
    declarator, marks = function.child_by_field_name("declarator"), ""
    while declarator is not None:
        marks += _POINTERS.get(declarator.type, "")
        parts = declarator.named_children
        # C++ may write all of the type behind the parameters.
        found = next((part.named_children[0] for part in parts if part.type == "trailing_return_type"), found)
        declarator = next((part for part in parts if part.type.endswith("_declarator")), None)
    deduced = found is not None and found.type == "placeholder_type_specifier"
    return (None, "") if deduced else (found, marks)


def _is_nothing(source: Source, function: Node, declared: Node, said: str) -> bool:
    """Whether a return without a value is one of this type."""
    if declared.type == "parameter_list":  # of Go, where a bare return returns what has a name
        return any(item.child_by_field_name("name") is not None for item in declared.named_children)
    if any(source.text(child) == "async" for child in function.children):
        promised = _PROMISE.fullmatch(said)
        said = (promised[1] or "void").strip() if promised is not None else said
    return said.lower() in _NOTHING or said.startswith("asserts ")
