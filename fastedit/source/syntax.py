"""One text as tree-sitter reads it. Knows grammars and nodes, not what any of them is good for.

Rows are the document's lines: only CR LF, LF and CR end one, whatever else a grammar may count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from importlib import import_module
from time import thread_time
from typing import NamedTuple

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Point, Query, QueryCursor, Tree

from fastedit.source.hunks import Hunk, changed_lines
from fastedit.source.languages import named
from fastedit.source.lines import Lines
from fastedit.source.outline import indentation

HEREDOC = "heredoc_body"  # a text that begins behind the line of code which it is a value of
_PIECE = 1 << 16  # bytes
_LONGEST_STAY = 0.1  # seconds of processor time; the end of thousands of nested blocks takes a tenth of it
_TYPOGRAPHIC = re.compile(rb"\xe2\x80[\x90-\x9f]")  # U+2010 to U+201F


class ByteSpan(NamedTuple):
    """The bytes from `start` up to but not including `stop`."""

    start: int
    stop: int


class ChangedSyntax(NamedTuple):
    """What a text has become, and the bytes of both outside of which all nodes are the same."""

    syntax: Syntax
    before: ByteSpan
    after: ByteSpan


class Syntax(Lines):
    """The tree of `lines` in the language of this name, which has a grammar. `old` is that of another text, edited to
    fit: what both share is not parsed again. Some parsers do not get over some errors: such a text has an empty tree.
    """

    def __init__(self, lines: Sequence[str], language: str, old: Tree | None = None) -> None:
        super().__init__(lines)
        self.language = named(language)
        progress = _Progress()
        try:
            self._tree = _parsed(self.data, language, progress, old)
        except ValueError:  # what the callback ends
            self._tree = _parsed(b"", language, _Progress())
        self._stuck = self.row(progress.at) if progress.stays else None
        self.root: Node = self._tree.root_node

    def changed(self, hunks: Sequence[Hunk]) -> ChangedSyntax:
        """What hunks make of the text."""
        if not hunks:
            return ChangedSyntax(self, ByteSpan(0, 0), ByteSpan(0, 0))
        lines = changed_lines(self.lines, hunks)
        if self.unread:
            return self._replaced(Syntax(lines, self.language.name))
        tree, edits = self._tree.copy(), [self._edit(hunk) for hunk in hunks]
        for start, stop, new in reversed(edits):
            above, rows = self._point(start), new.count(b"\n")
            column = len(new) - new.rfind(b"\n") - 1 if rows else above.column + len(new)
            below = Point(above.row + rows, column)
            tree.edit(start, stop, start + len(new), above, self._point(stop), below)
        made = Syntax(lines, self.language.name, tree)
        if made.unread:
            return self._replaced(made)
        if made.has_error and not self.has_error:
            # How a parser gets over an error depends on what it read before: one that comes is told as it always is.
            return self._replaced(Syntax(lines, self.language.name))
        ranges, grown = tree.changed_ranges(made._tree), len(made.data) - len(self.data)
        first = min([edits[0][0], *(each.start_byte for each in ranges)])
        last = max([edits[-1][1] + grown, *(each.end_byte for each in ranges)])
        # A byte more on either side: where bytes only come or only go, what is around them differs too.
        first, last = max(first - 1, 0), last + 1
        return ChangedSyntax(made, ByteSpan(first, last - grown), ByteSpan(first, last))

    def _replaced(self, made: Syntax) -> ChangedSyntax:
        """All of the text as another."""
        return ChangedSyntax(made, ByteSpan(0, len(self.data)), ByteSpan(0, len(made.data)))

    @cached_property
    def respelled(self) -> Syntax:
        """The same text, line by line, without what the language has and its grammar does not; itself where nothing is
        known of that."""
        spelled = self.language.respelled
        return (
            self
            if spelled is None
            else Syntax(spelled("\n".join(self.lines)).split("\n"), self.language.name)
        )

    def _edit(self, hunk: Hunk) -> tuple[int, int, bytes]:
        """The bytes that a hunk replaces, from and up to, and those that it puts there."""
        start, stop = self.starts[hunk.start], self.starts[hunk.stop]
        new = b"".join(line.encode() + b"\n" for line in hunk.lines)
        if hunk.stop < len(self.lines):
            return start, stop, new
        # The last line has no end: that of the line above counts in its place.
        return max(start - 1, 0), len(self.data), (b"\n" + new if start else new)[:-1]

    def _point(self, at: int) -> Point:
        row = self.row(at)
        return Point(row, at - self.starts[row])

    @property
    def unread(self) -> bool:
        """Whether the parser stays at an error for ever, so that nothing is known of the text."""
        return self._stuck is not None

    @property
    def has_error(self) -> bool:
        """Whether the grammar cannot read all of it."""
        return self.unread or self.root.has_error

    @property
    def damage(self) -> int:
        """How many nodes are errors or were made up to go on; as many as there are lines where the parser stays."""
        return len(self._damaged) if self._stuck is None else len(self.lines)

    @property
    def damaged(self) -> set[int]:
        """The lines on which these nodes begin."""
        return {node.start_point.row for node in self._damaged} if self._stuck is None else {self._stuck}

    @property
    def damaged_parts(self) -> list[range]:
        """The lines of each of these nodes."""
        if self._stuck is not None:
            return [range(self._stuck, len(self.lines))]
        return [range(node.start_point.row, node.end_point.row + 1) for node in self._damaged]

    @cached_property
    def _damaged(self) -> list[Node]:
        found, nodes = list[Node](), [self.root]
        while nodes:
            node = nodes.pop()
            if node.is_error or node.is_missing:
                found.append(node)
            if node.has_error:
                nodes += node.children
        found += self._typographic()
        return found + [node for word in self.language.reserved for node in self._misread(word)]

    def _typographic(self) -> Iterator[Node]:
        """Where a typographic quote or dash is read as a part of a name, which no language has."""
        kinds = _identifier_kinds(self.language.name)
        for found in _TYPOGRAPHIC.finditer(self.data):
            node = self.root.named_descendant_for_byte_range(*found.span())
            if node is not None and node.type in kinds and node.child_count == 0:
                yield node

    def _misread(self, word: str) -> Iterator[Node]:
        """Where a word that cannot be a name is read as one; a method may be called so."""
        for node in self.identifier_nodes(word):
            parent = node.parent
            if parent is not None and node not in (
                parent.child_by_field_name("method"),
                parent.child_by_field_name("name"),
            ):
                yield node

    @cached_property
    def identifiers(self) -> dict[str, tuple[int, ...]]:
        """The lines on which each name stands, but not in comments and strings. Rising, with repeats."""
        found: dict[str, list[int]] = {}
        for node in self.nodes(sorted(_identifier_kinds(self.language.name))):
            if node.child_count == 0:
                found.setdefault(_bare(self.text(node)), []).append(node.start_point.row)
        return {name: tuple(rows) for name, rows in found.items()}

    def identifier_nodes(self, name: str) -> Iterator[Node]:
        """The places where a name stands, but not in comments and strings, in order of appearance."""
        text, kinds = name.encode(), _identifier_kinds(self.language.name)
        # Most files have a name in few places, so those are looked at instead of all names. The name comes first in the
        # pattern, so that it is searched for as plain text.
        whole = re.escape(text) + rb"(?!\w)(?<!\w" + re.escape(text) + rb")"
        for found in re.finditer(whole, self.data) if text else ():
            node = self.root.named_descendant_for_byte_range(*found.span())
            if (
                node is not None
                and node.type in kinds
                and node.child_count == 0
                and _bare(self.text(node)) == name
            ):
                yield node

    def find(self, query: str, within: tuple[int, int] | None = None) -> list[Node]:
        """What `query` captures as @found in the text or in a range of its bytes, by place, outer nodes first."""
        cursor = QueryCursor(_query(self.language.name, query))
        if within is not None:
            if within[0] == within[1]:
                return []  # to a cursor it would mean all of the text
            cursor.set_byte_range(*within)
        nodes = cursor.captures(self.root).get("found", [])
        return sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte))

    def matches(self, query: str) -> list[dict[str, Node]]:
        """What `query` captures, a match each, by the place of the first capture."""
        found = QueryCursor(_query(self.language.name, query)).matches(self.root)
        made = [{name: nodes[0] for name, nodes in captures.items()} for _, captures in found]
        return sorted(made, key=lambda captures: min(node.start_byte for node in captures.values()))

    @cached_property
    def strings(self) -> dict[int, Node]:
        """The lines that begin within a string, each with that string."""
        found: dict[int, Node] = {}
        for node in self.nodes(sorted(_string_kinds(self.language.name))):
            for row in range(node.start_point.row + 1, node.end_point.row + (node.end_point.column > 0)):
                found.setdefault(row, node)
        return found

    @property
    def verbatim(self) -> frozenset[int]:
        """Those of these lines whose indentation counts: not of a string that is a statement, as a docstring is."""
        return frozenset(
            row
            for row, node in self.strings.items()
            if node.parent is None or node.parent.type != "expression_statement"
        )

    def nodes(self, kinds: Iterable[str], within: tuple[int, int] | None = None) -> list[Node]:
        """The nodes of those of the kinds that the grammar has, as `find` gives them."""
        known = grammar(self.language.name)
        query = " ".join(f"({kind}) @found" for kind in kinds if known.id_for_node_kind(kind, True))
        return self.find(query, within) if query else []

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")

    def child(self, node: Node, field: str) -> Node | None:
        """What fills a field of a node, whether the grammar or the language says so."""
        found, way = node.child_by_field_name(field), self.language.fields.get((node.type, field))
        if found is not None or way is None:
            return found
        found = node
        for kind in way.split():
            found = next((child for child in found.children if child.type in kind.split("|")), None)
            if found is None:
                return None
        return found

    def at(self, line: int) -> Node | None:
        """The innermost node at the first character of a line that is not blank; None where it is blank."""
        margin = indentation(self.lines[line])
        if margin == self.lines[line]:
            return None
        column = len(margin.encode())
        # A byte wide: what ends a statement above may reach up to here.
        return self.root.named_descendant_for_point_range((line, column), (line, column + 1))

    def in_comment(self, line: int) -> bool:
        node = self.at(line)
        return node is not None and "comment" in node.type and self.ends_line(node)

    def ends_line(self, node: Node) -> bool:
        """Whether nothing stands behind a node on its line but comments, and what is attached as it is."""
        row, column = node.end_point
        rest = self.lines[row].encode()[column:] if column else b""
        if not rest.strip():
            return True
        at = (row, column + len(rest) - len(rest.lstrip()))
        after = self.root.named_descendant_for_point_range(at, (row, at[1] + 1))
        while after is not None and after.start_point == at:
            if "comment" in after.type or after.type in self.language.attached:
                return self.ends_line(after)
            after = after.parent
        return False

    def comments_above(self, line: int) -> int:
        """The first line of the comments that stand right above a line, at its indentation; the line without any."""
        first = line
        while first and (node := self.at(first - 1)) is not None and is_outer_comment(node):
            start = node.start_point.row
            # Where a line begins with no comment, one that ends there follows code.
            if (
                not self.ends_line(node)
                or self.at(start) != node
                or indentation(self.lines[start]) != indentation(self.lines[line])
            ):
                break
            first = start
        return first

    def rows(self, node: Node) -> tuple[int, int]:
        """The first line of the node and one past its last, on which it has a character, or a text that it begins."""
        end = node.end_point
        stop = end.row + (end.column > 0 or end.row == node.start_point.row)
        while stop - 1 in self._heredocs:
            stop = self._heredocs[stop - 1]
        return node.start_point.row, stop

    @cached_property
    def _heredocs(self) -> dict[int, int]:
        """The line behind which each text stands that is no part of the node which begins it, and the line below it."""
        bodies = self.nodes([HEREDOC])
        return {node.start_point.row: node.end_point.row + 1 for node in bodies}


def is_outer_comment(node: Node) -> bool:
    """Whether it is a comment, and not one on what it stands in, as `//!` is in Rust."""
    return "comment" in node.type and node.child_by_field_name("inner") is None


def has_grammar(language: str) -> bool:
    """Whether it is a language with definitions that is parsed; data files are not among them."""
    return named(language).is_code


@lru_cache(maxsize=4)  # each reading of an update is held against the same file
def error_in(language: str, lines: tuple[str, ...], above: int = 0) -> str | None:
    """What the language's own parser finds wrong with a text below so many other lines, which it reads more strictly
    than the grammar; None where it finds nothing or there is none."""
    error = named(language).error
    return error("\n".join((*[""] * above, *lines, ""))) if error is not None else None


@lru_cache(maxsize=4)
def parse(lines: tuple[str, ...], language: str) -> Syntax | None:
    """The syntax of `lines`, None where the language has no grammar here. Remembers the last few."""
    return Syntax(lines, language) if has_grammar(language) else None


class _Progress:
    """What a parser tells of how far it is. After an error some stay at one place for ever."""

    def __init__(self) -> None:
        self.at = 0
        self.stays = False
        self._since = thread_time()

    def __call__(self, at: int, _: bool) -> bool:
        """Whether it shall end, now that it is at this byte."""
        now = thread_time()
        if at > self.at:
            self.at, self._since = at, now
        self.stays = now - self._since > _LONGEST_STAY
        return self.stays


def _parsed(
    source: bytes, language: str, progress: Callable[[int, bool], bool], old: Tree | None = None
) -> Tree:
    """The tree of a text; a ValueError where `progress` ends it."""
    parser = Parser(grammar(language))

    def read(at: int, _: object) -> bytes:
        return source[at : at + _PIECE]

    if old is None:
        return parser.parse(read, progress_callback=progress)
    return parser.parse(read, old, progress_callback=progress)


def flawless(lines: Iterable[str], language: str) -> Node | None:
    """The root of a text without an error; None for any other, mostly long before all of it is read."""
    source = "\n".join(lines).encode()
    try:
        tree = _parsed(source, language, lambda _, failed: failed)
    except ValueError:  # what the callback ends
        return None
    return None if tree.root_node.has_error else tree.root_node


@cache
def grammar(language: str) -> Grammar:
    """The grammar of a language, loaded when it is first asked for."""
    found = named(language).grammar
    assert found is not None, language
    module, function = found
    return Grammar(getattr(import_module(module), function)())


@lru_cache(maxsize=64)
def _query(language: str, source: str) -> Query:
    return Query(grammar(language), source)


@cache
def _identifier_kinds(language: str) -> frozenset[str]:
    """Every kind of node that the grammar or the language calls some identifier."""
    called = frozenset(k for k in _kinds(language) if k.endswith(("identifier", "identifier_pattern")))
    return called | named(language).identifiers


def _string_kinds(language: str) -> frozenset[str]:
    """Every kind of node that the grammar calls some string, but for what holds several with white space between."""
    parts = ("concatenated", "_start", "_end", "_content", "_fragment")
    return frozenset(
        k
        for k in _kinds(language)
        if k == HEREDOC or ("string" in k and not k.startswith(parts) and not k.endswith(parts))
    )


@cache
def _kinds(language: str) -> frozenset[str]:
    """Every kind of node that the grammar has a name for."""
    known = grammar(language)
    return frozenset(
        kind
        for index in range(known.node_kind_count)
        if known.node_kind_is_named(index) and known.node_kind_is_visible(index)
        if (kind := known.node_kind_for_id(index))
    )


def _bare(name: str) -> str:
    """A name without the mark of a private one."""
    return name.lstrip("#")
