"""Where a definition is used."""

from __future__ import annotations

from tree_sitter import Node

from fastedit.ops.names.fields import Fields
from fastedit.ops.names.members import Members, Owned
from fastedit.ops.names.names import Lexicon, Symbol, by_functions
from fastedit.ops.names.site import Role
from fastedit.ops.source import Source


def symbol_of(lexicon: Lexicon, name: Node | None) -> Symbol | None:
    """What the name of a definition binds."""
    if name is None:
        return None
    symbols = symbols_of(lexicon, lexicon.source.text(name))
    return next((s for s in symbols if any(site.start == name.start_byte for site in s.sites)), None)


def references(source: Source, node: Node | None, name: str) -> list[tuple[int, bool]]:
    """The lines that have the name which `node` defines, and whether they surely mean it. Rising."""
    lexicon = Lexicon(source)
    symbol = symbol_of(lexicon, node)
    if symbol is None:
        return sorted({(found.start_point.row, False) for found in source.syntax.identifier_nodes(name)})
    found = {source.row(site.start): True for site in symbol.sites}
    members = members_of(lexicon, name)
    for site in members.sites if symbol.scope.kind == "class" else ():
        owned = members.owned(site, symbol)
        if owned is not Owned.OTHER:
            found.setdefault(source.row(site.start), owned is Owned.SAME)
    for site in lexicon.names(name).sites:
        if site.role is Role.UNSURE:
            found.setdefault(source.row(site.start), False)
    return sorted(found.items())


def members_of(lexicon: Lexicon, name: str) -> Members | Fields:
    """The members of this name, as the language has them."""
    return Members(lexicon, name) if by_functions(lexicon.source) else Fields(lexicon, name)


def symbols_of(lexicon: Lexicon, name: str) -> list[Symbol]:
    """What the name means: variables, functions, types and members of classes."""
    members = members_of(lexicon, name).symbols()
    symbols = lexicon.names(name).symbols
    if not by_functions(lexicon.source):
        known = {symbol.binding.start for symbol in members}
        symbols = [symbol for symbol in symbols if symbol.binding.start not in known]
    return [*symbols, *members]
