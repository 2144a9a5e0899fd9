"""A Python function's parameters as a list of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from fastedit.ops.lists import items_of
from fastedit.ops.names.resolve import resolve_definition
from fastedit.ops.source import Source
from fastedit.source.definitions import Definition
from fastedit.source.syntax import Syntax

_KINDS: Final = {
    "keyword_separator": "*",
    "positional_separator": "/",
    "list_splat_pattern": "splat",
    "dictionary_splat_pattern": "keywords",
}
_SEPARATORS: Final = ("*", "/")
_ENDS: Final = ("splat", "keywords", "*")


@dataclass(frozen=True, slots=True)
class Parameter:
    """`kind` is plain, splat (`*args`), keywords (`**kw`), or the separator `*` or `/`, whose name it is too."""

    node: Node
    name: str
    kind: str
    named: Node
    type: Node | None
    default: Node | None


@dataclass(frozen=True, slots=True)
class Signature:
    source: Source
    node: Node
    definition: Definition
    holder: Node
    parameters: tuple[Parameter, ...]

    def named(self, name: str) -> Parameter:
        """Raises OperationRefused where there is none."""
        known = {p.name: p for p in self.parameters if p.kind not in _SEPARATORS}
        found = known.get(name.lstrip("*"))
        if found is None:
            has = ", ".join(known) or "none"
            raise self.source.refused(f"`{self.definition.dotted}` has no parameter {name}; it has {has}")
        return found

    @property
    def keyword_only_from(self) -> int:
        """The index of the first parameter that no position reaches."""
        ends = (i for i, parameter in enumerate(self.parameters) if parameter.kind in _ENDS)
        return next(ends, len(self.parameters))

    @property
    def positional_only(self) -> int:
        """The index of the `/`, up to which a parameter has no name in calls; -1 without one."""
        kinds = [parameter.kind for parameter in self.parameters]
        return kinds.index("/") if "/" in kinds else -1

    def position(self, index: int) -> int | None:
        """Which argument reaches the parameter at `index`, None for one that only a keyword does."""
        if index >= self.keyword_only_from:
            return None
        return sum(parameter.kind == "plain" for parameter in self.parameters[:index])


def signature_of(source: Source, target: str) -> Signature:
    """The function that a target means. Raises TargetUnresolved, or OperationRefused for what is no function."""
    node, definition = resolve_definition(source, target)
    holder = node.child_by_field_name("parameters")
    if holder is None:
        raise source.refused(f"`{definition.dotted}` is a {definition.kind}; name a function or method")
    return Signature(
        source, node, definition, holder, tuple(_parameter(source, item) for item in items_of(holder))
    )


def parse_parameter(source: Source, code: str) -> tuple[Source, Parameter]:
    """One parameter as it would stand in a signature. Raises OperationRefused."""
    alone = Source((f"def f({code}): pass",), source.language.name)
    if "\n" not in code and not alone.syntax.has_error:
        holders = alone.syntax.find("(function_definition parameters: (parameters) @found)")
        items = items_of(holders[0]) if len(holders) == 1 else []
        if len(items) == 1 and _KINDS.get(items[0].type) not in _SEPARATORS:
            return alone, _parameter(alone, items[0])
    raise source.refused(f"{code!r} is not a parameter; write one such as `timeout: float = 3`")


def check_expression(source: Source, field: str, code: str) -> None:
    """Raises OperationRefused for what is no expression of the language."""
    syntax = Syntax((f"x({code.strip()})",), source.language.name)
    arguments = syntax.find("(argument_list) @found")
    alone = bool(arguments) and len(arguments[0].named_children) == 1
    if "\n" in code or syntax.has_error or not alone or arguments[0].named_children[0].type in _NO_VALUES:
        raise source.refused(f"field `{field}`: {code!r} is not an expression; correct it")


_NO_VALUES = frozenset({"keyword_argument", "list_splat", "dictionary_splat", "comment"})


def _parameter(source: Source, node: Node) -> Parameter:
    inner = node.named_children[0] if node.type == "typed_parameter" else node
    kind = _KINDS.get(inner.type, "plain")
    if kind in _SEPARATORS:
        return Parameter(node, kind, kind, node, None, None)
    named = node.child_by_field_name("name") or inner
    name = source.text(named).lstrip("* ")
    return Parameter(
        node, name, kind, named, node.child_by_field_name("type"), node.child_by_field_name("value")
    )
