"""The classes of a file, and which of them an expression is, or is an object of, as far as the text tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from tree_sitter import Node

from fastedit.ops.lists import items_of
from fastedit.ops.source import Source, outwards
from fastedit.source.languages.scopes import kinds
from fastedit.source.names.lexical import class_names
from fastedit.source.names.site import Role, Scope, Site

_OBJECTS = {
    "attribute": "object",
    "member_expression": "object",
    "member_access_expression": "expression",
    "field_access": "object",
    "method_invocation": "object",
    "selector_expression": "operand",
    "field_expression": "value",
    "nested_type_identifier": "module",
    "nested_identifier": "object",
    "scoped_identifier": "path",
    "scoped_type_identifier": "path",
}
_LITERALS = {"composite_literal": "type", "struct_expression": "name", "struct_pattern": "type"}
_KEYS = frozenset({"literal_element", "field_initializer", "shorthand_field_initializer", "field_pattern"})
MADE_OF = ("pair", "method_definition", "jsx_attribute")  # name members of the shape that a literal has
_MADE = ("constructor", "type", "name")  # where an expression that makes an object has its class
_AROUND = kinds("expression_list unary_expression reference_expression parenthesized_expression")
_MAKING = kinds("new_expression object_creation_expression composite_literal struct_expression")
_SAID = frozenset({"extends", "implements", "public", "private", "protected", "virtual"})
# A type, with what only says how the object is held.
_PLAIN = re.compile(
    r"(?:(?:const|struct|mut|class|'\w+)\s|[\s:*&])*(?P<name>[A-Za-z_$][\w$]*)(?:::\w+)?(?:<.*>)?[\s*&]*",
    re.S,
)
_OWN_THIS = frozenset({"function_declaration", "function_expression", "generator_function"})
# What may stand between a class of Python's and its methods.
_BETWEEN = kinds("block decorated_definition if_statement else_clause try_statement")
_STATIC = re.compile(r"@staticmethod\b")
# Methods that get the class without a decorator.
_OF_CLASSES = ("__new__", "__init_subclass__", "__class_getitem__")


class Class(NamedTuple):
    """A class by its name; by the `key` of its scope, too, where another may have that name. One that the text does not
    tell has no name. `space`: which of its members of one name, as JavaScript's `#x` is not `x`, and in Java and Rust
    the method `x()` is not the field `x`."""

    name: str = ""
    key: int = 0
    space: Literal["", "#", "()"] = ""


class Classes:
    """In languages that declare types, a class is told by its name, in Python by what that means."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.table = source.language.scopes
        self._above: dict[Class, list[Class]] = {}
        self._defined: dict[str, list[Node]] = {}

    def of_scope(self, scope: Scope) -> Class:
        return Class(scope.names[-1], scope.key if self.source.by_functions else 0)

    def at(self, node: Node) -> Class:
        """The class of Python's that a node defines."""
        return Class(self.source.text(node.child_by_field_name("name")), node.id)

    def nodes(self, of: Class) -> list[Node]:
        """The definitions of a class in this file."""
        return [self._by_key[of.key]] if of.key else self._named(of.name) if of.name else []

    def ancestors(self, of: Class) -> list[Class]:
        """A class and what it derives from, nearest first, with those that the file does not define."""
        first = of._replace(space="")
        if first not in self._above:
            found = [first]
            for here in found:
                found += [each for each in dict.fromkeys(self._bases(here)) if each not in found]
            self._above[first] = sorted(found, key=lambda each: not each.name)
        return [each._replace(space=of.space) for each in self._above[first]]

    def before(self, site: Site) -> Class | None:
        """The class whose member is asked for after a dot, or in a literal; None where the text does not tell."""
        holder, value = site.steps[-2].node, object_of(site)
        literal = site.around(*_LITERALS) if holder.type in _KEYS else None
        if literal is not None:
            return self._of_type(literal.child_by_field_name(_LITERALS[literal.type]), site)
        if holder.type in MADE_OF or holder.type == "field_designator":
            # A literal is of the type that what it is given to is declared with.
            depth = -5 if holder.type == "field_designator" else -4
            around = site.steps[depth].node if len(site.steps) >= -depth else None
            around = around.parent if around is not None and around.type == "init_declarator" else around
            return self._of_type(around.child_by_field_name("type") if around is not None else None, site)
        if self.source.by_functions and (is_listed(site) or self.source.text(value) == "super()"):
            around = site.around("class_definition")
            return None if around is None else self.at(around)
        return None if value is None else self.of(value, site)

    def of(self, value: Node, site: Site) -> Class | None:
        """The class that an expression is, or the object of which it is, next to a place."""
        if self.source.by_functions:
            return self.object_at(value) or self.class_at(value)
        text = self.source.text(value)
        if text in ("this", "self", "Self"):
            return self._around(site)
        if value.type not in ("identifier", "type_identifier"):
            return Class(text.removesuffix(".this")) if text.endswith(".this") else self._made(value, site)
        bound = self.source.bound(value)
        if bound and all(self._defines(place) for place in bound):
            return Class(text)
        return self._declared_type(bound[0], site) if len(bound) == 1 else None

    def object_at(self, value: Node) -> Class | None:
        """The class of the object that an expression of Python's is."""
        function = value.child_by_field_name("function")
        return self._first_of(value, of_class=False) if function is None else self.class_at(function)

    def class_at(self, node: Node) -> Class | None:
        """The class that an expression of Python's is: one by its name, `cls` in its own methods, or an object's."""
        if node.type in ("call", "attribute"):
            value = self._asked(node)
            return None if value is None else self.object_at(value)
        bound = self.source.bound(node) if node.type == "identifier" else []
        if len(bound) == 1 and self._defines(bound[0]):
            return self.at(bound[0].steps[-2].node)
        return self._first_of(node, of_class=True)

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
                return self.at(around) if of_classes == of_class else None
            if around.type not in _BETWEEN:
                return None
            decorated = self.source.data[around.start_byte : function.start_byte].decode()
            if around.type == "decorated_definition":
                if _STATIC.search(decorated):
                    return None
                # What other decorators make a method of the class, the usual name of its parameter tells.
                of_classes |= "@classmethod" in decorated or self.source.text(value) == "cls"
        return None

    def _defines(self, bound: Site) -> bool:
        """Whether what a place binds is a class."""
        holder = bound.steps[-2].node if len(bound.steps) > 1 else None
        if holder is not None and holder.type == "type_alias_declaration":
            value = holder.child_by_field_name("value")
            return value is not None and value.type == "object_type"
        return holder is not None and holder.type in (*self.table.classes, "type_spec")

    def _declared_type(self, bound: Site, site: Site) -> Class | None:
        """The class that a variable is said to be of, or made as, where it is bound."""
        made: Node | None = None
        for step in reversed(bound.steps[-4:-1]):
            if step.kind.endswith("_pattern") or step.kind in self.table.functions:
                break
            said = step.node.child_by_field_name("type")
            if said is not None and self.source.text(said) not in ("var", "auto"):
                return self._of_type(said, site)
            given = step.node.child_by_field_name("value") or step.node.child_by_field_name("right")
            made = made or given
        return None if made is None else self._made(made, site)

    def _made(self, value: Node, site: Site) -> Class | None:
        """The class of what an expression makes."""
        if value.type in _AROUND:
            return self._made(value.named_children[0], site) if value.named_child_count == 1 else None
        if value.type not in _MAKING or value.named_children[-1].type == "class_body":
            return None
        return self._of_type(next(filter(None, map(value.child_by_field_name, _MADE)), None), site)

    def _of_type(self, node: Node | None, site: Site) -> Class | None:
        """The class of this file that a type names."""
        match = _PLAIN.fullmatch(self.source.text(node))
        if match is None:
            return None
        if match["name"] == "Self":
            return self._around(site)
        return Class(match["name"]) if self._named(match["name"]) else None

    def _around(self, site: Site) -> Class | None:
        """The class whose `this` the place sees."""
        for depth in range(len(site.steps) - 1, -1, -1):
            node = site.steps[depth].node
            if node.type in self.table.classes:
                names = class_names(self.source.data, node, site.steps[:depth])
                return Class(names[0]) if names else None
            inner = node.type == "method_definition" and site.steps[depth - 1].kind != "class_body"
            # Where members are named without it, `this` is that of the class in all functions.
            if (node.type in _OWN_THIS and not self.table.bare) or inner:
                return None
        return None

    def _named(self, name: str) -> list[Node]:
        """The definitions of classes of this name."""
        if name not in self._defined:
            bound = (s for symbol in self.source.names(name).symbols for s in symbol.sites if s.binds)
            self._defined[name] = [site.steps[-2].node for site in bound if self._defines(site)]
        return self._defined[name]

    @cached_property
    def _by_key(self) -> dict[int, Node]:
        return {node.id: node for node in self.source.syntax.nodes(self.table.classes)}

    def _bases(self, of: Class) -> Iterator[Class]:
        """What a class derives from itself."""
        for node in self.nodes(of):
            if self.source.by_functions:
                given = node.child_by_field_name("superclasses")
                for value in items_of(given) if given is not None else []:
                    base = self.class_at(value)
                    named = value.type != "keyword_argument" and self.source.text(value) != "object"
                    if base is not None or named:
                        yield base or Class()
            else:
                yield from map(Class, self._said(node))
        yield from (Class(trait) for one, trait in self._traits if one == of.name and self._named(trait))

    @cached_property
    def _traits(self) -> list[tuple[str, str]]:
        """The types of Rust's that have traits, with these."""
        return [
            (self._plain(of), self._plain(trait))
            for node in self.source.syntax.nodes(["impl_item"])
            for of in node.children_by_field_name("type")
            for trait in node.children_by_field_name("trait")
        ]

    def _plain(self, node: Node) -> str:
        return self.source.text(node).split("<")[0]

    def _said(self, node: Node) -> Iterator[str]:
        """What a definition says that it derives from, or is made of."""
        bases = self.source.language.bases
        for child in node.children:
            if bases is not None and child.type in bases.clauses:
                text = re.sub(r"<[^<>]*>", "", self.source.text(child))
                yield from (word for word in re.findall(r"[A-Za-z_$][\w$]*", text) if word not in _SAID)
        body = node.child_by_field_name("type")
        if body is not None and node.type == "type_item":
            yield from re.findall(r"^\w+", self.source.text(body))
        for field in body.named_children[0].named_children if body and body.type == "struct_type" else ():
            if field.type == "field_declaration" and field.child_by_field_name("name") is None:
                yield re.findall(r"\w+", self.source.text(field))[-1]


@lru_cache(maxsize=4)
def classes_of(source: Source) -> Classes:
    return Classes(source)


def _is_first(bound: Site, function: Node) -> bool:
    """Whether a binding is the first parameter of a function."""
    given = function.child_by_field_name("parameters")
    first = given.named_children[0] if given is not None and given.named_children else None
    return bound.parameter and first is not None and first.start_byte == bound.start


def is_listed(site: Site) -> bool:
    """Whether a class of Python's names it in a string, as in `__slots__`."""
    return site.role is Role.MEMBER and site.steps[-1].kind == "string_content"


def object_of(site: Site) -> Node | None:
    """What stands before the dot, or the path."""
    holder, leaf = site.steps[-2].node, site.steps[-1].node
    if holder.type == "navigation_suffix" and holder.parent is not None:
        holder = holder.parent
    if holder.type in ("method_reference", "navigation_expression"):
        return holder.named_children[0]
    while holder.type in ("use_as_clause", "use_list") and holder.parent is not None:
        holder = holder.parent
    if holder.type == "scoped_use_list":
        return holder.child_by_field_name("path")
    if holder.type != "token_tree":
        found = holder.child_by_field_name(_OBJECTS.get(holder.type, "argument"))
        return found or holder.child_by_field_name("argument")
    dot = leaf.prev_sibling
    found = dot.prev_sibling if dot is not None and dot.type in (".", "::") else None
    above = found.prev_sibling if found is not None else None
    return None if above is not None and above.type in (".", "::") else found
