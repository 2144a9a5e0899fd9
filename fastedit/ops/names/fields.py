"""What stands after a dot outside Python: whose it is, as far as declared types and `this` tell."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal, NamedTuple

from tree_sitter import Node

from fastedit.ops.names.members import Members, Owned
from fastedit.ops.source import Source
from fastedit.source.languages.scopes import kinds
from fastedit.source.names.lexical import class_names
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Role, Site

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
_MADE_OF = ("pair", "method_definition", "jsx_attribute")  # name members of the shape that a literal has
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
_PRIVATE = re.compile(r"\bprivate\b")
_OVERRIDES = re.compile(r"\boverride\b|@Override\b")


class Owner(NamedTuple):
    """The name of a class, and which of its members of one name: JavaScript's `#x` is not `x`, and in Java and Rust the
    method `x()` is not the field `x`."""

    name: str
    space: Literal["", "#", "()"]


class Fields(Members[Owner]):
    def __init__(self, source: Source, name: str) -> None:
        super().__init__(source, name)
        self.table = self.source.language.scopes
        self._above: dict[str, list[str]] = {}
        self._defined: dict[str, list[Node]] = {}

    @cached_property
    def sites(self) -> list[Site]:
        sites = self.names.sites
        short = (site for site in sites if site.template == "{old}: {new}")
        named = [site._replace(role=Role.MEMBER, binds=False, template="{new}: {old}") for site in short]
        return [*(site for site in sites if site.role is Role.MEMBER), *named]

    @cached_property
    def declared(self) -> dict[Owner, list[Site]]:
        found: dict[Owner, list[Site]] = {}
        for site in self.names.sites:
            within = site.scopes
            while is_field(site) and len(within) > 1 and within[-1].kind != "class":
                within = within[:-1]
            of = within[-1]
            if site.binds and of.kind == "class" and of.names and not site.around("type_parameters"):
                found.setdefault(self._owner(site, of.names[-1]), []).append(site._replace(scopes=within))
        components = [(owner, sites) for owner, sites in found.items() if is_field(sites[0])]
        for owner, sites in components if self.table.methods else ():
            # The field of a record has a method of its name.
            found.setdefault(owner._replace(space="()"), sites[:1])
        return found

    def symbols(self) -> list[Symbol]:
        return [*{symbol.binding.start: symbol for symbol in reversed(super().symbols())}.values()][::-1]

    def owner(self, symbol: Symbol) -> Owner:
        return self._owner(symbol.binding, symbol.binding.scope.names[-1])

    def _owner(self, site: Site, name: str) -> Owner:
        """The class of this name, of whose members the place can mean one."""
        if site.steps[-1].kind.startswith("private"):
            return Owner(name, "#")
        holder = site.steps[-2]
        called = holder.field == "function" or _is_called_token(site.steps[-1].node)
        is_method = called or (holder.kind, site.steps[-1].field) in self.table.methods
        return Owner(name, "()" if self.table.methods and is_method else "")

    def symbol(self, owner: Owner) -> Symbol:
        declared = self.declared[owner]
        homes = {site.scope.key for site in declared}
        uses = self._uses.get(owner, [])[:]
        if self.table.bare and not owner.space:
            bare = (site for site in self.names.sites if site.role is Role.NAME and not site.binds)
            uses += [site for site in bare if (home := self.names.home(site)) and home.key in homes]
        return Symbol(self.name, declared[0].scope, (*declared, *uses))

    @cached_property
    def _uses(self) -> dict[Owner, list[Site]]:
        """The places that mean the member, by the class that declares it: the nearest, if all before it are known."""
        found: dict[Owner, list[Site]] = {}
        for site in self.sites:
            of = None if site.binds else self.before(site)
            for owner in self.ancestors(of) if of is not None else ():
                if owner in self.declared:
                    found.setdefault(owner, []).append(site)
                if owner in self.declared or not self.is_known(owner):
                    break
        return found

    def before(self, site: Site) -> Owner | None:
        around = (self._owner(site, scope.names[-1]) for scope in reversed(site.scopes) if scope.names)
        private = next((each for each in around if each.space == "#" and each in self.declared), None)
        found = self._before(site) if private is None else None
        return private if found is None else self._owner(site, found)

    def owned(self, site: Site, wanted: Owner) -> Owned:
        if site.binds or self._owner(site, wanted.name) != wanted:
            return Owned.OTHER
        return super().owned(site, wanted)

    def is_known(self, owner: Owner) -> bool:
        return bool(self._classes(owner.name))

    def is_anothers(self, site: Site) -> bool:
        """Whether a literal makes the member, so that no function is meant."""
        return site.steps[-2].kind in _MADE_OF

    def is_apart(self, site: Site, wanted: Owner) -> bool:
        made = self.is_anothers(site) and not self._is_shape(wanted)
        return made or self._hidden(site, wanted) or self._of_other_type(site)

    def is_private(self, symbol: Symbol) -> bool:
        return self._private(self.owner(symbol))

    def is_relative(self, one: Owner, other: Owner) -> bool:
        shapes = self._is_shape(one) or self._is_shape(other)
        return self.related(one, other) or (one.space == other.space and shapes)

    def unfollowed(self, symbol: Symbol) -> str | None:
        if self.name == self.source.language.constructor:
            return "is what makes the object"
        for site in self.declared[self.owner(symbol)]:
            holder = site.steps[-2].node
            within = [step.node for step in site.steps if step.kind == "impl_item"]
            if within and within[-1].child_by_field_name("trait") is not None:
                return "is the name that a trait gives it"
            if _OVERRIDES.search(_head(self.source.text(holder), self.name)):
                return "overrides what another class declares"
        return None

    def _is_shape(self, owner: Owner) -> bool:
        """Whether what has the members of a class is of it without saying so."""
        shapes = self.table.shapes
        return any(
            node.type in shapes
            or ((of := node.child_by_field_name("type")) is not None and of.type in shapes)
            for node in (self._classes(owner.name) if shapes else ())
        )

    def _hidden(self, site: Site, wanted: Owner) -> bool:
        """Whether the member is private to a class that the place does not stand in, nor in what extends it here."""
        outermost = next(scope for scope in self.declared[wanted][0].scopes if scope.kind == "class")
        if not self._private(wanted) or outermost.start <= site.start < outermost.stop:
            return False
        classes = [scope for scope in site.scopes if scope.kind == "class"]
        return not any(wanted.name in scope.names for scope in classes)

    def _private(self, owner: Owner) -> bool:
        declared = self.declared[owner][0]
        holder = declared.steps[-3].node if declared.role is Role.NAME else declared.steps[-2].node
        head = _head(self.source.text(holder), self.name)
        return owner.space == "#" or _PRIVATE.search(head) is not None

    def _of_other_type(self, site: Site) -> bool:
        """Whether it is asked of a type of Rust's that other files define."""
        path = object_of(site) if site.steps[-2].kind in ("scoped_identifier", "token_tree") else None
        if path is None or path.type != "identifier" or not self.source.text(path)[:1].isupper():
            return False
        return all(bound.around("use_declaration") for bound in self.source.bound(path))

    def _before(self, site: Site) -> str | None:
        """The class of what stands before the dot; None where the text does not tell."""
        holder = site.steps[-2].node
        literal = site.around(*_LITERALS) if holder.type in _KEYS else None
        if literal is not None:
            return self._named(literal.child_by_field_name(_LITERALS[literal.type]), site)
        if holder.type in _MADE_OF or holder.type == "field_designator":
            # A literal is of the type that what it is given to is declared with.
            depth = -5 if holder.type == "field_designator" else -4
            around = site.steps[depth].node if len(site.steps) >= -depth else None
            around = around.parent if around is not None and around.type == "init_declarator" else around
            return self._named(around.child_by_field_name("type") if around is not None else None, site)
        value = object_of(site)
        if value is not None:
            return self._class_of(value, site)
        return self._bare(site) if holder.type == "method_invocation" else None

    def _class_of(self, value: Node, site: Site) -> str | None:
        text = self.source.text(value)
        if text in ("this", "self", "Self"):
            return self._around(site)
        if value.type not in ("identifier", "type_identifier"):
            return text.removesuffix(".this") if text.endswith(".this") else self._made(value, site)
        bound = self.source.bound(value)
        if bound and all(self._defines_class(place) for place in bound):
            return text
        return self._declared_type(bound[0], site) if len(bound) == 1 else None

    def _defines_class(self, bound: Site) -> bool:
        kinds = (*self.table.classes, "type_spec")
        holder = bound.steps[-2].node if len(bound.steps) > 1 else None
        if holder is not None and holder.type == "type_alias_declaration":
            value = holder.child_by_field_name("value")
            return value is not None and value.type == "object_type"
        return holder is not None and holder.type in kinds

    def _declared_type(self, bound: Site, site: Site) -> str | None:
        """The class that a variable is said to be of, or made as, where it is bound."""
        made: Node | None = None
        for step in reversed(bound.steps[-4:-1]):
            if step.kind.endswith("_pattern") or step.kind in self.table.functions:
                break
            said = step.node.child_by_field_name("type")
            if said is not None and self.source.text(said) not in ("var", "auto"):
                return self._named(said, site)
            given = step.node.child_by_field_name("value") or step.node.child_by_field_name("right")
            made = made or given
        return None if made is None else self._made(made, site)

    def _made(self, value: Node, site: Site) -> str | None:
        """The class of what an expression makes."""
        if value.type in _AROUND:
            return self._made(value.named_children[0], site) if value.named_child_count == 1 else None
        if value.type in _MAKING:
            if value.named_children[-1].type == "class_body":
                return None
            return self._named(next(filter(None, map(value.child_by_field_name, _MADE)), None), site)
        return None

    def _named(self, node: Node | None, site: Site) -> str | None:
        """The class of this file that a type names."""
        match = _PLAIN.fullmatch(self.source.text(node))
        if match is None:
            return None
        if match["name"] == "Self":
            return self._around(site)
        return match["name"] if self._classes(match["name"]) else None

    def _around(self, site: Site) -> str | None:
        """The class whose `this` the place sees."""
        for depth in range(len(site.steps) - 1, -1, -1):
            node = site.steps[depth].node
            if node.type in self.table.classes:
                names = class_names(self.source.data, node, site.steps[:depth])
                return names[0] if names else None
            inner = node.type == "method_definition" and site.steps[depth - 1].kind != "class_body"
            # Where members are named without it, `this` is that of the class in all functions.
            if (node.type in _OWN_THIS and not self.table.bare) or inner:
                return None
        return None

    def _bare(self, site: Site) -> str | None:
        """The class around whose method is called without an object."""
        for scope in reversed(site.scopes):
            if scope.kind != "class":
                continue
            if not scope.names:
                return None
            above = self.ancestors(self._owner(site, scope.names[-1]))
            if any(each in self.declared or not self.is_known(each) for each in above):
                return scope.names[-1]
        return None

    def ancestors(self, owner: Owner) -> list[Owner]:
        if owner.name not in self._above:
            found = [owner.name]
            for here in found:
                above = [base for node in self._classes(here) for base in self._bases(node)]
                above += [trait for of, trait in self._traits if of == here and self._classes(trait)]
                found += [name for name in dict.fromkeys(above) if name not in found]
            self._above[owner.name] = found
        return [owner._replace(name=name) for name in self._above[owner.name]]

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

    def _bases(self, node: Node) -> list[str]:
        found = []
        clauses = bases.clauses if (bases := self.source.language.bases) is not None else {}
        for child in node.children:
            if child.type in clauses:
                text = re.sub(r"<[^<>]*>", "", self.source.text(child))
                found += [word for word in re.findall(r"[A-Za-z_$][\w$]*", text) if word not in _SAID]
        body = node.child_by_field_name("type")
        if body is not None and node.type == "type_item":
            found += re.findall(r"^\w+", self.source.text(body))
        fields = (
            body.named_children[0].named_children if body is not None and body.type == "struct_type" else []
        )
        for field in fields:
            if field.type == "field_declaration" and field.child_by_field_name("name") is None:
                found.append(re.findall(r"\w+", self.source.text(field))[-1])
        return found

    def _classes(self, name: str) -> list[Node]:
        """The definitions of a class in this file."""
        if name not in self._defined:
            bound = (s for symbol in self.source.names(name).symbols for s in symbol.sites if s.binds)
            self._defined[name] = [site.steps[-2].node for site in bound if self._defines_class(site)]
        return self._defined[name]


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


def is_field(site: Site) -> bool:
    """Whether a place binds a parameter that is a field of its class at once, as TypeScript and records have them."""
    said = ("accessibility_modifier", "readonly")
    holder = site.steps[-4].kind if len(site.steps) > 3 else ""
    marked = any(child.type in said for child in site.steps[-2].node.children) if site.parameter else False
    return marked or (site.binds and holder == "record_declaration")


def _is_called_token(leaf: Node) -> bool:
    """Whether it stands before a bracket, or after a path, among the tokens of a macro."""
    before, after = leaf.prev_sibling, leaf.next_sibling
    called = after is not None and after.type == "token_tree" and after.children[0].type == "("
    return called or (before is not None and before.type == "::")


def _head(declaration: str, name: str) -> str:
    """What stands before the name in its declaration."""
    return re.split(rf"\b{re.escape(name)}\b", declaration, maxsplit=1)[0]
