"""The calls of a Python function in its file, and whose parameter, or whose field, their keyword arguments name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from fastedit.ops.base import Candidate
from fastedit.ops.decorators import decorators, written
from fastedit.ops.lists import items_of, positional
from fastedit.ops.names.attributes import Attributes, Class
from fastedit.ops.names.members import Owned, relative_to
from fastedit.ops.references import places_of, symbol_of
from fastedit.ops.resolve import place
from fastedit.ops.source import Source
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Role, Site

# What makes a copy of its first argument, with other fields.
_COPYING = ("replace", "dataclasses.replace", "copy.replace")
_CALLS = ("call", "call_expression")


@dataclass(frozen=True, slots=True)
class Call:
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
            if key is not None and source.text(key) == name:
                return item
        return None


@dataclass(slots=True)
class Calls:
    """`sure` are calls of the function `name`, `unsure` those that may be; `left` are the places of the latter, and of
    what passes it on or has its name in a string. `redefined`: the name has other definitions where it has this one.
    `bound` parameters are given by an object before the dot, as `self` is."""

    name: str = ""
    bound: int = 0
    redefined: bool = False
    sure: list[Call] = field(default_factory=list)
    unsure: list[Call] = field(default_factory=list)
    left: list[Candidate] = field(default_factory=list)


def calls_of(source: Source, node: Node) -> Calls:
    """Where the file calls the function that `node` defines."""
    found = Calls()
    symbol = symbol_of(source, node.child_by_field_name("name"))
    if symbol is None:
        return found
    found.name, found.redefined = symbol.name, sum(site.binds for site in symbol.sites) > 1
    members = Attributes(source, symbol.name)
    decorated = {written(source, decorator) for decorator in decorators(source, node)}
    found.bound = int(symbol.scope.kind == "class" and "staticmethod" not in decorated)
    for site, sure in places_of(source, symbol):
        unbound = site.role is not Role.MEMBER or (
            _of_class(members, site) and "classmethod" not in decorated
        )
        if not site.binds and site.role is not Role.UNSURE:
            _sort(source, site, 0 if unbound else found.bound, found, "" if sure else ".".join(symbol.path))
    for site in source.names(symbol.name).sites:
        if site.role is Role.STRING and source.text(site.steps[-1].node) == symbol.name:
            found.left.append(place(source, source.row(site.start), "a string with its name, as for getattr"))
    if symbol.scope.kind != "class":
        return found
    for other in members.relatives(symbol):
        found.left.append(place(source, source.row(other.binding.start), relative_to(other)))
    if symbol.name in ("__init__", "__new__"):
        for name in _making(members, members.owner(symbol)):
            for site in made.sites if (made := symbol_of(source, name)) is not None else ():
                if not site.binds and callee(site) is not None:
                    _sort(source, site, found.bound, found)
    return found


def _making(members: Attributes, owner: Class) -> Iterator[Node | None]:
    """The names of the classes whose objects are made by the member of this one."""
    for node in members.source.syntax.find("(class_definition) @found"):
        above = members.ancestors(Class(node.id, node))
        if next((each for each in above if each in members.declared), None) == owner:
            yield node.child_by_field_name("name")


def _sort(source: Source, site: Site, skipped: int, found: Calls, maybe: str = "") -> None:
    """Adds the call of a place, which means the function, or `maybe` does."""
    call = callee(site)
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if arguments is not None:
        (found.unsure if maybe else found.sure).append(Call(arguments, skipped))
    if arguments is None or maybe:
        why = f"may be `{maybe}`" if maybe else "passes it on, or names it"
        found.left.append(place(source, source.row(site.start), why))


def callee(site: Site) -> Node | None:
    """The call whose function the place is."""
    depth = len(site.steps) - 1
    if site.role is Role.MEMBER:
        depth -= 1
    called = depth > 0 and site.steps[depth].field == "function" and site.steps[depth - 1].kind in _CALLS
    return site.steps[depth - 1].node if called else None


def _of_class(members: Attributes, site: Site) -> bool:
    """Whether the class itself stands before the dot."""
    value = site.steps[-2].node.child_by_field_name("object")
    return value is not None and members.class_at(value) is not None


class Keywords:
    """The keyword arguments that may be for `symbol`: a member of a class, or a parameter of what `calls` call."""

    def __init__(self, source: Source, symbol: Symbol) -> None:
        self.source = source
        self.symbol = symbol
        self.members = Attributes(source, symbol.name)
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
        name = self.calls.name
        passed = bool(name) and re.search(rf"\b{name}\b", self.source.text(arguments)) is not None
        return Owned.UNKNOWN if passed else Owned.OTHER

    def _of_field(self, call: Node) -> Owned:
        """Whether what is called is the class, or copies its object, and makes the field of its arguments, as
        dataclasses do."""
        owner, made = self.members.owner(self.symbol), self._made(call)
        if made is None:
            return Owned.OTHER if self._copied(call) is None else Owned.UNKNOWN
        line = self.members.ancestors(made)
        nearest = next((each for each in line if each in self.members.declared), None)
        if nearest != owner or any(map(self._has_constructor, line[: line.index(owner) + 1])):
            return Owned.OTHER
        above = owner.node.parent
        head = "" if above is None or above.type != "decorated_definition" else self.source.text(above)
        bases = owner.node.child_by_field_name("superclasses")
        named = bases is not None and "NamedTuple" in self.source.text(bases)
        bound = (site.steps[-2].node for site in self.symbol.sites if site.binds)
        annotated = any(node.child_by_field_name("type") is not None for node in bound)
        data = re.match(r"(?:@[^\n]*\n\s*)*@(?:[\w.]+\.)?dataclass\b", head) is not None
        return Owned.SAME if annotated and (named or data) else Owned.UNKNOWN

    def _made(self, call: Node) -> Class | None:
        """The class whose object a call surely makes."""
        copied, function = self._copied(call), call.child_by_field_name("function")
        if copied is not None or function is None:
            return None if copied is None else self.members.class_of(copied)
        # `self(...)` is a call of the object.
        is_class = self.source.text(function) == "cls"
        return self.members.class_of(function) if is_class else self.members.class_at(function)

    def _has_constructor(self, owner: Class) -> bool:
        body = owner.node.child_by_field_name("body")
        return body is not None and "def __init__" in self.source.text(body)

    def _copied(self, call: Node) -> Node | None:
        """The object of which a call makes one with other fields."""
        function, arguments = (call.child_by_field_name(field) for field in ("function", "arguments"))
        text = self.source.text(function) if function is not None else ""
        if function is None or arguments is None or text.endswith("._replace"):
            return function.child_by_field_name("object") if function is not None else None
        bound = self.source.bound(function) if text == "replace" else []
        given = positional(items_of(arguments))
        copies = text in _COPYING and all(site.around("import_from_statement") for site in bound)
        return given[0] if copies and given else None
