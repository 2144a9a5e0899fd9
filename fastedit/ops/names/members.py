"""What stands behind a dot: whose it is, as far as the text tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from tree_sitter import Node

from fastedit.ops.lists import items_of
from fastedit.ops.names.names import Lexicon, Symbol
from fastedit.ops.names.site import Role, Scope, Site
from fastedit.source.languages.scopes import kinds

# What may stand between a class and its methods.
_BETWEEN = kinds("block decorated_definition if_statement else_clause try_statement")
_STATIC = re.compile(r"@staticmethod\b")


class Owned(Enum):
    """How a member relates to one of a class."""

    SAME = "same"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False, slots=True)
class Class:
    """`bases` are those that the file defines; `open` where it derives from others too."""

    symbol: Symbol
    node: Node
    bases: tuple[Class, ...]
    open: bool

    @property
    def key(self) -> int:
        return self.node.id

    def ancestors(self) -> Iterator[Class]:
        """Itself and what it derives from, nearest first."""
        seen: set[int] = set()
        pending = [self]
        while pending:
            here = pending.pop(0)
            if here.key not in seen:
                seen.add(here.key)
                yield here
                pending += here.bases


class Members:
    """The members called `name` of Python's classes."""

    def __init__(self, lexicon: Lexicon, name: str) -> None:
        self.lexicon = lexicon
        self.names = lexicon.names(name)
        self.name = name
        self._classes: dict[int, Class] = {}

    @cached_property
    def sites(self) -> list[Site]:
        return [site for site in self.names.sites if site.role is Role.MEMBER]

    def symbols(self) -> list[Symbol]:
        """The attributes that methods assign to `self` and that no class body binds, one for each class."""
        found: dict[int, tuple[Class, Scope, list[Site]]] = {}
        for site in self.sites:
            owner = self.owner(site) if _assigned(site) else None
            if owner is None or self._defines_in_body(owner):
                continue
            scope = next((scope for scope in site.scopes if scope.key == owner.key), None)
            if scope is not None:
                found.setdefault(owner.key, (owner, scope, []))[2].append(site)
        return [Symbol(self.name, scope, tuple(sites)) for _, scope, sites in found.values()]

    def owned_by(self, site: Site, target: Class) -> Owned:
        """Whether the member at `site` is that of the class `target`."""
        owner = self.owner(site)
        if owner is None:
            return Owned.OTHER if self._of_module(site) else Owned.UNKNOWN
        seen = list(owner.ancestors())[1:] if self._is_super(site) else list(owner.ancestors())
        for candidate in seen:
            if candidate is target or candidate.key == target.key:
                return Owned.SAME
            if self._defines(candidate):
                return Owned.UNKNOWN if self.related(candidate, target) else Owned.OTHER
        return Owned.UNKNOWN if any(candidate.open for candidate in seen) else Owned.OTHER

    def owned(self, site: Site, symbol: Symbol) -> Owned:
        """Whether a place behind a dot is the member that the symbol is."""
        owner = self.class_of(symbol.scope, symbol)
        assert owner is not None
        return self.owned_by(site, owner)

    def is_anothers(self, site: Site) -> bool:
        """Whether a class of the file, or a module, is known to stand before the dot."""
        return self._of_module(site) or self.owner(site) is not None

    def relatives(self, symbol: Symbol) -> Iterator[Symbol]:
        """What classes above and below define by the same name."""
        owner = self.class_of(symbol.scope, symbol)
        for other in self.classes():
            if owner is not None and other.key != owner.key and self.related(other, owner):
                yield from (s for s in self.names.symbols if s.scope.key == other.key)

    def derives(self, symbol: Symbol) -> bool:
        """Whether its class derives from one of another file."""
        owner = self.class_of(symbol.scope, symbol)
        return owner is not None and owner.open

    def is_private(self, symbol: Symbol) -> bool:
        """Never, by the language."""
        return False

    def clash(self, symbol: Symbol) -> Site | None:
        """Where the class of a symbol of another name, or one that it is related to, has this name already."""
        owner = Members(self.lexicon, symbol.name).class_of(symbol.scope, symbol)
        if owner is None:
            return None
        for other in self.classes():
            if self.related(other, owner):
                return next(s.binding for s in self.names.symbols if s.scope.key == other.key)
        owners = ((site, self.owner(site)) for site in self.sites)
        return next((site for site, of in owners if of is not None and self.related(of, owner)), None)

    def unfollowed(self, symbol: Symbol) -> str | None:
        """Why the member cannot have another name here; None where it can."""
        return None

    def related(self, one: Class, other: Class) -> bool:
        """Whether one derives from the other."""
        keys = {c.key for c in one.ancestors()}
        return other.key in keys or one.key in {c.key for c in other.ancestors()}

    def owner(self, site: Site) -> Class | None:
        """The class whose instance, or which itself, stands before the dot; None where the text does not tell."""
        value = _object(site)
        if value is None:
            return None
        if value.type == "call":
            function = value.child_by_field_name("function")
            if function is None:
                return None
            if self._text(function) == "super" and not self._arguments(value):
                return self._around(site)
            return self.class_at(function)
        if value.type != "identifier":
            return None
        return self._of_self(value, site) or self.class_at(value)

    def class_at(self, node: Node) -> Class | None:
        """The class that an identifier means."""
        bound = self.lexicon.bound(node) if node.type == "identifier" else []
        if len(bound) != 1 or len(bound[0].steps) < 2:
            return None
        holder = bound[0].steps[-2].node
        return self._class(holder) if holder.type == "class_definition" else None

    def class_of(self, scope: Scope, symbol: Symbol) -> Class | None:
        """The class whose body `scope` is; `symbol` is bound in it or assigned to its instances."""
        for site in symbol.sites:
            node = site.around("class_definition")
            while node is not None and node.id != scope.key:
                node = node.parent
            if node is not None:
                return self._class(node)
        return None

    def classes(self) -> Iterator[Class]:
        """The classes that define the member in their bodies."""
        for symbol in self.names.symbols:
            if symbol.scope.kind == "class" and (found := self.class_of(symbol.scope, symbol)) is not None:
                yield found

    def _class(self, node: Node) -> Class | None:
        name = node.child_by_field_name("name")
        if name is None:
            return None
        if node.id not in self._classes:
            names = self.lexicon.names(self._text(name))
            site = names.at(name.start_byte)
            if site is None:
                return None
            given = node.child_by_field_name("superclasses")
            values = items_of(given) if given is not None else []
            bases = [self.class_at(value) for value in values if value.type != "keyword_argument"]
            known = tuple(base for base in bases if base is not None and base.key != node.id)
            unknown = any(
                base is None and self._text(v) != "object" for v, base in zip(values, bases, strict=False)
            )
            symbol = Symbol(self._text(name), site.scope, (site,))
            self._classes[node.id] = Class(symbol, node, known, unknown)
        return self._classes[node.id]

    def _of_self(self, value: Node, site: Site) -> Class | None:
        """The class in whose method the first parameter is what stands before the dot."""
        word = self._text(value)
        inside: Node | None = None
        for step in reversed(site.steps):
            node = step.node
            if node.type in ("function_definition", "lambda") and inside is None:
                parameters = node.child_by_field_name("parameters")
                named = [
                    _parameter_name(self._text(p)) for p in (parameters.named_children if parameters else [])
                ]
                if word in named:
                    if named[0] != word or node.type == "lambda" or self._rebinds(node, word):
                        return None
                    inside = node
            elif inside is not None:
                if node.type == "class_definition":
                    return self._class(node)
                if node.type == "decorated_definition" and _STATIC.search(
                    self._text(node)[: inside.start_byte - node.start_byte]
                ):
                    return None
                if node.type not in _BETWEEN:
                    return None
        return None

    def _rebinds(self, function: Node, word: str) -> bool:
        return (
            re.search(rf"(?<![\w.]){word}\s*(?::?=(?!=)|,[^()\n]*=(?!=)|\s+in\b)", self._body(function))
            is not None
        )

    def _body(self, function: Node) -> str:
        body = function.child_by_field_name("body")
        return "" if body is None else self._text(body)

    def _around(self, site: Site) -> Class | None:
        node = site.around("class_definition")
        return None if node is None else self._class(node)

    def _is_super(self, site: Site) -> bool:
        value = _object(site)
        return value is not None and value.type == "call" and self._text(value).startswith("super(")

    def _of_module(self, site: Site) -> bool:
        """Whether what stands before the dot is an imported module."""
        value = _object(site)
        if value is None or value.type != "identifier":
            return False
        bound = self.lexicon.bound(value)
        return bool(bound) and all(binding.around("import_statement") is not None for binding in bound)

    def _defines(self, owner: Class) -> bool:
        return self._defines_in_body(owner) or any(
            _assigned(site) and (found := self.owner(site)) is not None and found.key == owner.key
            for site in self.sites
        )

    def _defines_in_body(self, owner: Class) -> bool:
        return any(site.scope.key == owner.key for site in self.names.sites if site.binds)

    def _arguments(self, call: Node) -> bool:
        arguments = call.child_by_field_name("arguments")
        return arguments is not None and arguments.named_child_count > 0

    def _text(self, node: Node) -> str:
        return self.lexicon.source.text(node)


def relative_to(symbol: Symbol) -> str:
    """What is said of a member that a related class declares by the same name."""
    return f"`{'.'.join(symbol.path)}` declares it too"


def _object(site: Site) -> Node | None:
    return site.steps[-2].node.child_by_field_name("object") if len(site.steps) > 1 else None


def _assigned(site: Site) -> bool:
    """Whether the attribute is assigned, not only used."""
    depth = len(site.steps) - 2
    while depth > 0 and site.steps[depth - 1].kind in ("pattern_list", "tuple_pattern", "list_pattern"):
        depth -= 1
    return depth > 0 and site.steps[depth - 1].kind == "assignment" and site.steps[depth].field == "left"


def _parameter_name(text: str) -> str:
    return re.split(r"[:=\s]", text.lstrip("*"), maxsplit=1)[0]
