"""The calls of a Python function in its file, and whose parameter, or whose field, their keyword arguments name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from fastedit.ops.base import Candidate
from fastedit.ops.definitions.decorators import decorators, written
from fastedit.ops.lists import items_of, positional
from fastedit.ops.names.classes import Class
from fastedit.ops.names.members import Members, Owned, members_of, relative_to
from fastedit.ops.names.references import places_of, symbol_of
from fastedit.ops.names.resolve import place
from fastedit.ops.source import Source
from fastedit.source.languages.scopes import kinds
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Role, Site

# What makes a copy of its first argument, with other fields.
_COPYING = ("replace", "dataclasses.replace", "copy.replace")
_CALLS = ("call", "call_expression")
_IMPLICIT = ("__init__", "__new__", "__call__", "__init_subclass__")
# What may stand around a value that is given on, what gives it, and the field there that takes it.
_CARRYING = kinds(
    "tuple list set dictionary pair parenthesized_expression conditional_expression boolean_operator "
    "expression_list lambda"
)
_GIVING = kinds(
    "assignment augmented_assignment named_expression return_statement raise_statement yield keyword_argument "
    "default_parameter typed_default_parameter argument_list for_statement for_in_clause"
)
_TAKING = ("left", "name")
_DEFINED = ("function_definition", "class_definition")
_STATED = ("import_statement", "import_from_statement")


class Call(NamedTuple):
    """`skipped` parameters are given by what stands before the dot."""

    arguments: Node
    skipped: int

    @property
    def row(self) -> int:
        return self.arguments.start_point.row

    @property
    def positional(self) -> list[Node]:
        return positional(items_of(self.arguments))

    @property
    def unpacks(self) -> bool:
        """Whether the text does not tell how many arguments are passed by position."""
        return any(
            item.type in ("list_splat", "generator_expression") for item in items_of(self.arguments)
        ) or (self.arguments.type != "argument_list")

    @property
    def unpacks_keywords(self) -> bool:
        return any(item.type == "dictionary_splat" for item in items_of(self.arguments))

    def keyword(self, source: Source, name: str) -> Node | None:
        """The argument that is passed by this name."""
        for item in items_of(self.arguments):
            key = item.child_by_field_name("name") if item.type == "keyword_argument" else None
            if source.text(key) == name:
                return item
        return None


@dataclass(slots=True)
class Calls:
    """`sure` are calls of the function, by one of its `names`, `unsure` those that may be; `left` are the places of the
    latter, and of what passes it on or has its name in a string. `redefined`: the name has other definitions where it
    has this one. `bound` parameters are given by an object before the dot, as `self` is. `passed`: variables may hold
    it."""

    names: set[str] = field(default_factory=set)
    bound: int = 0
    redefined: bool = False
    passed: bool = False
    sure: list[Call] = field(default_factory=list)
    unsure: list[Call] = field(default_factory=list)
    left: list[Candidate] = field(default_factory=list)


def calls_of(source: Source, node: Node) -> Calls:
    """Where the file calls the function that `node` defines."""
    found = Calls()
    symbol = symbol_of(source, node.child_by_field_name("name"))
    if symbol is None:
        return found
    found.names, found.redefined = {symbol.name}, sum(site.binds for site in symbol.sites) > 1
    members = members_of(source, symbol.name)
    decorated = {written(source, decorator) for decorator in decorators(source, node)}
    found.bound = int(symbol.scope.kind == "class" and "staticmethod" not in decorated)
    for site, sure in places_of(source, symbol):
        value = site.steps[-2].node.child_by_field_name("object") if site.role is Role.MEMBER else None
        of_class = value is not None and members.classes.class_at(value) is not None
        unbound = site.role is not Role.MEMBER or (of_class and "classmethod" not in decorated)
        if not site.binds and site.role is not Role.UNSURE:
            _sort(source, site, 0 if unbound else found.bound, found, "" if sure else ".".join(symbol.path))
    for site in source.names(symbol.name).sites:
        if site.role is Role.STRING and source.text(site.steps[-1].node) == symbol.name:
            found.left.append(place(source, source.row(site.start), "a string with its name, as for getattr"))
    if symbol.scope.kind != "class":
        return found
    for other in members.relatives(symbol):
        found.left.append(place(source, source.row(other.binding.start), relative_to(other)))
    if symbol.name in _IMPLICIT:
        _add_implicit(members, symbol, found)
    return found


def _add_implicit(members: Members, symbol: Symbol, found: Calls) -> None:
    """Adds the calls of a special method that do not name it: what makes an object, calls one, or derives."""
    source, owner, path = members.source, members.owner(symbol), ".".join(symbol.path)
    having = dict[Class, Node | None]()  # the classes whose method it is, with their names
    above = set[Class]()
    for node in source.syntax.nodes(["class_definition"]):
        line = members.classes.ancestors(each := members.classes.at(node))
        given = node.child_by_field_name("superclasses")
        if next((base for base in line if base in members.declared), None) == owner:
            having[each] = node.child_by_field_name("name")
            above.update(line)
        if symbol.name == "__init_subclass__" and given is not None and owner in line[1:]:
            found.unsure.append(Call(given, found.bound))
            found.left.append(place(source, given.start_point.row, f"is made by `{path}`"))
    if symbol.name == "__init_subclass__":
        return
    makes = symbol.name != "__call__"
    for name in having.values() if makes else ():
        for site in made.sites if (made := symbol_of(source, name)) is not None else ():
            if not site.binds and (callee(site) is not None or _is_passed_on(source, site)):
                found.names.add(source.text(site.steps[-1].node))
                _sort(source, site, found.bound, found)
    seen = {call.arguments.id for call in found.sure}
    for function, arguments in _called(source, makes):
        made_by, object_of = members.classes.class_at(function), members.classes.object_at(function)
        of = made_by if makes else object_of
        if arguments.id in seen:
            continue
        if of in having:
            found.sure.append(Call(arguments, found.bound))
        elif of in above or (not (made_by or object_of or makes) and _may_hold(source, function)):
            found.unsure.append(Call(arguments, found.bound))
            found.left.append(place(source, arguments.start_point.row, f"may be `{path}`"))


def _called(source: Source, of_class: bool) -> Iterator[tuple[Node, Node]]:
    """What is called, with its arguments; `of_class`: only what may stand for a class without its name."""
    first = {source.text(node) for node in source.syntax.find("(parameters . (identifier) @found)")}
    for call in source.syntax.nodes(["call"]):
        function, arguments = (call.child_by_field_name(field) for field in ("function", "arguments"))
        if function is None or arguments is None:
            continue
        if not of_class or function.type != "identifier" or source.text(function) in first:
            yield function, arguments


def _is_passed_on(source: Source, site: Site) -> bool:
    """Whether a place gives what it names to a variable, a call or the like, which may call it."""
    depth = len(site.steps) - (2 if site.role is Role.MEMBER else 1)
    while depth and site.steps[depth - 1].kind in _CARRYING:
        depth -= 1
    if not depth or site.steps[depth - 1].kind not in _GIVING or site.steps[depth].field in _TAKING:
        return False
    call = site.steps[depth - 2].node if depth > 1 else None
    function = source.text(call.child_by_field_name("function")) if call is not None else ""
    return site.steps[depth - 1].field != "superclasses" and function not in ("isinstance", "issubclass")


def _sort(source: Source, site: Site, skipped: int, found: Calls, maybe: str = "") -> None:
    """Adds the call of a place, which means the function, or `maybe` does."""
    call = callee(site)
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if arguments is not None:
        (found.unsure if maybe else found.sure).append(Call(arguments, skipped))
    if arguments is None or maybe:
        found.passed |= _is_passed_on(source, site)
        why = f"may be `{maybe}`" if maybe else "passes it on, or names it"
        found.left.append(place(source, source.row(site.start), why))


def callee(site: Site) -> Node | None:
    """The call whose function the place is."""
    depth = len(site.steps) - 1
    if site.role is Role.MEMBER:
        depth -= 1
    called = depth > 0 and site.steps[depth].field == "function" and site.steps[depth - 1].kind in _CALLS
    return site.steps[depth - 1].node if called else None


def _may_hold(source: Source, function: Node) -> bool:
    """Whether what is called may be any function or object, as what a variable has may."""
    if function.type == "identifier":
        bound = source.bound(function)
        return any(site.around(*_STATED) is None and site.steps[-2].kind not in _DEFINED for site in bound)
    name = function.child_by_field_name("attribute")
    declared = members_of(source, source.text(name)).declared.values() if name is not None else ()
    given = (site for sites in declared for site in sites)
    return name is None or any(site.steps[-2].kind not in _DEFINED for site in given)


class Keywords:
    """The keyword arguments that may be for `symbol`: a member of a class, or a parameter of what `calls` call."""

    def __init__(self, source: Source, symbol: Symbol) -> None:
        self.source = source
        self.symbol = symbol
        self.members = members_of(source, symbol.name)
        self.classes = self.members.classes
        function = symbol.binding.around("function_definition") if symbol.binding.parameter else None
        self.calls = Calls() if function is None else calls_of(self.source, function)
        known = [(call, Owned.UNKNOWN) for call in self.calls.unsure]
        known += [(call, Owned.UNKNOWN if self.calls.redefined else Owned.SAME) for call in self.calls.sure]
        self._known = {call.arguments.id: owned for call, owned in known}

    def owned(self, site: Site) -> Owned:
        """Whether a keyword argument is for the parameter, or the field, that the symbol is."""
        call, arguments = (step.node for step in site.steps[-4:-2])
        if self.symbol.scope.kind == "class":
            return self._of_field(call)
        if arguments.id in self._known:
            return self._known[arguments.id]
        # It may be handed on, as to functools.partial.
        words = re.findall(r"\w+", self.source.text(arguments))
        function = call.child_by_field_name("function")
        held = self.calls.passed and function is not None and _may_hold(self.source, function)
        return Owned.UNKNOWN if held or not self.calls.names.isdisjoint(words) else Owned.OTHER

    def _of_field(self, call: Node) -> Owned:
        """Whether what is called is the class, or copies its object, and makes the field of its arguments, as
        dataclasses do."""
        owner, made = self.members.owner(self.symbol), self._made(call)
        if made is None:
            return Owned.OTHER if self._copied(call) is None else Owned.UNKNOWN
        line = self.classes.ancestors(made)
        nearest = next((each for each in line if each in self.members.declared), None)
        if nearest != owner or any(map(self._has_constructor, line[: line.index(owner) + 1])):
            return Owned.OTHER
        (node,) = self.classes.nodes(owner)
        above = node.parent
        head = "" if above is None or above.type != "decorated_definition" else self.source.text(above)
        bases = node.child_by_field_name("superclasses")
        named = bases is not None and "NamedTuple" in self.source.text(bases)
        bound = (site.steps[-2].node for site in self.symbol.sites if site.binds)
        annotated = any(each.child_by_field_name("type") is not None for each in bound)
        data = re.match(r"(?:@[^\n]*\n\s*)*@(?:[\w.]+\.)?dataclass\b", head) is not None
        return Owned.SAME if annotated and (named or data) else Owned.UNKNOWN

    def _made(self, call: Node) -> Class | None:
        """The class whose object a call surely makes."""
        copied, function = self._copied(call), call.child_by_field_name("function")
        if copied is not None or function is None:
            return (
                None if copied is None else (self.classes.object_at(copied) or self.classes.class_at(copied))
            )
        return self.classes.class_at(function)

    def _has_constructor(self, owner: Class) -> bool:
        bodies = (node.child_by_field_name("body") for node in self.classes.nodes(owner))
        return any("def __init__" in self.source.text(body) for body in bodies)

    def _copied(self, call: Node) -> Node | None:
        """The object of which a call makes one with other fields."""
        function, arguments = (call.child_by_field_name(field) for field in ("function", "arguments"))
        text = self.source.text(function)
        if function is None or arguments is None or text.endswith("._replace"):
            return function.child_by_field_name("object") if function is not None else None
        bound = self.source.bound(function) if text == "replace" else []
        given = positional(items_of(arguments))
        copies = text in _COPYING and all(site.around("import_from_statement") for site in bound)
        return given[0] if copies and given else None
