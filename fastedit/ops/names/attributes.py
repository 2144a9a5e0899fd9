"""The members of Python's classes: what their bodies bind, and what their methods assign to `self`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from tree_sitter import Node

from fastedit.ops.lists import items_of
from fastedit.ops.names.members import Members
from fastedit.ops.source import outwards
from fastedit.source.languages.scopes import kinds
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Role, Scope, Site

# What may stand between a class and its methods.
_BETWEEN = kinds("block decorated_definition if_statement else_clause try_statement")
_STATIC = re.compile(r"@staticmethod\b")
# Methods that get the class without a decorator.
_OF_CLASSES = ("__new__", "__init_subclass__", "__class_getitem__")
_DEFINED = ("function_definition", "class_definition")
_STATED = ("import_statement", "import_from_statement")


@dataclass(frozen=True, slots=True)
class Class:
    """`key` is that of its scope, 0 for all that the file does not define."""

    key: int
    node: Node = field(compare=False)


class Attributes(Members[Class]):
    @cached_property
    def sites(self) -> list[Site]:
        return [site for site in self.names.sites if site.role is Role.MEMBER]

    @cached_property
    def declared(self) -> dict[Class, list[Site]]:
        symbols = (symbol for symbol in self.names.symbols if symbol.scope.kind == "class")
        found = {self.owner(symbol): list(symbol.sites) for symbol in symbols}
        bound = frozenset(found)
        for site in self.sites:
            owner = self.before(site) if _assigned(site) or _is_listed(site) else None
            if owner is not None and owner not in bound:
                found.setdefault(owner, []).append(site)
        return found

    def owner(self, symbol: Symbol) -> Class:
        for site in symbol.sites:
            for node in outwards(site.around("class_definition")):
                if node.id == symbol.scope.key:
                    return Class(node.id, node)
        raise AssertionError(symbol.path)

    def unfollowed(self, symbol: Symbol) -> str | None:
        above = self.ancestors(self.owner(symbol))
        given = (each.node.child_by_field_name("superclasses") for each in above)
        bases = (self.source.text(base) for of in given if of is not None for base in items_of(of))
        keys = any(base.rsplit(".", 1)[-1] == "TypedDict" for base in bases)
        return "is a key, which strings name" if keys else None

    def symbols(self) -> list[Symbol]:
        """Of what is only assigned from outside of its class, as by `Store.limit = 3`, the class shows nothing."""
        return [self.symbol(owner) for owner, sites in self.declared.items() if any(_scopes(sites, owner))]

    def symbol(self, owner: Class) -> Symbol:
        sites = tuple(self.declared[owner])
        return Symbol(self.name, next(_scopes(sites, owner)), sites)

    def ancestors(self, owner: Class) -> list[Class]:
        found, unknown = [owner], list[Class]()
        for here in found:
            given = here.node.child_by_field_name("superclasses")
            for value in items_of(given) if given is not None else []:
                base = self.class_at(value)
                if base is not None:
                    found += [base] if base not in found else []
                elif value.type != "keyword_argument" and self.source.text(value) != "object":
                    unknown = [Class(0, here.node)]
        return found + unknown

    def is_known(self, owner: Class) -> bool:
        return owner.key != 0

    def is_anothers(self, site: Site) -> bool:
        """Whether a class of the file, or a module, is known to stand before the dot."""
        value = _object(site)
        bound = self.source.bound(value) if value is not None and value.type == "identifier" else []
        module = bool(bound) and all(binding.around("import_statement") is not None for binding in bound)
        return module or self.before(site) is not None

    def above(self, site: Site, owner: Class) -> Sequence[Class]:
        value = _object(site)
        is_super = value is not None and value.type == "call" and self.source.text(value).startswith("super(")
        if not is_super:
            return self.ancestors(owner)
        bases = filter(self.is_known, self.ancestors(owner)[1:])
        return sorted(
            (each for base in bases for each in self.ancestors(base)), key=lambda each: each.key == 0
        )

    def before(self, site: Site) -> Class | None:
        """The class whose instance, or which itself, stands before the dot; None where the text does not tell."""
        value = _object(site)
        if _is_listed(site) or self.source.text(value) == "super()":
            around = site.around("class_definition")
            return None if around is None else Class(around.id, around)
        return None if value is None else self.class_of(value)

    def class_of(self, value: Node) -> Class | None:
        """The class that an expression is, or the object of which it is."""
        return self.object_at(value) or self.class_at(value)

    def object_at(self, value: Node) -> Class | None:
        """The class of the object that an expression is."""
        function = value.child_by_field_name("function")
        if function is not None:
            return self.class_at(function)
        return self._first_of(value, of_class=False)

    def class_at(self, node: Node) -> Class | None:
        """The class that an expression is: one by its name, `cls` in its own methods, or that of an object."""
        if node.type in ("call", "attribute"):
            value = self._asked(node)
            return None if value is None else self.object_at(value)
        bound = self.source.bound(node) if node.type == "identifier" else []
        if len(bound) != 1 or len(bound[0].steps) < 2:
            return None
        holder = bound[0].steps[-2].node
        defined = Class(holder.id, holder) if holder.type == "class_definition" else None
        return defined or self._first_of(node, of_class=True)

    def may_hold(self, function: Node) -> bool:
        """Whether what is called may be any function or object, as what a variable has may."""
        if function.type == "identifier":
            bound = self.source.bound(function)
            return any(
                site.around(*_STATED) is None and site.steps[-2].kind not in _DEFINED for site in bound
            )
        name = function.child_by_field_name("attribute")
        return name is None or self._is_given(self.source.text(name))

    @cached_property
    def _is_given(self) -> Callable[[str], bool]:
        """Whether something is assigned to members of a name, which is looked up once for each."""

        def is_given(name: str) -> bool:
            declared = Attributes(self.source, name).declared.values()
            return any(site.steps[-2].kind not in _DEFINED for sites in declared for site in sites)

        return cache(is_given)

    def _asked(self, node: Node) -> Node | None:
        """The object that an expression asks for its class, as `type(self)` and `self.__class__` do."""
        of, name = node.child_by_field_name("object"), node.child_by_field_name("attribute")
        if of is not None and name is not None:
            return of if self.source.text(name) == "__class__" else None
        function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        items = items_of(given) if given is not None else []
        return items[0] if self.source.text(function) == "type" and len(items) == 1 else None

    def _first_of(self, value: Node, of_class: bool) -> Class | None:
        """The class in whose method an identifier is the first parameter: the class, or an object of it."""
        bound = self.source.bound(value) if value.type == "identifier" else []
        function = bound[0].around("function_definition", "lambda") if len(bound) == 1 else None
        if function is None or not _is_first(bound[0], function):
            return None
        of_classes = self.source.text(function.child_by_field_name("name")) in _OF_CLASSES
        for around in outwards(function.parent):
            if around.type == "class_definition":
                return Class(around.id, around) if of_classes == of_class else None
            if around.type not in _BETWEEN:
                return None
            decorated = self.source.data[around.start_byte : function.start_byte].decode()
            if around.type == "decorated_definition":
                if _STATIC.search(decorated):
                    return None
                # What other decorators make a method of the class, the usual name of its parameter tells.
                of_classes |= "@classmethod" in decorated or self.source.text(value) == "cls"
        return None


def _is_first(bound: Site, function: Node) -> bool:
    """Whether a binding is the first parameter of a function."""
    given = function.child_by_field_name("parameters")
    first = given.named_children[0] if given is not None and given.named_children else None
    return bound.parameter and first is not None and first.start_byte == bound.start


def _object(site: Site) -> Node | None:
    return site.steps[-2].node.child_by_field_name("object") if len(site.steps) > 1 else None


def _is_listed(site: Site) -> bool:
    """Whether a class names it in a string, as in `__slots__`."""
    return site.role is Role.MEMBER and site.steps[-1].kind == "string_content"


def _scopes(sites: Iterable[Site], owner: Class) -> Iterator[Scope]:
    """The class's scope, once for each place within it."""
    return (scope for site in sites for scope in site.scopes if scope.key == owner.key)


def _assigned(site: Site) -> bool:
    """Whether the attribute is assigned, not only used."""
    depth = len(site.steps) - 2
    while depth > 0 and site.steps[depth - 1].kind in ("pattern_list", "tuple_pattern", "list_pattern"):
        depth -= 1
    return depth > 0 and site.steps[depth - 1].kind == "assignment" and site.steps[depth].field == "left"
