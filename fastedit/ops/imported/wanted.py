"""What import is wanted, and what all languages do alike with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from tree_sitter import Node

from fastedit.errors import OperationRefused
from fastedit.ops.base import Candidate, Outcome
from fastedit.ops.layout import cleared
from fastedit.ops.lists import inserted as inserted_item
from fastedit.ops.lists import removed
from fastedit.ops.names.names import Lexicon
from fastedit.ops.resolve import place
from fastedit.ops.sorting import sorted_row
from fastedit.ops.source import Source
from fastedit.source.hunks import Hunk


class Wanted(NamedTuple):
    """`operation` is who asks, for errors."""

    operation: str
    module: str
    member: str | None
    alias: str | None

    @property
    def said(self) -> str:
        return f"{self.module} {self.member}" if self.member else self.module

    @property
    def item(self) -> str:
        """The member, else the module, with its alias."""
        name = self.member or self.module
        return f"{name} as {self.alias}" if self.alias else name

    def refused(self, problem: str) -> OperationRefused:
        return OperationRefused(f"{self.operation}: {self.said}: {problem}")

    def check(self, module: str, *, member: str = r"[^\W\d]\w*", alias: str = r"[^\W\d]\w*") -> None:
        """Raises OperationRefused for what the language cannot spell. The arguments are patterns; empty forbids."""
        for name, value, pattern in (
            ("module", self.module, module),
            ("member", self.member, member),
            ("alias", self.alias, alias),
        ):
            if value is not None and not pattern:
                raise self.refused(f"`{name}` has no meaning in this language; leave it out")
            if value is not None and not re.fullmatch(pattern, value):
                raise self.refused(f"{value!r} is no {name} that can be imported; check its spelling")

    def check_free(self, source: Source, name: str, beside: str = "") -> None:
        """Raises OperationRefused where the file has the name for something else than what stands in a `beside`."""
        for symbol in Lexicon(source).names(name).symbols:
            if symbol.scope.kind == "file" and not (beside and symbol.binding.around(beside)):
                line = source.number(source.row(symbol.binding.start))
                raise self.refused(f"`{name}` is something else on line {line}; give an alias")

    def only(self, found: Sequence[Node], verb: str = "imported") -> Node:
        """The one node that says it. Raises OperationRefused where there is none, or several."""
        if len(found) != 1:
            raise self.refused(
                f"is {verb} several times; remove it by hand" if found else f"is not {verb} here"
            )
        return found[0]


class Writer(Protocol):
    """A module of this package: one language's imports."""

    def add(self, source: Source, wanted: Wanted) -> Outcome: ...

    def remove(self, source: Source, wanted: Wanted) -> Outcome: ...


def already(source: Source, node: Node) -> Outcome:
    """Nothing is to be done."""
    line = source.number(node.start_point.row)
    return Outcome((), (f"line {line} imports it already",))


def inserted(source: Source, row: int, line: str, *, above: bool = False, below: int = 0) -> Outcome:
    """A new line, set apart by a blank one above and so many below where asked for and where they are not there yet."""
    lines = [line]
    if above and row and source.lines[row - 1].strip():
        lines.insert(0, "")
    following = next((n for n in range(row, len(source.lines)) if source.lines[n].strip()), None)
    if following is not None:
        lines += [""] * (below - (following - row))
    return Outcome((Hunk(row, row, tuple(lines)),))


def among(source: Source, nodes: Sequence[Node], keys: Sequence[Any], new: Any, line: str) -> Outcome:
    """A new line among statements: by its key `new` where they are in order, else last."""
    return inserted(source, sorted_row([source.syntax.rows(node) for node in nodes], keys, new), line)


def without_line(source: Source, node: Node, left: Sequence[Candidate] = ()) -> Outcome:
    """The statement goes with its lines. Raises OperationRefused where they hold other code too."""
    start, stop = source.syntax.rows(node)
    if not source.alone(node):
        raise source.refused(f"line {source.number(start)} holds other code too; set the import apart first")
    return Outcome((cleared(source, node, start, stop),), (), tuple(left))


def without_item(
    source: Source, items: Sequence[Node], gone: Node, left: Sequence[Candidate] = ()
) -> Outcome:
    """One of several items of a list goes."""
    return Outcome(source.hunks(removed(source, items, gone)), (), tuple(left))


def with_item(source: Source, items: Sequence[Node], index: int, text: str) -> Outcome:
    """A new item at an index of a list that has some."""
    return Outcome(source.hunks(inserted_item(source, items, index, text)))


def uses(source: Source, name: str, outside: Node) -> list[Candidate]:
    """The places outside of a node that mean what it binds by this name; where it binds nothing, those outside of
    other imports that have the name as code."""
    within = range(outside.start_byte, outside.end_byte)
    symbols = Lexicon(source).names(name).symbols
    mine = [symbol for symbol in symbols if any(site.binds and site.start in within for site in symbol.sites)]
    if mine:
        others = [site for symbol in mine for site in symbol.sites if site.start not in within]
        bound = [site for site in others if site.binds]
        if any(site.around(*source.language.import_kinds) for site in bound):
            return []
        # What else is bound may be so in some cases only, as behind `except ImportError`.
        said = "may still need" if bound else "still needs"
        rows = {source.row(site.start) for site in others if not site.binds}
        return [place(source, row, f"{said} `{name}`") for row in sorted(rows)]
    rows = {node.start_point.row for node in source.syntax.identifier_nodes(name)}
    for node in (outside, *top_level(source, *source.language.heads)):
        rows -= set(range(node.start_point.row, node.end_point.row + 1))
    return [place(source, row, f"may still need `{name}`") for row in sorted(rows)]


def top_level(source: Source, *kinds: str) -> list[Node]:
    """The statements of these kinds that stand in no other."""
    return [node for node in source.syntax.root.named_children if node.type in kinds]


def first_row(source: Source, *kinds: str) -> int:
    """The line below the comments, and the statements of these kinds, that the file begins with."""
    row = 1 if source.lines and source.lines[0].startswith("#!") else 0
    for node in source.syntax.root.named_children:
        end = source.syntax.rows(node)[1]
        comment = "comment" in node.type and node.start_point.row <= row + 1 and end < len(source.lines)
        if comment and _belongs_below(source, node, end, kinds):
            break
        if comment or node.type in kinds:
            row = end
        elif node.type != "hash_bang_line":
            break
    return row


def _belongs_below(source: Source, comment: Node, end: int, kinds: tuple[str, ...]) -> bool:
    """Whether a comment stands right above code."""
    following = comment.next_named_sibling
    if following is None or "comment" in following.type or following.type in kinds:
        return False
    return following.start_point.row == end and not source.text(comment).startswith("#!")
