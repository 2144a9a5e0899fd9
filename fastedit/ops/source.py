"""The text that an operation works on, and edits of it by place that become hunks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from fastedit.errors import OperationRefused
from fastedit.request import LineRange
from fastedit.source.hunks import Hunk, changed_lines
from fastedit.source.languages import named
from fastedit.source.lines import Lines
from fastedit.source.names.names import Names
from fastedit.source.names.site import Site
from fastedit.source.outline import indentation, is_label
from fastedit.source.syntax import Syntax, parse

if TYPE_CHECKING:
    from fastedit.ops.names.members import Members

_NON_BLANK = re.compile(rb"\S")
# After a statement or an item, that is no other code; by the mark of comments.
_HASHED = re.compile(rb"[ \t]*+[;,]?[ \t]*+(?:#.*)?$", re.MULTILINE)
_SLASHED = re.compile(
    rb"[ \t]*+[;,]?[ \t]*+(?:/\*(?:[^*\n]|\*(?!/))*+(?:\*/[ \t]*+|$))*+(?://.*)?$", re.MULTILINE
)


class ByteEdit(NamedTuple):
    """Bytes `start` up to but not including `stop` of the lines joined by LF become `text`."""

    start: int
    stop: int
    text: str


def outwards(node: Node | None) -> Iterator[Node]:
    """A node and all that it stands in, the innermost first."""
    while node is not None:
        yield node
        node = node.parent


class Source(Lines):
    """`lines` without their ends, in the language of this name. `origins` are the document's lines they stand for,
    None for new ones. `operation` is the name of the one that is carried out, for errors. Of several things that it may
    mean, one among the document's lines `within` is meant.
    """

    def __init__(
        self,
        lines: tuple[str, ...],
        language: str,
        origins: tuple[int | None, ...] | None = None,
        operation: str = "",
        within: LineRange | None = None,
    ) -> None:
        super().__init__(lines)
        self.language = named(language)
        self.operation = operation
        self._within = within
        self.origins = tuple(range(len(lines))) if origins is None else origins
        self._names: dict[str, Names] = {}
        self.members: dict[str, Members] = {}

    def refused(self, problem: str) -> OperationRefused:
        return OperationRefused(f"{self.operation}: {problem}")

    def original_line(self, row: int) -> int:
        """The document's line that a line stands for, for a new one the nearest above."""
        while row > 0 and self.origins[row] is None:
            row -= 1
        return self.origins[row] or 0

    def may_change(self, row: int) -> bool:
        """Whether a line is among those that may change, where these are narrowed."""
        line = self.original_line(row)
        return self._within is not None and self._within.holds(line, line + 1)

    def number(self, row: int) -> int:
        """The number, from 1, of the document's line that a line stands for."""
        return self.original_line(row) + 1

    def row_of(self, line: int) -> int | None:
        """The line that stands for the document's `line`, None where it is gone."""
        return self.origins.index(line) if line in self.origins else None

    @cached_property
    def syntax(self) -> Syntax:
        return parse(self.lines, self.language.name) or Syntax(self.lines, self.language.name)

    def names(self, name: str) -> Names:
        """The places of a name, looked up once."""
        if name not in self._names:
            self._names[name] = Names(self.syntax, name)
        return self._names[name]

    def bound(self, name: Node) -> list[Site]:
        """The bindings that an identifier means."""
        names = self.names(self.text(name))
        site = names.at(name.start_byte)
        home = names.home(site) if site is not None else None
        return names.binds(home) if home is not None else []

    @property
    def by_functions(self) -> bool:
        """Whether functions open scopes, and blocks do not."""
        return self.language.scopes.rules == "functions"

    def start(self, row: int) -> int:
        """The byte that a line begins with; after the last one where there is no such line."""
        return min(self.starts[row], len(self.data))

    def non_blank(self, at: int) -> int:
        """The first byte from `at` on that is not blank."""
        found = _NON_BLANK.search(self.data, at)
        return len(self.data) if found is None else found.start()

    def kind(self, node: Node) -> str:
        """What most grammars call such a node."""
        return self.language.alike.get(node.type, node.type)

    def text(self, node: Node | None) -> str:
        return "" if node is None else self.data[node.start_byte : node.end_byte].decode()

    def spanning(self, start: int, stop: int) -> list[Node]:
        """The nodes that have these bytes, the innermost first."""
        found = outwards(self.syntax.root.descendant_for_byte_range(start, stop))
        return [*takewhile(lambda node: (node.start_byte, node.end_byte) == (start, stop), found)]

    def changed(self, hunks: Iterable[Hunk]) -> Source:
        """The text that the hunks make of it."""
        return Source(tuple(changed_lines(self.lines, hunks)), self.language.name)

    def hunks(self, edits: Iterable[ByteEdit]) -> tuple[Hunk, ...]:
        """The edits as whole lines; equal ones count once. Raises OperationRefused where two overlap."""
        made: list[Hunk] = []
        pending: list[ByteEdit] = []
        for edit in sorted(set(edits)):
            if pending and edit.start < pending[-1].stop:
                line = self.row(edit.start) + 1
                raise OperationRefused(f"two changes overlap on line {line}; make them one after the other")
            if pending and self.row(edit.start) > self.row(pending[-1].stop):
                made.append(self._hunk(pending))
                pending = []
            pending.append(edit)
        return (*made, self._hunk(pending)) if pending else ()

    def _hunk(self, edits: list[ByteEdit]) -> Hunk:
        first, last = self.row(edits[0].start), self.row(edits[-1].stop)
        at, stop = self.starts[first], self.starts[last + 1] - 1
        pieces: list[bytes] = []
        for edit in edits:
            pieces += (self.data[at : edit.start], edit.text.encode())
            at = edit.stop
        new = b"".join([*pieces, self.data[at:stop]]).decode()
        return Hunk(first, last + 1, tuple(new.split("\n")))

    def indent(self, row: int) -> str:
        """The white space that a line begins with."""
        return indentation(self.lines[row])

    def begin(self, node: Node, documented: bool = False) -> int:
        """The first byte of a node with what is attached above it, as Rust's attributes are, and with the comment right
        above that documents it where that is asked for."""
        first, lower, above = node, node, node.prev_named_sibling
        while above is not None and (above.type in self.language.attached or "comment" in above.type):
            right_above = above.end_point.row + (above.end_point.column > 0) >= lower.start_point.row
            documents = documented and right_above and self.text(above).startswith(self._documenting)
            first = above if above.type in self.language.attached or documents else first
            lower, above = above, above.prev_named_sibling
        return first.start_byte

    @property
    def _documenting(self) -> tuple[str, ...]:
        """What a comment begins with that documents what is below, where it is unlike others."""
        mark = self.language.doc_comment
        return () if mark == (self.language.comment or ("",))[0] else (mark,)

    def rows(self, node: Node) -> tuple[int, int]:
        """The lines [start, stop) that a node stands on, and of what is attached above it."""
        return self.row(self.begin(node)), self.syntax.rows(node)[1]

    def beside(self, node: Node) -> tuple[bytes, bytes]:
        """What else stands on the lines of a node: before it on the first, after it on the last."""
        first, last = node.start_point, node.end_point
        before = self.lines[first.row].encode()[: first.column].strip()
        return before, self.lines[last.row].encode()[last.column :].strip() if last.column else b""

    def tail(self, at: int) -> int | None:
        """The end of the line of byte `at`, None where code stands after it."""
        tail = _HASHED if self.language.comment == ("#", "") else _SLASHED
        found = tail.match(self.data, at)
        return None if found is None else found.end()

    def code(self, row: int) -> str:
        """What stands on a line before the comment behind it, without the blanks around."""
        start, line = self.start(row), self.lines[row].rstrip().encode()
        node = self.syntax.root.descendant_for_byte_range(start + len(line) - 1, start + len(line))
        if node is not None and "comment" in node.type and node.start_byte >= start:
            line = line[: node.start_byte - start]
        return line.decode().strip()

    def alone(self, node: Node) -> bool:
        """Whether no other code stands on the lines of a node."""
        return not self.beside(node)[0] and (
            node.end_point.column == 0 or self.tail(node.end_byte) is not None
        )

    def check_alone(self, node: Node) -> None:
        """Raises OperationRefused where other code stands on the lines of a node."""
        if not self.alone(node):
            line = self.number(node.start_point.row)
            raise self.refused(f"line {line} holds other code too; break it up first")

    @cached_property
    def unit(self) -> str:
        """One step of indentation: the most common one that the file takes."""
        steps = Counter[str]()
        above: str | None = ""
        for row, line in enumerate(self.lines):
            if not line.strip():
                continue
            if self.language.blocks == "braces" and is_label(line.rstrip()):
                above = None  # it may stand between two steps, as C++'s `public:`
                continue
            indent = self.indent(row)
            if above is not None and len(indent) > len(above) and indent.startswith(above):
                steps[indent[len(above) :]] += 1
            above = indent
        return steps.most_common(1)[0][0] if steps else self.language.indent

    @cached_property
    def semicolon(self) -> str:
        """What ends a statement here: a semicolon, or nothing where the file goes without."""
        if self.language.semicolons == "optional":
            return ";" if any(line.endswith(";") for line in self.lines) else ""
        return ";" if self.language.semicolons else ""
