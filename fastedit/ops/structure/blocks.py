"""The statements of a function, a loop or the file: where they stand and where more can go."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from fastedit.ops.lists import items_of
from fastedit.ops.names.resolve import body_of, resolve_definition
from fastedit.ops.source import Source
from fastedit.ops.structure.anchors import BLOCKS, CASES, expression_of, own_rows, statement_at
from fastedit.source.syntax import HEREDOC

NO_STATEMENTS = ("access_specifier", "rescue", "else", "ensure", HEREDOC)


@dataclass(frozen=True)
class StatementBlock:
    """`header` is the line of what the block belongs to, `said` how errors name it."""

    source: Source
    node: Node
    header: int
    said: str

    @property
    def statements(self) -> list[Node]:
        found = items_of(self.node)
        if [self.source.kind(node) for node in found] == ["statement_list"]:
            found = items_of(found[0])
        return [node for node in found if node.type not in NO_STATEMENTS]

    def at(self, anchor: str) -> Node:
        """The statement, however deep, that an anchor names. Raises TargetUnresolved."""
        return statement_at(self.source, anchor, self.node, self.said)

    def beside(self, anchor: str) -> Node:
        """The statement that an anchor names, where others can stand beside it. Raises TargetUnresolved."""
        found = self.at(anchor)
        if found.type in CASES:
            raise self.source.refused(
                f"`{anchor.strip()}` is a case, not a statement; name a statement of it"
            )
        return found

    def between(self, anchor: str, last: str | None, bare: bool = False) -> tuple[int, int]:
        """The lines [start, stop) of the statements from one anchor to another, a body without braces if `bare`.

        Raises TargetUnresolved.
        """
        first = self.at(anchor)
        end = first if last is None else self.at(last)
        if first.parent != end.parent or end.start_byte < first.start_byte:
            raise self.source.refused("`anchor` and `last` are not of one block, in this order")
        return own_rows(self.source, first, bare)[0], own_rows(self.source, end, bare)[1]

    def place(self, where: str, anchor: str | None) -> tuple[int, str]:
        """The line before which code goes, and its indentation."""
        source, statements = self.source, self.statements
        first, last = self.node.start_point.row, self.node.end_point.row
        braced = source.text(self.node)[:1] == "{"
        if not braced and source.kind(self.node) not in BLOCKS:
            raise source.refused(f"the body of {self.said} is an expression; write it as a block first")
        inside = source.data[self.node.start_byte + 1 : self.node.end_byte].split(b"\n")[0].strip()
        if (first == last or inside) if braced else first == self.header:
            shared = "its braces" if braced else "its head"
            raise self.source.refused(
                f"the body of {self.said} shares a line with {shared}; break it up first"
            )
        if anchor is not None:
            start, stop = own_rows(source, self.beside(anchor))
            return (source.syntax.comments_above(start) if where == "before" else stop), source.indent(start)
        if not statements:
            return last, source.indent(self.header) + source.unit
        indent = source.indent(statements[0].start_point.row)
        if where == "last":
            return own_rows(source, statements[-1])[1], indent
        if is_string(statements[0]):  # a docstring, or a directive such as "use strict"
            return source.syntax.rows(statements[0])[1], indent
        return source.syntax.comments_above(own_rows(source, statements[0])[0]), indent


def block_of(source: Source, function: str | None) -> StatementBlock:
    """The body of a function or class; that of the file for None. Raises TargetUnresolved."""
    if function is None:
        return StatementBlock(source, source.syntax.root, -1, "the file")
    node, definition = resolve_definition(source, function, into=True)
    body = body_of(source, node)
    if body is None:
        raise source.refused(f"`{definition.dotted}` has no body; name a function that has one")
    return StatementBlock(source, body, definition.header, f"`{definition.dotted}`")


def is_string(statement: Node) -> bool:
    """Whether a statement is a string alone, as a docstring is."""
    return statement.type == "expression_statement" and expression_of(statement).type == "string"
