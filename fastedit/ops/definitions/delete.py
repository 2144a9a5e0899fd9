"""Deletes a definition with all that belongs to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from fastedit.ops.base import Candidate, Operation, Outcome, option
from fastedit.ops.names.references import references, symbol_of
from fastedit.ops.names.resolve import is_target, place
from fastedit.ops.names.variables import resolve_either
from fastedit.ops.source import Source
from fastedit.ops.structure.anchors import GUARDED, own_rows
from fastedit.ops.structure.blocks import block_of
from fastedit.ops.structure.layout import cleared, own_comments
from fastedit.source.definitions import whole_statement
from fastedit.source.names.site import Role, Site


class Delete(Operation, example="settings.py Store.load"):
    """Delete a function, class, variable or other definition with its decorators and the comment above it."""

    target: str = option(
        "what to delete: load, Store.load, LIMIT, or @LINE for a statement; add @LINE to choose among several"
    )

    def carry_out(self, source: Source) -> Outcome:
        gone = meant(source, self.target)
        above = gone.whole.prev_sibling
        broken = above is not None and above.type in GUARDED and above.has_error
        if above is not None and broken and source.rows(above)[1] == gone.start:
            line = source.number(above.start_point.row)
            raise source.refused(
                f"what line {line} has a condition for may belong to `{gone.name}`; delete it by hand"
            )
        left = tuple(still_used(source, gone.name, range(gone.start, gone.stop)))
        return Outcome((cleared(source, gone.whole, gone.start, gone.stop),), (), left)


class Meant(NamedTuple):
    """A whole statement and the `name` that it defines: `start` is the first line of what is above it, `header` the one
    that names it, `stop` the one after it."""

    whole: Node
    name: str
    start: int
    header: int
    stop: int


def meant(source: Source, target: str) -> Meant:
    """What a target means. Raises OperationRefused where other code stands on its lines."""
    if not is_target(target):  # the line of a statement, or its code
        whole, name = block_of(source, None).at(target), ""
        header, stop = own_rows(source, whole)
        return Meant(
            whole, name, own_comments(source, source.syntax.comments_above(header), header), header, stop
        )
    found, variable = resolve_either(source, target)
    if found is not None:
        node, definition = found
        whole, name = whole_statement(source.syntax, node), definition.name
        first, header, stop = definition.start, definition.header, definition.stop
    else:
        assert variable is not None
        if not variable.alone or not variable.is_statement:
            said = f"`{variable.dotted}` stands among others"
            raise source.refused(f"{said}; replace takes it away by its code")
        whole, name = variable.statement, variable.path[-1]
        first, stop = source.rows(whole)
        first, header = source.syntax.comments_above(first), whole.start_point.row
    source.check_alone(whole)
    return Meant(whole, name, own_comments(source, first, header), header, stop)


def makes(site: Site) -> bool:
    """Whether a place gives a name its value, and neither changes nor deletes the one that it has."""
    return site.binds and site.around("augmented_assignment", "delete_statement") is None


def _made_at(site: Site) -> int:
    """The byte from which what a place makes is there: after the value that it is given, if it is given one."""
    assigns = any(step.kind.endswith(("assignment", "declaration")) for step in site.steps[-3:-1])
    return site.visible if assigns else site.start


def still_used(source: Source, name: str, gone: range) -> Iterator[Candidate]:
    """The places that still need what goes with these lines: the `name` alone, or all that they define."""
    words = source.syntax.identifiers.items() if not name else ()
    for said in [name] if name else [word for word, rows in words if any(row in gone for row in rows)]:
        node = next((n for n in source.syntax.identifier_nodes(said) if n.start_point.row in gone), None)
        symbol = symbol_of(source, node)
        made = [site for site in symbol.sites if makes(site)] if symbol is not None else []
        others = [site for site in made if source.row(site.start) not in gone]
        if name or (made and not others):
            found = references(source, node, said)
        elif symbol is not None and len(others) < len(made):
            # Until the next place that gives it a value, in the lines that run one after the other.
            between = range(source.start(gone.stop), min(map(_made_at, others)))
            uses = [s for s in symbol.sites if s.start in between and s.scope.key == symbol.scope.key]
            found = [(source.row(site.start), False) for site in uses if not makes(site)]
        else:
            found = _seen(source, said, gone) if symbol is None else []
        for row, sure in found:
            if row not in gone:
                yield place(source, row, f"still uses `{said}`" if sure else f"may use `{said}`")


def _seen(source: Source, name: str, gone: range) -> list[tuple[int, bool]]:
    """The lines that may mean what these lines bind in a way that is not followed."""
    sites = source.names(name).sites
    made = next((s for s in sites if s.role is Role.UNSURE and s.binds and source.row(s.start) in gone), None)
    if made is None:
        return []
    here = [
        s for s in sites if s.start > made.start and any(scope.key == made.scope.key for scope in s.scopes)
    ]
    return [(source.row(site.start), False) for site in here if site.role in (Role.NAME, Role.UNSURE)]
