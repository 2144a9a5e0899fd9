"""Adds definitions and moves them, with the blank lines that set them apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tree_sitter import Node

from fastedit.ops.base import Operation, Outcome, option
from fastedit.ops.definitions.delete import meant
from fastedit.ops.definitions.doubles import check_doubles
from fastedit.ops.source import Source, outwards
from fastedit.ops.structure.blocks import block_of
from fastedit.ops.structure.extent import first_row, holder, last_row
from fastedit.ops.structure.layout import reindented, tidied
from fastedit.source.definitions import nodes_named
from fastedit.source.hunks import Hunk
from fastedit.source.names.site import Role, Site
from fastedit.source.outline import blank_lines, definition_name, is_closer, stands_above

_WHERE = (
    "by the definition `anchor`, or at the start or end of the class `anchor`, or of the file without one"
)
_ANCHOR = "the definition, variable or class: load, Store, LIMIT; @LINE or its code for a statement"


class Add(Operation, example="settings.py 'def reload(path): ...' after load"):
    """Add a function, class, method, constant or other code by a definition, to a class or to the file."""

    code: str = option("the code; it is indented to fit")
    where: Literal["before", "after", "first", "last"] = option(_WHERE, "last")
    anchor: str | None = option(_ANCHOR, None)

    def carry_out(self, source: Source) -> Outcome:
        row, indent, _ = _place(source, self.where, self.anchor)
        hunk = apart(source, row, reindented(source, self.code, indent))
        _check_code(source, hunk)
        check_doubles(source, hunk)
        return Outcome((hunk,), tuple(_access(source, self.anchor)) if self.where == "last" else ())


class Move(Operation, needs="has_scopes", example="settings.py save before load"):
    """Move a definition or variable within its class or file, with its decorators and the comment above it."""

    target: str = option(
        "what to move: load, Store.load, LIMIT, or @LINE for a statement; add @LINE to choose among several"
    )
    where: Literal["before", "after", "first", "last"] = option(_WHERE)
    anchor: str | None = option(_ANCHOR, None)

    def carry_out(self, source: Source) -> Outcome:
        whole, _, start, _, stop = meant(source, self.target)
        row, _, around = _place(source, self.where, self.anchor)
        between = source.lines[row:start] if row < start else source.lines[stop:row]
        if around == whole.parent and not any(line.strip() for line in between):
            return Outcome((), (f"`{self.target}` stands there already",))
        if around != whole.parent:
            raise source.refused(f"`{self.target}` would be another thing there; move it by hand")
        passed = range(stop, row) if row > start else range(row, start)
        inside = around.named_children if around is not None else []
        if any(node.type == "access_specifier" and node.start_point.row in passed for node in inside):
            raise source.refused(f"`{self.target}` would have another access there; move it by hand")
        self._check_order(source, range(start, stop), passed)
        gone, made = Hunk(*tidied(source, start, stop), ()), apart(source, row, [*source.lines[start:stop]])
        _check_code(source, made)
        if gone.start <= row <= gone.stop:
            return Outcome((Hunk(gone.start, gone.stop, made.lines),))
        return Outcome((made, gone) if row < gone.start else (gone, made))

    def _check_order(self, source: Source, moved: range, passed: range) -> None:
        """Raises OperationRefused where the one needs the other to stand above."""
        down = passed.start >= moved.stop
        users, makers = (passed, moved) if down else (moved, passed)
        # The body of a function is run when all is there, but in some languages it must have seen what it names.
        late = source.language.order in ("run", "variables")  # in which the file is run from its top
        names = source.syntax.identifiers
        if source.language.order == "any":  # but for macros, which are expanded from the top
            macros = source.syntax.nodes(["macro_definition"])
            defined = {source.text(name) for node in macros for name in node.children_by_field_name("name")}
            names = {name: names[name] for name in defined}
        for name, rows in names.items():
            if not any(row in users for row in rows) or not any(row in makers for row in rows):
                continue
            found = (s for s in source.names(name).sites if s.role in (Role.NAME, Role.UNSURE))
            types = source.language.scopes.types  # which are known wherever they stand
            named = (s for s in found if s.steps and s.steps[-1].text is None)
            sites = [(source.row(s.start), s) for s in named if s.binds or s.steps[-1].kind not in types]
            bound = (s for row, s in sites if s.binds and row in makers and _is_ordered(source, s))
            made = {site.scope.key for site in bound if site.scope.kind in ("file", "class")}
            running = _running(source, passed) if made and down and late else None
            for row, site in sites:
                inside = row not in moved and any(scope.kind == "function" for scope in site.scopes)
                if running is not None and inside:
                    said = f"line {source.number(running)} runs what is above it"
                    raise source.refused(f"{said}, and line {source.number(row)} needs `{name}` then")
            for row, site in sites if made else ():
                deferred = late and any(scope.kind == "function" for scope in site.scopes)
                if row in users and (site.scope.key in made if site.binds else not deferred):
                    raise source.refused(f"line {source.number(row)} needs `{name}` above it")


def _is_ordered(source: Source, binding: Site) -> bool:
    """Whether it matters what uses a binding above it."""
    language = source.language
    return language.order != "variables" or binding.around(*language.variables) is not None


def _access(source: Source, anchor: str | None) -> Iterator[str]:
    """A note on the word above the end of a class that says who may use what stands below."""
    above = block_of(source, anchor).node.named_children if anchor is not None else []
    found = [node for node in above if node.type in ("access_specifier", "identifier")]
    for node in found[-1:]:
        yield f"it stands below `{source.text(node)}` of line {source.number(node.start_point.row)}"


def _running(source: Source, rows: range) -> int | None:
    """The first of these lines that calls a function of the file outside of functions."""
    for call in source.syntax.nodes(("call", "call_expression")):
        within = any(each.child_by_field_name("parameters") for each in outwards(call.parent))
        name = source.text(call.child_by_field_name("function"))
        if call.start_point.row in rows and not within and nodes_named(source.syntax, name):
            return call.start_point.row
    return None


def _place(source: Source, where: str, anchor: str | None) -> tuple[int, str, Node | None]:
    """The line before which a definition goes, its indentation, and the node that it stands in then."""
    if anchor is None:
        if where in ("before", "after"):
            raise source.refused("`before` and `after` need an `anchor`")
        return last_row(source) if where == "last" else first_row(source), "", holder(source)
    if where in ("first", "last"):
        block = block_of(source, anchor)
        return *block.place(where, None), block.node
    beside = meant(source, anchor)
    row = beside.start if where == "before" else beside.stop
    return row, source.indent(beside.header), beside.whole.parent


def _check_code(source: Source, hunk: Hunk) -> None:
    """Raises OperationRefused where new lines are no code there, as outside of the tags of PHP."""
    beside = source.language.beside_code
    first = hunk.start + blank_lines(hunk.lines, 0, 1)
    node = source.changed((hunk,)).syntax.at(first) if beside else None
    if any(each.type in beside for each in outwards(node)):
        raise source.refused("no code stands there; name an `anchor`")


def apart(source: Source, row: int, lines: list[str]) -> Hunk:
    """The lines before a line of the file, as far from what stands beside them as is usual."""
    above, below = blank_lines(source.lines, row - 1, -1), blank_lines(source.lines, row, 1)
    depth = len(lines[0]) - len(lines[0].lstrip())
    usual = 1 if depth else source.language.blank_lines
    single = len(lines) == 1 and definition_name(lines[0]) is None

    def missing(at: int, blank: int, stands: bool) -> tuple[str, ...]:
        if not stands or not 0 <= at < len(source.lines) or len(source.indent(at)) < depth:
            return ()
        line = source.lines[at]
        plain = definition_name(line) is None and not stands_above(line) and not is_closer(line)
        alike = single and plain and len(source.indent(at)) == depth
        return ("",) * ((0 if alike else usual) - blank)

    ends = row + below < len(source.lines) and is_closer(source.lines[row + below])
    before, after = missing(row - above - 1, above, True), missing(row + below, below, not ends)
    return Hunk(row, row, before + tuple(lines) + after)
