"""Inserts and removes statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tree_sitter import Node

from fastedit.ops.base import FUNCTION, STATEMENT, WITHIN, Operation, Outcome, option
from fastedit.ops.definitions.delete import still_used
from fastedit.ops.names.variables import binds
from fastedit.ops.source import Source
from fastedit.ops.structure.blocks import StatementBlock, block_of
from fastedit.ops.structure.layout import cleared, reindented
from fastedit.ops.structure.leaving import leaves
from fastedit.source.hunks import Hunk


class Insert(Operation, example="settings.py load 'check(path)' first"):
    """Insert statements at the start or end of a function, or before or after one of its statements."""

    function: str = option(FUNCTION)
    code: str = option("the statements; they are indented to fit")
    where: Literal["first", "last", "before", "after"] = option(
        "at the start (after a docstring), at the end, or by the statement `anchor`", "last"
    )
    anchor: str | None = option(STATEMENT, None)

    def carry_out(self, source: Source) -> Outcome:
        if (self.where in ("before", "after")) != (self.anchor is not None):
            raise source.refused(
                "`anchor` goes with `before` and `after`, and only with these; give both or none"
            )
        block = block_of(source, self.function)
        row, indent = block.place(self.where, self.anchor)
        above = block.statements[-1:] if self.where == "last" else []
        notes = list[str]()
        for statement in [block.beside(self.anchor)] if self.where == "after" and self.anchor else above:
            notes += _reached(source, block, statement, named=self.anchor is not None)
        return Outcome((Hunk(row, row, tuple(reindented(source, self.code, indent))),), tuple(notes))


class RemoveStatement(Operation, example="settings.py 'check(path)' load"):
    """Remove a statement, or those from one to another, with their lines."""

    anchor: str = option(STATEMENT)
    function: str | None = option(WITHIN, None)
    last: str | None = option("the first line of the last statement that goes, or @LINE", None)

    def carry_out(self, source: Source) -> Outcome:
        block = block_of(source, self.function)
        start, stop = block.between(self.anchor, self.last)
        left = tuple(still_used(source, "", range(start, stop)))
        return Outcome((cleared(source, block.at(self.anchor), start, stop),), (), left)


def _reached(source: Source, block: StatementBlock, above: Node, named: bool) -> Iterator[str]:
    """A note where a statement that is `named` lets what stands below be run only by swallowing an error.

    Raises OperationRefused where nothing below it is run, or it is what a function of Rust's returns.
    """
    line = source.number(above.start_point.row)
    if leaves(source, above, swallowing=named) or _is_result(source, block, above):
        raise source.refused(f"line {line} ends what {block.said} runs there; insert before it")
    if leaves(source, above):
        yield f"what follows line {line} is run only where its `with` swallows an error"


def _is_result(source: Source, block: StatementBlock, statement: Node) -> bool:
    """Whether a statement is what a function of Rust's returns, or is there for nothing else in one of Ruby's."""
    head, text = block.node.parent, source.text(statement)
    if head is None or statement != block.statements[-1]:
        return False
    if source.language.acting:
        is_function = source.language.definitions.get(head.type, "").endswith("method")
        return is_function and not _acts(source, head, statement)
    typed = source.language.semicolons == "required" and head.child_by_field_name("return_type") is not None
    return typed and not text.endswith(";") and not statement.type.endswith(("_item", "_definition"))


def _acts(source: Source, function: Node, node: Node) -> bool:
    """Whether code may do something beside having a value. A name that no variable of the function has is a call."""
    if node.type == "identifier":
        return not any(
            function.start_byte <= each.start_byte < node.start_byte and binds(each)
            for each in source.syntax.identifier_nodes(source.text(node))
        )
    acting = source.language.acting
    return node.type in acting or any(_acts(source, function, child) for child in node.children)
