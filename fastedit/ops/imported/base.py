"""What import is wanted, what a file's statements import, and what all languages do alike with both."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from tree_sitter import Node

from fastedit.errors import OperationRefused
from fastedit.ops.base import Candidate, Outcome
from fastedit.ops.layout import below_head, cleared
from fastedit.ops.lists import inserted, items_of, removed
from fastedit.ops.names.lexicon import Lexicon
from fastedit.ops.resolve import place
from fastedit.ops.sorting import sorted_index, sorted_row
from fastedit.ops.source import Source
from fastedit.source.hunks import Hunk

NAME = r"[^\W\d]\w*"


class Wanted(NamedTuple):
    """`operation` is who asks, for errors."""

    operation: str
    module: str
    member: str | None
    alias: str | None

    @property
    def item(self) -> str:
        """The member, else the module, with its alias."""
        name = self.member or self.module
        return f"{name} as {self.alias}" if self.alias else name

    def refused(self, problem: str) -> OperationRefused:
        said = f"{self.module} {self.member}" if self.member else self.module
        return OperationRefused(f"{self.operation}: {said}: {problem}")


class Item(NamedTuple):
    """A member that a statement imports, or all of its module. `name` is what the file calls it, empty where it has no
    name; `open` where the same may be imported again, as a type may be as a value.
    """

    node: Node
    module: str
    member: str | None
    alias: str | None
    name: str
    open: bool = False


class Statement(NamedTuple):
    """`key` is what statements are in order by; `takes` more members of its module."""

    node: Node
    module: str
    items: Sequence[Item]
    key: Any
    takes: bool = False


class Imports(ABC):
    """The imports of one file, where one is wanted. The patterns say what the language can spell; an empty one forbids
    the field.

    Raises OperationRefused for what cannot be spelled.
    """

    module: ClassVar[str]
    member: str = NAME
    alias: str = NAME
    verb: ClassVar[str] = "imported"

    def __init__(self, source: Source, wanted: Wanted) -> None:
        self.source = source
        self.wanted = wanted
        for field, pattern in (("module", self.module), ("member", self.member), ("alias", self.alias)):
            value = getattr(wanted, field)
            if value is not None and not pattern:
                raise wanted.refused(f"`{field}` has no meaning in this language; leave it out")
            if value is not None and not re.fullmatch(pattern, value):
                raise wanted.refused(f"{value!r} is not a {field} that can be imported; check its spelling")
        self.found = [self.read(node) for node in self.nodes()]

    def nodes(self) -> list[Node]:
        """The statements that a new one may stand among."""
        return top_level(self.source, *self.source.language.import_kinds)

    @abstractmethod
    def read(self, node: Node) -> Statement: ...

    @abstractmethod
    def line(self) -> str:
        """The statement that is wanted."""

    @abstractmethod
    def beside(self) -> tuple[list[Statement], Any]:
        """The statements that a new one stands among, and its key."""

    @abstractmethod
    def first(self, line: str) -> Outcome:
        """With a statement that has none to stand among."""

    def check_name(self) -> None:
        """Raises OperationRefused where the import would give a name that the file has for something else."""
        return

    def has(self, item: Item) -> bool:
        """Whether an item is what is wanted."""
        return not item.open and item[1:4] == self.wanted[1:4]

    def order(self, text: str) -> str:
        """What the members of a statement are in order by."""
        return text.lower()

    def add(self) -> Outcome:
        source, wanted = self.source, self.wanted
        for statement in self.found:
            for item in filter(self.has, statement.items):
                number = source.number(item.node.start_point.row)
                return Outcome((), (f"line {number} imports it already",))
        self.check_name()
        for statement in self.found if wanted.member is not None else ():
            items = [item.node for item in statement.items]
            if statement.takes and statement.module == wanted.module:
                index = sorted_index(
                    [self.order(source.text(item)) for item in items], self.order(wanted.item)
                )
                return Outcome(source.hunks(inserted(source, items, index, wanted.item)))
        line = self.line()
        among, key = self.beside()
        if not among:
            return self.first(line)
        rows = [source.rows(statement.node) for statement in among]
        return self.lined(sorted_row(rows, [statement.key for statement in among], key), line)

    def remove(self) -> Outcome:
        matches = [(each, gone) for each in self.found if (gone := self._matching(each))]
        if not matches:
            raise self.wanted.refused(f"is not {self.verb} here")
        (statement, gone), *others = matches
        if others or len(gone) not in (1, len(statement.items)):
            nodes = {item.node.start_point.row for _, items in matches for item in items}
            lines = ", ".join(str(self.source.number(row)) for row in sorted(nodes))
            way = "say which member" if self.member and not self.wanted.member else "remove it by hand"
            raise self.wanted.refused(f"is {self.verb} on lines {lines}; {way}")
        left = tuple(each for item in gone if item.name for each in _uses(self.source, item))
        whole = len(gone) == len(statement.items)
        hunks = self.without_line(statement.node) if whole else self.without(statement, gone[0])
        return Outcome(hunks, (), left)

    def without(self, statement: Statement, gone: Item) -> tuple[Hunk, ...]:
        """One of several items goes, with the brackets that it alone stands in."""
        node = gone.node
        while len(beside := _siblings(node)) == 1 and node.parent is not None:
            node = node.parent
        return self.source.hunks(removed(self.source, beside, node))

    def without_line(self, node: Node) -> tuple[Hunk, ...]:
        """A statement goes with its lines. Raises OperationRefused where they hold other code too."""
        source = self.source
        start, stop = source.rows(node)
        if not source.alone(node):
            raise source.refused(
                f"line {source.number(start)} holds other code too; set the import apart first"
            )
        return (cleared(source, node, start, stop),)

    def lined(self, row: int, line: str, *, above: bool = False, below: int = 0) -> Outcome:
        """A new line, set apart by a blank one above and so many below where asked for and not there yet."""
        lines = [line]
        if above and row and self.source.lines[row - 1].strip():
            lines.insert(0, "")
        rows = range(row, len(self.source.lines))
        following = next((at for at in rows if self.source.lines[at].strip()), None)
        if following is not None:
            lines += [""] * (below - (following - row))
        return Outcome((Hunk(row, row, tuple(lines)),))

    def below_head(self) -> int:
        """The line where the first import goes."""
        language = self.source.language
        return below_head(self.source, language.heads - set(language.import_kinds))

    def _matching(self, statement: Statement) -> list[Item]:
        """The items that are meant: by the name of the member, or what the file calls it."""
        member, items = self.wanted.member, [i for i in statement.items if i.module == self.wanted.module]
        if member is None:
            return items
        return [i for i in items if i.member == member] or [i for i in items if i.name == member and i.member]


def _siblings(node: Node) -> list[Node]:
    """The items that an item stands among."""
    assert node.parent is not None
    return node.parent.children_by_field_name("name") or items_of(node.parent)


def check_free(imports: Imports, name: str, beside: str = "") -> None:
    """Raises OperationRefused where the file has the name for something else than what stands in a `beside`."""
    source = imports.source
    for symbol in Lexicon(source).names(name).symbols:
        if symbol.scope.kind == "file" and not (beside and symbol.binding.around(beside)):
            line = source.number(source.row(symbol.binding.start))
            raise imports.wanted.refused(f"`{name}` is something else on line {line}; give an alias")


def _uses(source: Source, item: Item) -> list[Candidate]:
    """The places that mean what an item binds; where it binds nothing, those outside of imports that have its name as
    code."""
    name, within = item.name, range(item.node.start_byte, item.node.end_byte)
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
    for node in (item.node, *top_level(source, *source.language.heads)):
        rows -= set(range(node.start_point.row, node.end_point.row + 1))
    return [place(source, row, f"may still need `{name}`") for row in sorted(rows)]


def top_level(source: Source, *kinds: str) -> list[Node]:
    """The statements of these kinds that stand in no other."""
    return [node for node in source.syntax.root.named_children if node.type in kinds]
