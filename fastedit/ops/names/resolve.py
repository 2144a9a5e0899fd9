"""From what an operation names to one place in the text, or the places that it can mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from tree_sitter import Node

from fastedit.errors import TargetUnresolved
from fastedit.ops.base import Candidate
from fastedit.ops.names.references import symbols_of
from fastedit.ops.source import Source
from fastedit.source.definitions import Definition, nodes_named
from fastedit.source.imports import imports
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Role

_TARGET = re.compile(r"(?P<path>[^@]+?)(?:@(?P<line>[0-9]{1,9}))?")
_SEPARATOR = re.compile(r"::|\.#?|#")
_NAME = re.compile(r"[\w$~-]+[?!=]?")
_MOST_SHOWN = 8
_VALUES = ("value", "right", "type")  # where a variable's function stands
_Rank = tuple[bool, bool, bool, bool]
Item = TypeVar("Item")


class TargetName(NamedTuple):
    """`path` names something by the definitions around it, the outermost first; `line` counts from 0."""

    text: str
    path: tuple[str, ...]
    line: int | None

    @property
    def name(self) -> str:
        return self.path[-1]


def is_target(text: str) -> bool:
    """Whether a text can name something, and is no code."""
    match = _TARGET.fullmatch(text.strip())
    return match is not None and all(map(_NAME.fullmatch, _SEPARATOR.split(match["path"])))


def parse_target(text: str) -> TargetName:
    """`load`, `Store.load`, `Store.load.path`, with `@12` the one on line 12. Raises TargetUnresolved."""
    match = _TARGET.fullmatch(text.strip())
    if match is None or not is_target(text):
        raise TargetUnresolved(
            f"{text}: is not a target; write NAME, Class.method or function.parameter, with @LINE to choose"
        )
    path = tuple(_SEPARATOR.split(match["path"]))
    return TargetName(text, path, int(match["line"]) - 1 if match["line"] else None)


def resolve_symbol(source: Source, text: str) -> Symbol:
    """The one binding that the target means.

    A path from the top of the file wins over one that only ends so, and what a definition binds over what a block or
    an unnamed function in it does. Raises TargetUnresolved.
    """
    target = parse_target(text)
    symbols = symbols_of(source, target.name)
    if target.line is not None:
        symbols = [each for symbol in symbols for each in symbol.shadowing]
    found = [s for s in symbols if s.path[-len(target.path) :] == target.path]
    row = None if target.line is None else source.row_of(target.line)
    if target.line is not None:
        found = [s for s in found if any(source.row(site.start) == row for site in s.sites)]
        bound = (s for s in found if any(site.binds and source.row(site.start) == row for site in s.sites))
        found = [*bound] or found or _around(source, text, symbols)
    hidden = [s for s in found if s.binding.steps[-1].kind.startswith("private")]
    found = [s for s in found if (s in hidden) == (f"#{target.name}" in text)] or found
    named = [s for s in found if s.is_named]
    exact = [s for s in named if s.path == target.path]
    for chosen in (exact, named if len(target.path) > 1 else [], found):
        if len(chosen) == 1:
            return chosen[0]
    if found or symbols:
        return only(source, text, exact or found, partial(_where_bound, source), symbols)
    texts = (Role.STRING, Role.COMMENT)
    uses = [site for site in source.names(target.name).sites if site.role not in texts]
    if uses and not any(site.steps[-1].node.is_named for site in uses if site.steps):
        raise TargetUnresolved(f"{text}: is a word of {source.language.name}, not a name; choose a name")
    if uses:
        used = place(source, source.row(uses[0].start), "used")
        first = f"it stands first on line {source.number(used.line)}"
        problem = f"nothing here is known to define it ({first}); rename it by hand, or where it is defined"
        if any(site.steps[-2].kind == "preproc_function_def" for site in uses if len(site.steps) > 1):
            problem = "is a macro, whose uses are not followed; rename it by hand"
        raise TargetUnresolved(f"{text}: {problem}", (used,))
    raise TargetUnresolved(f"{text}: {_missing(source, target)}")


def _around(source: Source, text: str, symbols: Sequence[Symbol]) -> list[Symbol]:
    """What the definition binds on or in which the line of a target is, where none of its names is there."""
    try:
        _, definition = resolve_definition(source, text)
    except TargetUnresolved:
        return []
    rows = range(definition.header, definition.stop)
    of_path = [symbol for symbol in symbols if symbol.path == definition.path]
    return [s for s in of_path if any(site.binds and source.row(site.start) in rows for site in s.sites)]


def resolve_definition(source: Source, text: str, into: bool = False) -> tuple[Node, Definition]:
    """The one function, class or other definition that the target means. Raises TargetUnresolved.

    Of a type and its `impl` blocks, which have one name, the type is meant, and these where something goes `into` it:
    that of a trait only where there is no other, as it takes nothing but what the trait has. So is a type before what
    extends it, but for protocols where something goes into them, as either may be meant, and what has a body then, as
    not all overloads have.
    """
    target = parse_target(text)
    known = nodes_named(source.syntax, target.name)
    ranks = [(found.path, _rank(source, node, found, into)) for node, found in known]
    best = dict(sorted(ranks, reverse=True))  # the least of each path
    ranked = zip(known, ranks, strict=True)
    meant = [each for each, (path, rank) in ranked if target.line is not None or rank == best[path]]
    return choose(source, target, [definition_choice(source, each[1], each) for each in meant])


def definition_choice(source: Source, found: Definition, item: Item) -> TargetChoice[Item]:
    """A definition as what a target may mean."""
    said = place(source, found.header, f"{found.kind} `{found.dotted}`")
    return TargetChoice(item, found.path, found.start, found.header, found.stop, said)


def _rank(source: Source, node: Node, found: Definition, into: bool) -> _Rank:
    """How far a definition is from what is meant by its path, among others of it."""
    said = source.text(node.child_by_field_name("declaration_kind"))
    return (
        into and body_of(source, node) is None,
        (found.kind == "impl") != into,
        said == "extension" or (into and said == "protocol"),
        node.child_by_field_name("trait") is not None,
    )


def body_of(source: Source, node: Node) -> Node | None:
    """The block of a definition."""
    body = source.syntax.child(node, "body")
    for field in _VALUES:
        value = node.child_by_field_name(field)
        if body is None and value is not None:
            body = source.syntax.child(value, "body")
    return body


class TargetChoice(NamedTuple, Generic[Item]):
    """A thing that a target may mean: the lines [start, stop) that are its own, and that which names it."""

    item: Item
    path: tuple[str, ...]
    start: int
    header: int
    stop: int
    candidate: Candidate


def choose(source: Source, target: TargetName, known: Sequence[TargetChoice[Item]]) -> Item:
    """The one that the target means: by its whole path before any that only ends so. Of those around its line it is one
    that begins there, else the innermost. Raises TargetUnresolved.
    """
    found = [choice for choice in known if choice.path[-len(target.path) :] == target.path]
    if target.line is not None:
        row = source.row_of(target.line)
        found = [c for c in found if row is not None and c.start <= row < c.stop]
        begun = [c for c in found if row is not None and c.start <= row <= c.header]
        innermost = max((c.start, -c.stop) for c in found) if found else None
        found = begun or [c for c in found if (c.start, -c.stop) == innermost]
    # A constructor has its class's name, and is named by both.
    outer = {choice.path for choice in found}
    found = [choice for choice in found if choice.path[:-1] not in outer] if target.line is None else found
    exact = [choice for choice in found if choice.path == target.path]
    chosen = exact if len(exact) == 1 else found
    none = "" if known else _missing(source, target)
    return only(source, target.text, chosen, lambda choice: choice.candidate, known, none=none).item


def place(source: Source, row: int, why: str) -> Candidate:
    return Candidate(row, source.lines[row].strip(), why)


def _where_bound(source: Source, symbol: Symbol) -> Candidate:
    return place(source, source.row(symbol.binding.start), f"`{'.'.join(symbol.path)}`")


def listed(source: Source, candidates: Iterable[Candidate]) -> str:
    """Places in one line, by the document's line numbers."""
    found = list(candidates)
    shown = "; ".join(
        f"line {source.number(c.line)}: {c.why}" for c in sorted(found, key=lambda c: c.line)[:_MOST_SHOWN]
    )
    return shown + (f"; and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else "")


def only(
    source: Source,
    said: str,
    found: Sequence[Item],
    at: Callable[[Item], Candidate],
    others: Sequence[Item] = (),
    *,
    way_out: str = "",
    none: str = "is not in this file; check the name",
) -> Item:
    """The one thing found by what was said, of several the one in the lines that may change. Raises TargetUnresolved
    with the places of several, or of others.

    Without a `way_out` of their own, several are told apart by what was said and a line.
    """
    if len(found) > 1:
        found = [item for item in found if source.may_change(at(item).line)] or found
    if len(found) == 1:
        return found[0]
    where = tuple(map(at, found or others))
    problem = f"there is none, but {listed(source, where)}; name one of these" if where else none
    if found:
        example = f"{said.partition('@')[0]}@{source.number(where[0].line)}"
        way_out = way_out or f"say which, such as {example}"
        problem = f"can mean {len(found)} things ({listed(source, where)}); {way_out}"
    raise TargetUnresolved(f"{said}: {problem}", where)


def _missing(source: Source, target: TargetName) -> str:
    """What is said of a name where nothing like it could be meant."""
    rows = source.syntax.identifiers.get(target.name)
    variable = source.language.sigil + target.name
    if source.language.sigil and source.names(variable).sites:
        return f"is not in this file; similar: {variable}"
    if rows is not None:
        line = source.number(rows[0])
        imported = (item for item in imports(source.syntax) if target.name in item.names)
        if any(rows[0] in range(item.start, item.stop) for item in imported):
            return f"is imported on line {line}; `remove-import` and `add-import` are for that"
        return f"stands on line {line}, but as nothing that {source.operation} takes; name another"
    close = get_close_matches(target.name, source.syntax.identifiers, 3)
    return f"is not in this file; {'similar: ' + ', '.join(close) if close else 'check the name'}"
