"""Where a definition is used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tree_sitter import Node

from fastedit.ops.names.attributes import Attributes
from fastedit.ops.names.fields import Fields
from fastedit.ops.names.members import Members, Owned
from fastedit.ops.source import Source
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Role, Site


def symbol_of(source: Source, name: Node | None) -> Symbol | None:
    """What the name of a definition binds."""
    if name is None:
        return None
    symbols = symbols_of(source, source.text(name))
    return next((s for s in symbols if any(site.start == name.start_byte for site in s.sites)), None)


def symbol_at(source: Source, name: str, at: int) -> Symbol | None:
    """What the name that begins at a byte surely means."""
    for symbol in symbols_of(source, name):
        if any(sure and site.start == at for site, sure in places_of(source, symbol)):
            return symbol
    return None


def references(source: Source, node: Node | None, name: str) -> list[tuple[int, bool]]:
    """The lines that have the name which `node` defines, and whether they surely mean it. Rising."""
    symbol = symbol_of(source, node)
    if symbol is None:
        return sorted({(found.start_point.row, False) for found in source.syntax.identifier_nodes(name)})
    found: dict[int, bool] = {}
    for site, sure in places_of(source, symbol):
        found.setdefault(source.row(site.start), sure)
    return sorted(found.items())


def places_of(source: Source, symbol: Symbol) -> Iterator[tuple[Site, bool]]:
    """The places that mean a symbol or may mean it, and whether they surely do; first those that do."""
    yield from ((site, True) for site in symbol.sites)
    if symbol.scope.kind == "class":
        members = members_of(source, symbol.name)
        owner = members.owner(symbol)
        for site in members.sites:
            owned = members.owned(site, owner)
            if owned is not Owned.OTHER:
                yield site, owned is Owned.SAME
    yield from ((site, False) for site in source.names(symbol.name).sites if site.role is Role.UNSURE)


def members_of(source: Source, name: str) -> Members[Any]:
    """The members of this name, as the language has them."""
    return Attributes(source, name) if source.by_functions else Fields(source, name)


def symbols_of(source: Source, name: str) -> list[Symbol]:
    """What the name means: variables, functions, types and members of classes."""
    members = members_of(source, name).symbols()
    known = {(symbol.binding.start, symbol.path) for symbol in members}
    others = source.names(name).symbols
    return [*(each for each in others if (each.binding.start, each.path) not in known), *members]
