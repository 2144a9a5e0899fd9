"""All places of a name in a text, and which binding each of them means."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from fastedit.source.languages.scopes import TAGS, ScopeKinds
from fastedit.source.names import lexical
from fastedit.source.names.site import Role, Scope, Site, Word, walk
from fastedit.source.syntax import Syntax

_WORD = re.compile(rb"[\w$\x80-\xff]+")
_LET = "let_declaration"
_PARAMETERS = ("parameter", "closure_parameters")  # of which a `let` may make another variable


class Symbol(NamedTuple):
    """What a name means in one scope: all its bindings there. `sites` rise."""

    name: str
    scope: Scope
    sites: tuple[Site, ...]

    @property
    def binding(self) -> Site:
        return self.sites[0]

    @property
    def path(self) -> tuple[str, ...]:
        around = (scope for scope in self._scopes if scope.kind != "types" or scope.key == self.scope.key)
        return (*(name for scope in around for name in scope.names), self.name)

    @property
    def is_named(self) -> bool:
        """Whether all scopes down to its own have names, as comprehensions, blocks and lambdas have not."""
        return all(scope.names for scope in self._scopes[1:])

    @property
    def is_local(self) -> bool:
        """Whether it is bound within a function, or as a type parameter."""
        return self.scope.kind == "types" or any(scope.kind == "function" for scope in self._scopes)

    @property
    def shadowing(self) -> list[Symbol]:
        """The variables that a parameter and statements like `let n = n + 1` make of the name, one after the other."""
        made = [(site, site.around(_LET, *_PARAMETERS)) for site in self.sites if site.binds]
        kinds = {node.id: node.type for _, node in made if node is not None}
        if len(kinds) < 2 or _LET not in kinds.values() or any(node is None for _, node in made):
            return [self]
        own = {bound.start: node.id for bound, node in made if node is not None}
        seen = sorted((bound.visible, own[bound.start]) for bound, _ in made)
        found: dict[int, list[Site]] = defaultdict(list)
        for site in self.sites:
            above = bisect_right(seen, site.start, key=lambda each: each[0]) - 1
            found[own.get(site.start, seen[max(above, 0)][1])].append(site)
        return [self._replace(sites=tuple(sites)) for sites in found.values()]

    @property
    def _scopes(self) -> tuple[Scope, ...]:
        """Those from the file down to its own."""
        scopes = self.binding.scopes
        depth = next((i for i, scope in enumerate(scopes) if scope.key == self.scope.key), len(scopes) - 1)
        return scopes[: depth + 1]


class Names:
    """Where `name` stands in a text. In a language without scopes nothing binds it."""

    def __init__(self, syntax: Syntax, name: str) -> None:
        self.name = name
        said = re.escape(name.encode())
        # A pattern that begins with the name itself is looked for forty times as fast as one that looks behind first.
        before = rb"\w" if syntax.language.scopes.sigil else rb"\w$"
        word = rb"%s(?<![%s]%s)(?![\w$])" % (said, before, said)
        self._table = syntax.language.scopes
        sites = _sites(syntax, re.finditer(word, syntax.data))
        self.sites = tuple(_with_typedef(self._table, [*sites]) if self._table.tags else sites)

    @cached_property
    def _by_start(self) -> dict[int, Site]:
        return {site.start: site for site in self.sites}

    def at(self, start: int) -> Site | None:
        """The place that begins at this byte."""
        return self._by_start.get(start)

    @cached_property
    def _bound(self) -> dict[int, list[Site]]:
        """The places that bind the name, by the key of the scope that they say or stand in."""
        found: dict[int, list[Site]] = defaultdict(list)
        for site in self.sites:
            if site.binds and site.role is Role.NAME:
                found[self._bound_in(site).key].append(site)
        return found

    @cached_property
    def declared(self) -> dict[int, str]:
        """What scopes say of the name that is bound elsewhere, global or nonlocal, by their keys."""
        return {site.scope.key: site.declares for site in self.sites if site.declares}

    def _bound_in(self, site: Site) -> Scope:
        return self._declared_home(site, site.scope) if site.scope.key in self.declared else site.scope

    def _declared_home(self, site: Site, scope: Scope) -> Scope:
        """Where a name is bound that a scope around the place declares: the file, or the function around that scope
        which binds the name itself."""
        if self.declared[scope.key] == "global":
            return site.scopes[0]
        for around in reversed(site.scopes[: site.scopes.index(scope)]):
            binds = any(s.binds and s.scope.key == around.key for s in self.sites)
            if around.kind == "function" and binds and around.key not in self.declared:
                return around
        return site.scopes[0]

    def binds(self, scope: Scope) -> list[Site]:
        """The places that bind the name in the scope."""
        return self._bound.get(scope.key, [])

    def home(self, site: Site) -> Scope | None:
        """The scope whose binding the place means; None where the text has none."""
        if site.role is not Role.NAME:
            return None
        if site.binds or site.declares:
            return self._bound_in(site)
        for scope in reversed(site.scopes):
            if scope.key in self.declared:
                return self._declared_home(site, scope)
            if sees(site, scope) and self.reaches(site, scope):
                return scope
            if scope.sealed and sees(site, scope) and self.binds(scope):
                return site.scopes[0] if self.binds(site.scopes[0]) else None
            if scope.opaque:
                return None
        return None

    def reaches(self, site: Site, scope: Scope) -> bool:
        """Whether a binding in the scope is there already where the place stands."""
        seen = (each for each in self.binds(scope) if not scope.point or each.visible <= site.start)
        return any(self.fits(site, each) for each in seen)

    def fits(self, site: Site, binding: Site) -> bool:
        """Whether a place can mean what a binding binds, as a type is no variable in some languages."""
        table, holders = self._table, [step.kind for step in site.steps[-2:-1]]
        if site.steps and site.steps[-1].kind in table.types:
            return binding.steps[-2].kind in table.typing
        exported = any(kind.startswith("export_") for kind in holders)
        return not table.types or exported or binding.steps[-2].kind not in table.shapes

    def hides(self, site: Site, scope: Scope, outer: Scope) -> bool:
        """Whether a binding in the scope keeps the place from what an outer scope binds."""
        # What Python's class bodies bind is the file's until then, whatever the functions between have.
        sealed = scope.sealed and outer.kind != "file" and bool(self.binds(scope))
        return sealed or self.reaches(site, scope)

    @cached_property
    def symbols(self) -> list[Symbol]:
        """One for each scope that binds the name, in the order of their first places."""
        found: dict[int, tuple[Scope, list[Site]]] = {}
        for site in self.sites:
            home = self.home(site)
            if home is not None and self.binds(home):
                found.setdefault(home.key, (home, []))[1].append(site)
        made = []
        for scope, sites in found.values():
            bindings = self.binds(scope)
            starts = {site.start for site in bindings}
            uses = [site for site in sites if site.start not in starts]
            made.append(Symbol(self.name, scope, (*bindings, *uses)))
        return sorted(made, key=lambda symbol: symbol.binding.start)


def _with_typedef(table: ScopeKinds, sites: list[Site]) -> list[Site]:
    """A tag and the type that is another name of the same are one thing, where both have one name."""
    for site in sites:
        definition = site.around("type_definition") if site.binds and site.scope.key != TAGS else None
        type_of = definition.child_by_field_name("type") if definition is not None else None
        tag = (
            type_of.child_by_field_name("name")
            if type_of is not None and type_of.type in table.tags
            else None
        )
        if tag is not None and any(each.start == tag.start_byte for each in sites):
            file = site.scopes[:1]
            return [each._replace(scopes=file) if each.scope.key == TAGS else each for each in sites]
    return sites


def sites_within(syntax: Syntax, start: int, stop: int) -> Iterator[Site]:
    """What each word is that stands in these bytes."""
    return _sites(syntax, _WORD.finditer(syntax.data, start, stop))


def _sites(syntax: Syntax, words: Iterable[Word]) -> Iterator[Site]:
    table = syntax.language.scopes
    opened: dict[int, Scope] = {}
    for word, steps in walk(syntax.root, words, syntax.language):
        yield lexical.read(table, syntax.root, syntax.data, word.start(), word[0].decode(), steps, opened)


def sees(site: Site, scope: Scope) -> bool:
    """Whether the place looks its name up in the scope."""
    return not scope.sealed or scope.key == next(
        around.key for around in reversed(site.scopes) if around.kind != "types"
    )
