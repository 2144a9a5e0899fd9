"""Where a definition is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tree_sitter import Node

from fastedit.ops.names.members import Owned, members_of
from fastedit.ops.source import Source
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Role, Site

_ASSIGNING = frozenset(
    {"assignment_expression", "augmented_assignment_expression", "compound_assignment_expr"}
)
_DECORATED = ["decorated_definition", "function_definition"]


def symbol_of(source: Source, name: Node | None) -> Symbol | None:
    """What the name of a definition binds."""
    if name is None:
        return None
    symbols = symbols_of(source, source.text(name))
    return next((s for s in symbols if any(site.start == name.start_byte for site in s.sites)), None)


def symbol_at(source: Source, name: str, at: int) -> Symbol | None:
    """What the name that begins at a byte surely means."""
    for symbol in (each for found in symbols_of(source, name) for each in found.shadowing):
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
    yield from ((site, False) for site in injected(source, symbol))


def injected(source: Source, symbol: Symbol) -> Iterator[Site]:
    """The parameters that may get the result of a function by its name, as those of tests do from a fixture."""
    if any(map(_is_injecting(source), symbol.sites)):
        for other in source.names(symbol.name).symbols:
            yield from (site for site in other.sites if site.binds and site.parameter)


def injecting(source: Source, symbol: Symbol) -> Iterator[Site]:
    """The functions whose results a parameter may get by its name, and the words of decorators that may name it."""
    if not symbol.binding.parameter:
        return
    names, function = source.names(symbol.name), symbol.binding.around("function_definition")
    yield from filter(_is_injecting(source), names.sites)
    decorated = function.parent if function is not None else None
    if function is not None and decorated is not None and decorated.type == "decorated_definition":
        above = range(decorated.start_byte, function.start_byte)
        yield from (site for site in names.sites if site.role is Role.STRING and site.start in above)


def _is_injecting(source: Source) -> Callable[[Site], bool]:
    """Whether a place defines a function that parameters of its name get the result of."""
    pattern = source.language.injecting

    def found(site: Site) -> bool:
        if pattern is None or not site.binds or [step.kind for step in site.steps[-3:-1]] != _DECORATED:
            return False
        decorators = (child for child in site.steps[-3].node.children if child.type == "decorator")
        return any(pattern.match(source.text(decorator)) for decorator in decorators)

    return found


def symbols_of(source: Source, name: str) -> list[Symbol]:
    """What the name means: variables, functions, types and members of classes."""
    members = members_of(source, name).symbols()
    known = {(symbol.binding.start, symbol.path) for symbol in members}
    others = source.names(name).symbols
    return [*(each for each in others if (each.binding.start, each.path) not in known), *members]


def is_assigned(site: Site) -> bool:
    """Whether the place gives the variable another value."""
    holder = site.steps[-2].kind if len(site.steps) > 1 else ""
    return holder == "update_expression" or (holder in _ASSIGNING and site.steps[-1].field == "left")
