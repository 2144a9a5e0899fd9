"""What stands after a dot: whose it is, as far as the text tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import Literal

from tree_sitter import Node

from fastedit.ops.names.classes import MADE_OF, Class, classes_of, is_listed, object_of
from fastedit.ops.source import Source
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Role, Site

_PRIVATE = re.compile(r"\bprivate\b")
_OVERRIDES = re.compile(r"\boverride\b|@Override\b")
_KEYED = re.compile(r"(?:.*\.)?TypedDict", re.DOTALL)


class Owned(Enum):
    """How a member relates to one of a class."""

    SAME = "same"
    OTHER = "other"
    UNKNOWN = "unknown"


class Members:
    """The members called `name`, by the classes that declare them, which are their owners."""

    def __init__(self, source: Source, name: str) -> None:
        self.source = source
        self.names = source.names(name)
        self.name = name
        self.table = source.language.scopes
        self.classes = classes_of(source)

    @cached_property
    def sites(self) -> list[Site]:
        """The places after a dot, and in literals of a class."""
        sites = self.names.sites
        short = (site for site in sites if site.template == "{old}: {new}")
        named = [site._replace(role=Role.MEMBER, binds=False, template="{new}: {old}") for site in short]
        return [*(site for site in sites if site.role is Role.MEMBER), *named]

    @cached_property
    def declared(self) -> dict[Class, list[Site]]:
        """The places that declare the member, by its class."""
        found: dict[Class, list[Site]] = {}
        for site in self.names.sites:
            if not site.binds or site.role is Role.UNSURE or site.around("type_parameters"):
                continue
            within = site.scopes
            while is_field(site) and len(within) > 1 and within[-1].kind != "class":
                within = within[:-1]
            of = within[-1]
            if of.kind == "class" and of.names and of.key not in self.names.declared:
                owner = self.classes.of_scope(of)._replace(space=self._space(site))
                found.setdefault(owner, []).append(site._replace(scopes=within))
        bound = frozenset(found)
        for site in self.sites if self.source.by_functions else ():
            given = self.before(site) if _is_assigned(site) or is_listed(site) else None
            if given is not None and given not in bound:
                found.setdefault(given, []).append(site)
        components = [(owner, sites) for owner, sites in found.items() if is_field(sites[0])]
        for owner, sites in components if self.table.methods else ():
            # The field of a record has a method of its name.
            found.setdefault(owner._replace(space="()"), sites[:1])
        return found

    def owner(self, symbol: Symbol) -> Class:
        """The class of a symbol of a class."""
        return self.classes.of_scope(symbol.scope)._replace(space=self._space(symbol.binding))

    def _space(self, site: Site) -> Literal["", "#", "()"]:
        """Of which members of a class a place can mean one."""
        if site.steps[-1].kind.startswith("private"):
            return "#"
        if not self.table.methods:
            return ""
        holder = site.steps[-2]
        called = holder.field == "function" or _is_called_token(site.steps[-1].node)
        return "()" if called or (holder.kind, site.steps[-1].field) in self.table.methods else ""

    def symbols(self) -> list[Symbol]:
        """Of what is only assigned from outside of its class, as by `Store.limit = 3`, the class shows nothing."""
        found = dict[int, Symbol]()
        for owner, sites in self.declared.items():
            if not owner.key or any(scope.key == owner.key for site in sites for scope in site.scopes):
                found.setdefault(sites[0].start, self.symbol(owner))
        return [*found.values()]

    def symbol(self, owner: Class) -> Symbol:
        """What a class declares."""
        declared, uses = self.declared[owner], self._uses.get(owner, [])[:]
        around = (scope for site in declared for scope in reversed(site.scopes))
        home = next(scope for scope in around if scope.key == owner.key or not owner.key)
        homes = {site.scope.key for site in declared if site.binds}
        if (self.table.bare and not owner.space) or self.source.by_functions:
            bare = (site for site in self.names.sites if site.role is Role.NAME and not site.binds)
            uses += [site for site in bare if (seen := self.names.home(site)) and seen.key in homes]
        return Symbol(self.name, home, (*declared, *uses))

    @cached_property
    def _uses(self) -> dict[Class, list[Site]]:
        """The places that mean the member, by the class that declares it: the nearest, if all before it are known."""
        found: dict[Class, list[Site]] = {}
        for site in self.sites if not self.source.by_functions else ():
            of = None if site.binds else self.before(site)
            for owner in self.classes.ancestors(of) if of is not None else ():
                if owner in self.declared:
                    found.setdefault(owner, []).append(site)
                if owner in self.declared or not self.classes.nodes(owner):
                    break
        return found

    def before(self, site: Site) -> Class | None:
        """The class of what stands before the dot; None where the text does not tell."""
        space = self._space(site)
        names = (scope.names[-1] for scope in reversed(site.scopes) if scope.names and space == "#")
        private = (each for name in names if (each := Class(name, space=space)) in self.declared)
        found = next(private, None) or self.classes.before(site) or self._bare(site)
        return None if found is None else found._replace(space=space)

    def _bare(self, site: Site) -> Class | None:
        """The class around whose method is called without an object."""
        if site.steps[-2].kind != "method_invocation" or object_of(site) is not None:
            return None
        for scope in reversed(site.scopes):
            if scope.kind == "class" and not scope.names:
                return None
            of = (
                self.classes.of_scope(scope)._replace(space=self._space(site))
                if scope.kind == "class"
                else None
            )
            above = self.classes.ancestors(of) if of is not None else []
            if any(each in self.declared or not self.classes.nodes(each) for each in above):
                return of
        return None

    def owned(self, site: Site, wanted: Class) -> Owned:
        """Whether a place after a dot is the member of this class."""
        if site.binds or self._space(site) != wanted.space:
            return Owned.OTHER
        found = self.before(site)
        if found is None:
            return Owned.OTHER if self._is_apart(site, wanted) else Owned.UNKNOWN
        for candidate in self._asked(site, found):
            if candidate == wanted:
                return Owned.SAME
            if candidate in self.declared:
                return Owned.UNKNOWN if self._related(candidate, wanted) else Owned.OTHER
            if not self.classes.nodes(candidate):
                return Owned.UNKNOWN
        return Owned.OTHER

    def _asked(self, site: Site, owner: Class) -> list[Class]:
        """The classes that have what a place asks of this one, nearest first."""
        above, value = self.classes.ancestors(owner), object_of(site)
        if value is None or value.type != "call" or not self.source.text(value).startswith("super("):
            return above
        found = (each for base in above[1:] if base.name for each in self.classes.ancestors(base))
        return sorted(found, key=lambda each: not each.name)

    def is_anothers(self, site: Site) -> bool:
        """Whether a place after a dot is surely no function's: a literal makes it, or something else is known to have
        it."""
        known = self.source.by_functions and (self._is_modules(site) or self.before(site) is not None)
        return known or site.steps[-2].kind in MADE_OF

    def _is_modules(self, site: Site) -> bool:
        """Whether a module of Python's stands before the dot."""
        value = object_of(site)
        bound = self.source.bound(value) if value is not None and value.type == "identifier" else []
        return bool(bound) and all(binding.around("import_statement") is not None for binding in bound)

    def _is_apart(self, site: Site, wanted: Class) -> bool:
        """Whether a place that does not tell its class cannot mean the member of this one."""
        if self.source.by_functions:
            return self._is_modules(site)
        made = site.steps[-2].kind in MADE_OF and not self._is_shape(wanted)
        return made or self._hidden(site, wanted) or self._of_other_type(site)

    def is_private(self, symbol: Symbol) -> bool:
        """Whether its own class alone can name the member."""
        return self._private(self.owner(symbol))

    def unfollowed(self, symbol: Symbol) -> str | None:
        """Why the member cannot have another name here; None where it can."""
        if self.name == self.source.language.constructor:
            return "is what makes the object"
        owner = self.owner(symbol)
        given = (node for of in self.classes.ancestors(owner) for node in self.classes.nodes(of))
        bases = (node.child_by_field_name("superclasses") for node in given)
        if any(_KEYED.fullmatch(self.source.text(base)) for of in bases if of for base in of.named_children):
            return "is a key, which strings name"
        for site in self.declared[owner]:
            within = [step.node for step in site.steps if step.kind == "impl_item"]
            if within and within[-1].child_by_field_name("trait") is not None:
                return "is the name that a trait gives it"
            if _OVERRIDES.search(_head(self.source.text(site.steps[-2].node), self.name)):
                return "overrides what another class declares"
        return None

    def _is_shape(self, owner: Class) -> bool:
        """Whether what has the members of a class is of it without saying so."""
        nodes = self.classes.nodes(owner) if self.table.shapes else []
        types = (each for node in nodes for each in (node, node.child_by_field_name("type")))
        return any(each is not None and each.type in self.table.shapes for each in types)

    def _hidden(self, site: Site, wanted: Class) -> bool:
        """Whether the member is private to a class that the place does not stand in, nor in what extends it here."""
        outermost = next(scope for scope in self.declared[wanted][0].scopes if scope.kind == "class")
        if not self._private(wanted) or outermost.start <= site.start < outermost.stop:
            return False
        return not any(wanted.name in scope.names for scope in site.scopes if scope.kind == "class")

    def _private(self, owner: Class) -> bool:
        declared = self.declared[owner][0]
        holder = declared.steps[-3].node if declared.role is Role.NAME else declared.steps[-2].node
        said = not self.source.by_functions and _PRIVATE.search(_head(self.source.text(holder), self.name))
        return owner.space == "#" or bool(said)

    def _of_other_type(self, site: Site) -> bool:
        """Whether it is asked of a type of Rust's that other files define."""
        path = object_of(site) if site.steps[-2].kind in ("scoped_identifier", "token_tree") else None
        if path is None or path.type != "identifier" or not self.source.text(path)[:1].isupper():
            return False
        return all(bound.around("use_declaration") for bound in self.source.bound(path))

    def _related(self, one: Class, other: Class) -> bool:
        """Whether one derives from the other."""
        return other in self.classes.ancestors(one) or one in self.classes.ancestors(other)

    def relatives(self, symbol: Symbol) -> Iterator[Symbol]:
        """What other classes declare by the same name that it may be too, as those above and below do."""
        wanted = self.owner(symbol)
        for other, sites in self.declared.items():
            shapes = other.space == wanted.space and (self._is_shape(other) or self._is_shape(wanted))
            if other != wanted and sites[0].binds and (shapes or self._related(other, wanted)):
                yield self.symbol(other)

    def derives(self, symbol: Symbol) -> bool:
        """Whether its class derives from one of another file."""
        return not all(map(self.classes.nodes, self.classes.ancestors(self.owner(symbol))))

    def clash(self, symbol: Symbol) -> Site | None:
        """Where the class of a symbol of another name, or one that it is related to, has this name already."""
        wanted = self.owner(symbol)
        for owner, sites in self.declared.items():
            if self._related(owner, wanted):
                return sites[0]
        uses = ((site, self.before(site)) for site in self.sites)
        return next((site for site, of in uses if of is not None and self._related(of, wanted)), None)


def members_of(source: Source, name: str) -> Members:
    """The members of this name, looked up once."""
    if name not in source.members:
        source.members[name] = Members(source, name)
    return source.members[name]


def is_field(site: Site) -> bool:
    """Whether a place binds a parameter that is a field of its class at once, as TypeScript and records have them."""
    said = ("accessibility_modifier", "readonly")
    holder = site.steps[-4].kind if len(site.steps) > 3 else ""
    marked = any(child.type in said for child in site.steps[-2].node.children) if site.parameter else False
    return marked or (site.binds and holder == "record_declaration")


def _is_assigned(site: Site) -> bool:
    """Whether the member is assigned, not only used."""
    depth = len(site.steps) - 2
    while depth > 0 and site.steps[depth - 1].kind in ("pattern_list", "tuple_pattern", "list_pattern"):
        depth -= 1
    return depth > 0 and site.steps[depth - 1].kind == "assignment" and site.steps[depth].field == "left"


def _is_called_token(leaf: Node) -> bool:
    """Whether it stands before a bracket, or after a path, among the tokens of a macro."""
    before, after = leaf.prev_sibling, leaf.next_sibling
    called = after is not None and after.type == "token_tree" and after.children[0].type == "("
    return called or (before is not None and before.type == "::")


def _head(declaration: str, name: str) -> str:
    """What stands before the name in its declaration."""
    return re.split(rf"\b{re.escape(name)}\b", declaration, maxsplit=1)[0]


def relative_to(symbol: Symbol) -> str:
    """What is said of a member that a related class declares by the same name."""
    return f"`{'.'.join(symbol.path)}` declares it too"
