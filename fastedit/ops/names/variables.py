"""What has a value under a name: constants, variables, attributes, fields, members of enums, entries of literals."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile
from typing import NamedTuple

from tree_sitter import Node

from fastedit.errors import TargetUnresolved
from fastedit.ops.lists import items_of
from fastedit.ops.names.references import symbols_of
from fastedit.ops.names.resolve import (
    TargetChoice,
    TargetName,
    choose,
    definition_choice,
    only,
    parse_target,
    place,
    resolve_definition,
)
from fastedit.ops.source import Source, outwards
from fastedit.source.definitions import Definition, defining

_NAME = re.compile(r"[\w$-]+")
_OWN = re.compile(r"(?:self|this|cls)(?:\.|->)#?")
_AROUND = " *&[]\"'`#."


class Variable(NamedTuple):
    """`node` is what names the value, `path` its name with what it stands in, the outermost first."""

    path: tuple[str, ...]
    node: Node
    name: Node
    value: Node | None
    source: Source

    @property
    def dotted(self) -> str:
        return ".".join(self.path)

    @property
    def own(self) -> range:
        """The bytes of what names it."""
        return range(self.name.start_byte, self.name.end_byte)

    @property
    def type(self) -> Node | None:
        """What it is declared to be."""
        found = next(filter(None, (node.child_by_field_name("type") for node in self._around)), None)
        # The colon that stands in the node of a type is no part of it.
        return found.named_children[0] if found is not None and found.type == "type_annotation" else found

    @property
    def statement(self) -> Node:
        """The whole declaration or assignment."""
        return self._around[-1]

    @property
    def _around(self) -> list[Node]:
        """What names it and all that this stands in, up to the statement."""
        above = takewhile(lambda node: self.source.kind(node) in _STATEMENTS, outwards(self.node.parent))
        return [self.node, *above]

    @property
    def is_statement(self) -> bool:
        """Whether it is declared or assigned in a statement, and is no part of a literal."""
        parent = self.statement.parent
        return self.source.kind(self.node) not in _PARTS and (parent is None or parent.type not in _PARTS)

    @property
    def shares_type(self) -> bool:
        """Whether its type is that of others too, as in `int a, b`."""
        own = self.node.child_by_field_name("type") is not None and not _names_several(self.node)
        return not own and not self.alone

    @property
    def alone(self) -> bool:
        """Whether its statement names nothing else."""
        around = self._around
        beside = (sum(each.type == node.type for each in up.named_children) for node, up in pairwise(around))
        return not any(map(_names_several, around)) and all(count == 1 for count in beside)


_PARTS = frozenset(
    {"pair", "keyed_element", "field_initializer", "initializer_pair", "element_value_pair"}
    | {"enumerator", "enum_variant", "enum_assignment", "optional_parameter_declaration"}
)
_STATEMENTS = frozenset(
    {"expression_statement", "lexical_declaration", "variable_declaration", "local_variable_declaration"}
    | {"field_declaration", "declaration", "export_statement", "var_declaration", "const_declaration"}
)


def _names_several(node: Node) -> bool:
    return any(len(node.children_by_field_name(field)) > 1 for field in ("name", "declarator"))


def variables(source: Source) -> list[Variable]:
    """All of them in order of appearance, outer ones first."""
    kinds = source.language.variables
    named = [(node, None) for node in source.syntax.nodes(kinds)]
    named += [(node, path) for node, path in defining(source.syntax) if node.type not in kinds]  # type: ignore[misc]
    found: list[Variable] = []
    # The end, the path, and how many of its names are definitions'.
    around: list[tuple[int, tuple[str, ...], int]] = []
    for node, defined in sorted(named, key=lambda item: (item[0].start_byte, -item[0].end_byte)):
        while around and around[-1][0] <= node.start_byte:
            around.pop()
        _, path, known = around[-1] if around else (0, (), 0)
        if defined is not None:
            around.append((node.end_byte, path + defined[known:], len(defined)))
        elif (variable := _variable(source, node, path)) is not None:
            found.append(variable)
            around.append((node.end_byte, variable.path, known))
    return found


def _variable(source: Source, node: Node, path: tuple[str, ...]) -> Variable | None:
    """What a node names; None where it names no single thing."""
    name_field, value_field = source.language.variables[node.type]
    name, value = source.syntax.child(node, name_field), _field(node, value_field)
    if name is None or (node.type == "declaration" and name.type == "init_declarator"):
        return None
    text = source.text(name)
    owned = _OWN.match(text)
    text = text.split("[")[0] if name.type in ("array_declarator", "pointer_declarator") else text
    bare = text[owned.end() if owned else 0 :].strip(_AROUND)
    if not _NAME.fullmatch(bare):
        return None
    return Variable((*(path[:-1] if owned else path), bare), node, name, value, source)


def _field(node: Node, field: str) -> Node | None:
    if field != "=":
        found = node.child_by_field_name(field)
        if found is None or found.type != "arrow_expression_clause":
            return found
        return next(iter(items_of(found)), None)
    sign = next((child for child in node.children if child.type == "="), None)
    return sign.next_named_sibling if sign is not None else None


def resolve_variable(source: Source, text: str, *, declared: bool = False) -> Variable:
    """The one that the target means, or its declaration alone. Raises TargetUnresolved."""
    return _chosen(source, text, _variables_named(source, text, declared))


def _variables_named(source: Source, text: str, declared: bool) -> list[Variable]:
    """Those that the target has the name of, or their declarations alone."""
    name = parse_target(text).name
    known = [variable for variable in variables(source) if variable.path[-1] == name]
    if declared:
        known = [variable for variable in known if not source.kind(variable.node).startswith("assignment_")]
    return known


def _chosen(source: Source, text: str, known: list[Variable]) -> Variable:
    """The one among these that the target means. Raises TargetUnresolved."""
    target, choices = parse_target(text), [_choice(source, variable) for variable in known]
    found = choose(source, target, choices)
    # What the file itself binds by the name is meant before any other, even where it has no value of its own.
    if target.line is None and found.path != target.path and _means_another(source, target, found):
        only(source, text, [], lambda choice: choice.candidate, choices)
    defining = _defined_at(source, found) if target.line is None else found.name.start_byte
    if defining not in found.own:
        assigned = place(source, found.name.start_point.row, f"`{found.dotted}`")
        elsewhere, candidates = "is not defined in this file", [assigned]
        if defining is not None:
            defined = place(source, source.row(defining), "defined")
            elsewhere = (
                f"line {source.number(defined.line)} defines it, as nothing that {source.operation} takes"
            )
            candidates = [defined, assigned]
        way_out = f"name the assignment, {target.text}@{source.number(assigned.line)}, or change it by hand"
        raise TargetUnresolved(f"{text}: {elsewhere}; {way_out}", tuple(candidates))
    return found


def _means_another(source: Source, target: TargetName, found: Variable) -> bool:
    """Whether the whole path of a target is that of something else."""
    outermost = (symbol for symbol in symbols_of(source, target.name) if symbol.path == target.path)
    return any(all(site.start not in found.own for site in symbol.sites) for symbol in outermost)


def _defined_at(source: Source, found: Variable) -> int | None:
    """The byte at which what a variable's place means is defined; None where that is not in this file."""
    if not source.language.has_scopes:
        around = (
            node for node in source.syntax.identifier_nodes(found.path[-1]) if _is_around(source, node, found)
        )
        return next((node.start_byte for node in around if binds(node)), found.name.start_byte)
    for symbol in symbols_of(source, found.path[-1]):
        if any(site.start in found.own for site in symbol.sites):
            bound = [site for site in symbol.sites if site.binds]
            # Not what a function has declared to be of the file, while the file says it too.
            direct = [site for site in bound if site.scope.key == symbol.scope.key] or bound or symbol.sites
            return direct[0].start
    assigns = source.kind(found.node).startswith("assignment") and not _OWN.match(source.text(found.name))
    return None if assigns and len(found.path) > 1 else found.name.start_byte


def _is_around(source: Source, name: Node, found: Variable) -> bool:
    """Whether a name stands in no definition but those around a variable."""
    definitions = (each for each in outwards(name.parent) if each.type in source.language.definitions)
    return all(_holds(each, found.node) for each in definitions)


def binds(name: Node) -> bool:
    """Whether a name is a parameter or the target of an assignment, in a language without scopes."""
    around = name.parent
    if around is None or re.search("parameter|left_assignment", around.type):
        return around is not None
    return around.type.endswith("assignment") and around.child_by_field_name("left") == name


def _choice(source: Source, variable: Variable) -> TargetChoice[Variable]:
    start, stop = source.syntax.rows(variable.node)
    said = place(source, variable.name.start_point.row, f"`{variable.dotted}`")
    return TargetChoice(variable, variable.path, start, start, stop, said)


def resolve_either(
    source: Source, text: str, *, declared: bool = False
) -> tuple[tuple[Node, Definition] | None, Variable | None]:
    """The definition or the variable that the target means. Raises TargetUnresolved.

    A definition is meant before a variable of a longer path than the target's, and a declaration before what assigns to
    it. A method and a field of one path are two things.
    """
    known = _variables_named(source, text, declared)
    try:
        node, definition = resolve_definition(source, text)
    except TargetUnresolved as unresolved:
        try:
            return None, _chosen(source, text, _declaring(source, known))
        except TargetUnresolved as other:
            raise (unresolved if unresolved.candidates else other) from None
    target = parse_target(text)
    others = [variable for variable in known if variable.path in (target.path, definition.path)]
    others = [v for v in _declaring(source, others, definition.path) if not _overlap(v.node, node)]
    if target.line is not None:
        others = [variable for variable in known if not _holds(variable.node, node)]
    if not others:
        return (node, definition), None
    choices: list[TargetChoice[Variable | None]] = [definition_choice(source, definition, None)]
    choices += (TargetChoice(variable, *_choice(source, variable)[1:]) for variable in others)
    found = choose(source, target, choices)
    return ((node, definition), None) if found is None else (None, found)


def _declaring(source: Source, known: list[Variable], *defined: tuple[str, ...]) -> list[Variable]:
    """Without what assigns to another one of these, or to what is defined by these paths."""
    assigning = [v for v in known if source.kind(v.node).startswith("assignment")]
    declared = {*defined, *(v.path for v in known if v not in assigning)}
    return [v for v in known if v not in assigning or v.path not in declared]


def _holds(one: Node, other: Node) -> bool:
    return one.start_byte <= other.start_byte and other.end_byte <= one.end_byte


def _overlap(one: Node, other: Node) -> bool:
    return one.start_byte < other.end_byte and other.start_byte < one.end_byte
