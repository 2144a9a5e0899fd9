"""What import is wanted, what a file's statements import, and what all languages do alike with both."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from tree_sitter import Node

from fastedit.errors import OperationRefused
from fastedit.ops.base import Candidate, Outcome
from fastedit.ops.lists import inserted, items_of, removed, sorted_index
from fastedit.ops.names.resolve import place
from fastedit.ops.source import Source
from fastedit.ops.structure.blocks import is_string
from fastedit.ops.structure.layout import below_head, cleared
from fastedit.source.hunks import Hunk
from fastedit.source.outline import definition_name, is_closer

NAME = r"[^\W\d]\w*"
_CONDITIONAL = ("if_statement", "try_statement")


class Wanted(NamedTuple):
    """A module, or a member of it, with the name that it gets in the file."""

    module: str
    member: str | None
    alias: str | None

    @property
    def item(self) -> str:
        """The member, else the module, with its alias."""
        name = self.member or self.module
        return f"{name} as {self.alias}" if self.alias else name


class ImportItem(NamedTuple):
    """A member that a statement imports, or all of its module. `name` is what the file calls it, empty where it has no
    name; `open` where the same may be imported again, as a type may be as a value; `listed` where others
    may stand beside it.
    """

    node: Node
    module: str
    member: str | None
    alias: str | None
    name: str
    open: bool = False
    listed: bool = False


class ImportStatement(NamedTuple):
    """Without items it imports what is not followed. `nested`: it stands in another statement."""

    node: Node
    items: Sequence[ImportItem]
    nested: bool


class Imports(ABC):
    """The imports of one file, where one is wanted. The patterns say what the language can spell; an empty one forbids
    the field.

    `query` captures each @statement with the @item, @module, @member and @alias of what it imports: `default` and `all`
    are members too, and what is in a @list takes others. Statements are in order within their groups; where these are
    `sections`, blank lines set them apart.

    Raises OperationRefused for what cannot be spelled.
    """

    query: str
    module: str
    member: str = NAME
    alias: str = NAME
    verb: ClassVar[str] = "imported"
    sections: ClassVar[bool] = False
    anywhere: ClassVar[bool] = False  # whether what it stands in does not matter

    def __init__(self, source: Source, wanted: Wanted) -> None:
        self.source = source
        self.wanted = wanted
        for field, pattern in (("module", self.module), ("member", self.member), ("alias", self.alias)):
            value = getattr(wanted, field)
            if value is not None and not pattern:
                raise self.refused(f"`{field}` has no meaning in this language; leave it out")
            if value is not None and not re.fullmatch(pattern, value):
                raise self.refused(f"{value!r} is not a {field} that can be imported; check its spelling")
        found: dict[Node, list[ImportItem]] = {}
        for captures in source.syntax.matches(self.query):
            items = found.setdefault(captures["statement"], [])
            if "module" in captures:
                items.append(self.read(captures))
        self.found = [
            ImportStatement(node, items, not self.anywhere and node.parent != source.syntax.root)
            for node, items in found.items()
        ]

    def refused(self, problem: str) -> OperationRefused:
        return self.source.refused(f"{self.whole(self.wanted)}: {problem}")

    def read(self, captures: dict[str, Node]) -> ImportItem:
        said = {name: self.source.text(node) for name, node in captures.items()}
        module, member, alias = self.spelled(said["module"]), said.get("member"), said.get("alias")
        for word, name in (("default", said.get("default")), ("*", said.get("all"))):
            member, alias = (word, name) if name is not None else (member, alias)
        name = alias or member or self.called(module)
        node = captures.get("item") or captures["statement"]
        return ImportItem(node, module, member, alias, name, listed="list" in captures)

    def spelled(self, module: str) -> str:
        """A module as operations name it."""
        return module.strip("'\"`")

    def called(self, module: str) -> str:
        """What a file calls a module that it imports as a whole."""
        return ""

    @abstractmethod
    def line(self) -> str:
        """The statement that is wanted."""

    def group(self, module: str) -> Any:
        """What the statements that stand together have in common; a number of `sections`."""
        return 0

    def key(self, item: ImportItem | Wanted) -> Any:
        """What statements are in order by."""
        return item.module

    def check(self) -> None:
        """Raises OperationRefused where the import cannot be, or would give a name that the file has for another."""
        return

    def has(self, item: ImportItem) -> bool:
        """Whether an item is what is wanted."""
        return not item.open and item[1:4] == self.wanted

    def order(self, text: str) -> str:
        """What the members of a statement are in order by."""
        return text.lower()

    def standing(self) -> list[ImportStatement]:
        """The statements that a new one may stand among: those that the file begins with, or else its first."""
        known, head = {statement.node: statement for statement in self.found}, list[ImportStatement]()
        for node in self.source.syntax.root.named_children:
            aside = "comment" in node.type or is_string(node) or node.type in _CONDITIONAL
            if node in known:
                head.append(known[node])
            elif head and not aside and node.type not in self.source.language.heads:
                break
        return head

    def add(self) -> Outcome:
        source, wanted = self.source, self.wanted
        for statement in self.found:
            for item in filter(self.has, statement.items if not statement.nested else ()):
                number = source.number(item.node.start_point.row)
                return Outcome((), (f"line {number} imports it already",))
        self.check()
        for statement in self.found if wanted.member is not None else ():
            listed = [
                i.node for i in statement.items if i.listed and not i.open and i.module == wanted.module
            ]
            if listed and not statement.nested:
                index = sorted_index([self.order(source.text(i)) for i in listed], self.order(wanted.item))
                return Outcome(source.hunks(inserted(source, listed, index, wanted.item)))
        return self.stated(self.standing(), self.line())

    def stated(self, among: list[ImportStatement], line: str) -> Outcome:
        """With a statement in its place among others, or where the first one goes."""
        rows = [self.source.rows(statement.node) for statement in among]
        firsts = [next(iter(statement.items), self.wanted) for statement in among]
        groups, mine = [self.group(first.module) for first in firsts], self.group(self.wanted.module)
        alike = [at for at, group in enumerate(groups) if group == mine]
        if not self.sections:
            alike = alike or [*range(len(among))]
        if alike:
            keys = [self.key(firsts[at]) for at in alike]
            index = sorted_index(keys, self.key(self.wanted))
            return self._lined(rows[alike[index]][0] if index < len(alike) else rows[alike[-1]][1], line)
        before = [at for at, group in enumerate(groups) if group < mine]
        if among and not before:
            return self._lined(rows[0][0], line, below=1)
        row = rows[before[-1]][1] if before else self.below_head()
        following = next((each for each in self.source.lines[row:] if each.strip()), "")
        defines = definition_name(following) is not None or following.startswith("@")
        return self._lined(row, line, above=True, below=self.source.language.blank_lines if defines else 1)

    def remove(self) -> Outcome:
        matches = [(each, gone) for each in self.found if (gone := self._matching(each))]
        matches = [match for match in matches if not match[0].nested] or matches
        if not matches:
            raise self.refused(f"is not {self.verb} here{self._beside()}")
        (statement, gone), *others = matches
        if others or len(gone) not in (1, len(statement.items)):
            nodes = {item.node.start_point.row for _, items in matches for item in items}
            lines = ", ".join(str(self.source.number(row)) for row in sorted(nodes))
            way = "say which member" if self.member and not self.wanted.member else "remove it by hand"
            raise self.refused(f"is {self.verb} on lines {lines}; {way}")
        left = tuple(each for item in gone if item.name for each in _uses(self.source, item))
        whole = len(gone) == len(statement.items)
        hunks = self._without_line(statement.node) if whole else self.without(statement, gone[0])
        return Outcome(hunks, (), left)

    def whole(self, item: ImportItem | Wanted) -> str:
        """The path of an item with its member."""
        return ".".join(filter(None, (item.module, item.member)))

    def _beside(self) -> str:
        """What errors say of imports from within what was asked for."""
        wanted = re.escape(self.whole(self.wanted))
        within = [i for each in self.found for i in each.items if re.match(rf"{wanted}\W", self.whole(i))]
        if not within:
            return ""
        line = self.source.number(within[0].node.start_point.row)
        named = ", ".join(f"`{self.whole(item)}`" for item in within[:3])
        return f", but {named} on line {line}; name what is to go"

    def without(self, statement: ImportStatement, gone: ImportItem) -> tuple[Hunk, ...]:
        """One of several items goes, with the brackets that it alone stands in."""
        node = gone.node
        while len(beside := _siblings(node)) == 1 and node.parent is not None:
            node = node.parent
        return self.source.hunks(removed(self.source, beside, node))

    def below_head(self) -> int:
        """The line where the first import goes."""
        language = self.source.language
        return below_head(self.source, language.heads - set(language.import_kinds))

    def check_free(self, name: str | None, beside: str = "") -> None:
        """Raises OperationRefused where the file has the name for something else than what stands in a `beside`."""
        for symbol in self.source.names(name).symbols if name else ():
            if symbol.scope.kind == "file" and not (beside and symbol.binding.around(beside)):
                line = self.source.number(self.source.row(symbol.binding.start))
                raise self.refused(f"`{name}` is something else on line {line}; give an alias")

    def _without_line(self, node: Node) -> tuple[Hunk, ...]:
        """A statement goes with its lines. Raises OperationRefused where they hold other code too."""
        self.source.check_alone(node)
        return (cleared(self.source, node, *self.source.rows(node)),)

    def _lined(self, row: int, line: str, *, above: bool = False, below: int = 0) -> Outcome:
        """A new line, set apart by a blank one above and so many below where asked for and not there yet."""
        lines = [line]
        if above and row and self.source.lines[row - 1].strip():
            lines.insert(0, "")
        rows = range(row, len(self.source.lines))
        following = next((at for at in rows if self.source.lines[at].strip()), None)
        if following is not None and not is_closer(self.source.lines[following]):
            lines += [""] * (below - (following - row))
        return Outcome((Hunk(row, row, tuple(lines)),))

    def _matching(self, statement: ImportStatement) -> list[ImportItem]:
        """The items that are meant: by the name of the member, or what the file calls it."""
        member, items = self.wanted.member, [i for i in statement.items if i.module == self.wanted.module]
        if member is None:
            return items
        return [i for i in items if i.member == member] or [i for i in items if i.name == member and i.member]


def _siblings(node: Node) -> list[Node]:
    """The items that an item stands among."""
    assert node.parent is not None
    return node.parent.children_by_field_name("name") or items_of(node.parent)


def _uses(source: Source, item: ImportItem) -> list[Candidate]:
    """The places that mean what an item binds; where it binds nothing, those outside of imports that have its name as
    code."""
    name, within = item.name, range(item.node.start_byte, item.node.end_byte)
    symbols = source.names(name).symbols
    mine = [symbol for symbol in symbols if any(site.binds and site.start in within for site in symbol.sites)]
    if mine:
        others = [site for symbol in mine for site in symbol.sites if site.start not in within]
        bound = [site for site in others if site.binds]
        if any(site.around(*source.language.import_kinds) for site in bound):
            return []
        # What else is bound may be so in some cases only, as after `except ImportError`.
        said = "may still need" if bound else "still needs"
        rows = {source.row(site.start) for site in others if not site.binds}
        return [place(source, row, f"{said} `{name}`") for row in sorted(rows)]
    rows = {node.start_point.row for node in source.syntax.identifier_nodes(name)}
    for node in (
        item.node,
        *(n for n in source.syntax.root.named_children if n.type in source.language.heads),
    ):
        rows -= set(range(node.start_point.row, node.end_point.row + 1))
    return [place(source, row, f"may still need `{name}`") for row in sorted(rows)]
