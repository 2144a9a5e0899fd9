"""Inserts, removes, wraps and unwraps statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tree_sitter import Node

from fastedit.ops.anchors import check_anchor
from fastedit.ops.base import FUNCTION, STATEMENT, WITHIN, Operation, Outcome, option
from fastedit.ops.blocks import Block, block_of, is_block
from fastedit.ops.layout import cleared, deeper, reindented
from fastedit.ops.names.names import Lexicon, by_functions
from fastedit.ops.references import symbol_of
from fastedit.ops.source import Source
from fastedit.ops.variables import Variable, variables
from fastedit.source.hunks import Hunk

_LEAVING = frozenset({"return_statement", "raise_statement", "throw_statement", "return_expression"})
_PASSING = _LEAVING | {"break_statement", "continue_statement", "break_expression", "continue_expression"}
_LOOPS = ("for_", "foreach_", "while_", "loop_", "do_", "enhanced_for_")
_LOOP_HEAD = re.compile(r"^\s*(?:async\s+)?(?:for|foreach|while|loop|do|switch)\b", re.MULTILINE)
_DECLARING = ("field_declaration_list", "declaration_list", "class_body", "interface_body", "enum_body")


@dataclass(frozen=True)
class Insert(Operation, example="settings.py load 'check(path)' first"):
    """Insert statements at the start or end of a function, or before or after one of its statements."""

    function: str = option(FUNCTION)
    code: str = option("the statements; they are indented to fit")
    where: Literal["first", "last", "before", "after"] = option(
        "at the start (behind a docstring), at the end, or by the statement `anchor`", "last"
    )
    anchor: str | None = option(STATEMENT, None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_anchor(self.name, self.where, self.anchor)

    def carry_out(self, source: Source) -> Outcome:
        block = block_of(source, self.function)
        row, indent = block.place(self.where, self.anchor)
        notes: tuple[str, ...] = ()
        statements = block.statements
        if self.where == "last" and statements and _leaves(statements[-1], _LEAVING):
            line = source.number(statements[-1].start_point.row)
            notes = (f"line {line} leaves {block.said}, so what follows it is never reached",)
        return Outcome((Hunk(row, row, tuple(reindented(self.code, indent, source.unit))),), notes)


@dataclass(frozen=True)
class RemoveStatement(Operation, example="settings.py 'check(path)' load"):
    """Remove a statement, or those from one to another, with their lines."""

    anchor: str = option(STATEMENT)
    function: str | None = option(WITHIN, None)
    last: str | None = option("the first line of the last statement that goes, or @LINE", None)

    def carry_out(self, source: Source) -> Outcome:
        block = block_of(source, self.function)
        start, stop = block.between(self.anchor, self.last)
        return Outcome((cleared(source, block.at(self.anchor), start, stop),))


@dataclass(frozen=True)
class Wrap(Operation, example="settings.py 'with lock:' 'check(path)' load"):
    """Put a statement, or those from one to another, into a try, with, if or loop."""

    code: str = option("the code around them, with a line `...` where they go unless that is its end")
    anchor: str = option(STATEMENT)
    function: str | None = option(WITHIN, None)
    last: str | None = option("the first line of the last statement that goes in, or @LINE", None)

    def carry_out(self, source: Source) -> Outcome:
        block = block_of(source, self.function)
        start, stop = block.between(self.anchor, self.last)
        around = block.at(self.anchor).parent
        if around is None or source.kind(around) in _DECLARING:
            raise source.refused(f"what {block.said} declares there are no statements")
        inside = (node for node in around.named_children if start <= node.start_point.row < stop)
        leaving = next((left for node in inside for left in _leaving(node)), None)
        if leaving is not None and _LOOP_HEAD.search(self.code):
            number = source.number(leaving.start_point.row)
            raise source.refused(f"line {number} would leave the new loop; take that out first")
        _check_seen_outside(source, start, stop)
        indent = source.indent(start)
        made: list[str] = []
        for line in reindented(self._whole(source), indent, source.unit):
            step = line[: len(line) - 3] if line.strip() == "..." else None
            made += [line] if step is None else deeper(source, start, stop, step[len(indent) :])
        return Outcome((Hunk(start, stop, tuple(made)),))

    def _whole(self, source: Source) -> str:
        """The code with the line for the statements. Raises OperationRefused where that is not told."""
        code = self.code.rstrip()
        marks = sum(line.strip() == "..." for line in code.split("\n"))
        if marks == 0 and source.language.is_indented and code.endswith(":"):
            return f"{code}\n    ..."
        if marks == 0 and not source.language.is_indented:
            return f"{code.removesuffix('{').rstrip()} {{\n    ...\n}}"
        if marks != 1:
            raise source.refused("give `code` one line `...`, where the statements go")
        return code


@dataclass(frozen=True)
class Unwrap(Operation, example="settings.py 'with lock:' load"):
    """Put what a statement such as if or with has in its block in place of it, or an else behind an if that leaves."""

    anchor: str = option(STATEMENT)
    function: str | None = option(WITHIN, None)
    branch: Literal["body", "else"] = option(
        "the block: that of the statement, or of its else, whose statements then follow it", "body"
    )

    def carry_out(self, source: Source) -> Outcome:
        found = block_of(source, self.function).at(self.anchor)
        node = found.named_children[0] if found.type == "expression_statement" else found
        return self._without_else(source, node) if self.branch == "else" else self._body(source, node)

    def _body(self, source: Source, node: Node) -> Outcome:
        blocks = [child for child in node.children if is_block(child)]
        clauses = [child for child in node.named_children if child.type.endswith(("_clause", "handler"))]
        others = [child for child in clauses if child.type not in ("with_clause", "condition_clause")]
        defines = node.child_by_field_name("name") is not None
        if len(blocks) != 1 or others or defines or node.start_point.row == blocks[0].end_point.row:
            raise source.refused("the statement has no one block of lines of its own; edit it by hand")
        self._check_needs(source, node, blocks[0])
        return Outcome((Hunk(*source.syntax.rows(node), tuple(_lifted(source, blocks[0], node))),))

    def _without_else(self, source: Source, node: Node) -> Outcome:
        body, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        if body is None or other is None:
            raise source.refused("the statement has no else")
        statements = Block(source, body, 0, "").statements
        if not statements or not _leaves(statements[-1], _PASSING):
            raise source.refused("the if does not leave by a return, so its else cannot go")
        indent, start, stop = (
            source.indent(node.start_point.row),
            other.start_point.row,
            source.syntax.rows(node)[1],
        )
        head = source.data[source.start(start) : other.start_byte].decode().rstrip()
        head = head.removesuffix("else").rstrip()
        inner = other if is_block(other) or other.type == "elif_clause" else other.named_children[-1]
        if is_block(inner):
            lines = _lifted(source, inner, node)
        else:
            text = source.data[inner.start_byte : source.start(stop)].decode().rstrip("\n")
            lines = (indent + text.removeprefix("el")).split("\n")
        return Outcome((Hunk(start, stop, (*([head] if head.strip() else []), *lines)),))

    def _check_needs(self, source: Source, node: Node, body: Node) -> None:
        """Raises OperationRefused where the block uses what its head binds, or leaves the loop that it is."""
        lexicon = Lexicon(source)
        pending = [child for child in node.children if child != body]
        while pending:
            head = pending.pop()
            pending += head.children
            if head.type != "identifier":
                continue
            site = lexicon.names(source.text(head)).at(head.start_byte)
            uses = lexicon.names(source.text(head)).sites
            if (
                site is not None
                and site.binds
                and any(body.start_byte <= s.start < body.end_byte for s in uses)
            ):
                raise source.refused(f"the block uses `{source.text(head)}`, which its head binds")
        known = _declared(source)
        inside = {v.path for v in known if body.start_byte <= v.node.start_byte < body.end_byte}
        outside = [
            v for v in known if not body.start_byte <= v.node.start_byte < body.end_byte and v.path in inside
        ]
        if outside:
            line = source.number(outside[0].node.start_point.row)
            raise source.refused(f"`{outside[0].path[-1]}` is declared on line {line} too")
        if node.type.startswith(_LOOPS) and (leaving := next(_leaving(body), None)) is not None:
            line = source.number(leaving.start_point.row)
            raise source.refused(f"line {line} leaves the loop; take that out first")


def _leaving(node: Node) -> Iterator[Node]:
    """What leaves the loop around a node, or goes on with it."""
    if node.type in _PASSING - _LEAVING:
        yield node
    if not node.type.startswith(_LOOPS) and node.child_by_field_name("parameters") is None:
        for child in node.named_children:
            yield from _leaving(child)


def _lifted(source: Source, block: Node, node: Node) -> list[str]:
    """The lines of a block, as deep as the statement that it is taken out of."""
    braced = source.text(block)[:1] == "{"
    start = block.start_point.row + braced
    stop = block.end_point.row if braced else source.syntax.rows(block)[1]
    steps = len(source.indent(start)) - len(source.indent(node.start_point.row))
    return deeper(source, start, stop, "", steps)


def _leaves(statement: Node, kinds: frozenset[str]) -> bool:
    inner = (
        statement.named_children[0]
        if statement.type == "expression_statement" and statement.named_children
        else statement
    )
    return inner.type in kinds


def _check_seen_outside(source: Source, start: int, stop: int) -> None:
    """Raises OperationRefused where what the lines declare would no longer be seen by what follows them."""
    lexicon = Lexicon(source)
    for variable in _declared(source):
        inside = start <= variable.node.start_point.row < stop
        symbol = symbol_of(lexicon, variable.name) if inside else None
        later = (
            [site for site in symbol.sites if source.row(site.start) >= stop] if symbol is not None else []
        )
        if later:
            line = source.number(source.row(later[0].start))
            raise source.refused(
                f"line {line} uses `{variable.path[-1]}`, which is declared in what is wrapped"
            )


def _declared(source: Source) -> list[Variable]:
    """The variables that only a block sees in which they are declared, as none of Python's are."""
    found = [] if by_functions(source) else variables(source)
    wide = ("variable_declaration", "expression_statement")
    return [variable for variable in found if variable.is_statement and variable.statement.type not in wide]
