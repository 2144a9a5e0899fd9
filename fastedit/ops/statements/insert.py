"""Inserts, removes and wraps statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tree_sitter import Node

from fastedit.ops.base import FUNCTION, STATEMENT, WITHIN, Operation, Outcome, option
from fastedit.ops.definitions.delete import still_used
from fastedit.ops.names.meanings import check_meanings
from fastedit.ops.names.variables import binds
from fastedit.ops.source import Source
from fastedit.ops.structure.anchors import BARE, BRACED, DECLARING, is_bare, statement_on
from fastedit.ops.structure.blocks import StatementBlock, block_of
from fastedit.ops.structure.layout import cleared, deeper, reindented
from fastedit.ops.structure.leaving import AWAITING, LOOPS, PASSING, RETURNING, SWITCHES, YIELDING, leaves
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


class Wrap(Operation, needs="has_scopes", example="settings.py 'with lock:' 'check(path)' load"):
    """Put a statement, or those from one to another, into a try, with, if or loop."""

    code: str = option("the code around them, with a line `...` where they go unless that is its end")
    anchor: str = option(STATEMENT)
    function: str | None = option(WITHIN, None)
    last: str | None = option("the first line of the last statement that goes in, or @LINE", None)

    def carry_out(self, source: Source) -> Outcome:
        block = block_of(source, self.function)
        start, stop = block.between(self.anchor, self.last, bare=True)
        first = block.beside(self.anchor)
        around = first.parent
        if around is None or source.kind(around) in DECLARING:
            raise source.refused(f"what {block.said} declares there are not statements")
        inside = [node for node in around.named_children if start <= node.start_point.row < stop]
        indent = source.indent(start)
        made = reindented(source, self._whole(source), indent)
        mark = next(row for row, line in enumerate(made) if line.strip() == "...")
        step = made[mark].rstrip().removesuffix("...")[len(indent) :]
        if mark and made[mark - 1].endswith("{"):
            step = step or source.unit
        made[mark : mark + 1] = deeper(source, start, stop, step)
        hunk = Hunk(start, stop, tuple(made))
        self._check_form(source, hunk, first, range(start, start + mark))
        _check_left(source, hunk, start + mark, inside)
        if _is_result(source, block, inside[-1]):
            _check_returned(source, block, hunk, inside[-1])
        check_meanings(source, hunk, range(start, stop), start + mark)
        return Outcome((hunk,))

    def _check_form(self, source: Source, hunk: Hunk, first: Node, above: range) -> None:
        """Raises OperationRefused where the code is no statement of the language, or not one alone where one can be."""
        new = source.changed((hunk,))
        made = range(hunk.start, hunk.start + len(hunk.lines))
        head = self.code.strip().split("\n")[0]
        words, variables = source.language.definitions, source.language.bindings
        defining = [kind for kind in words if words[kind] in ("function", "class") and kind not in variables]
        for node in new.syntax.nodes([*defining, *source.language.scopes.functions]):
            opens = any(node.child_by_field_name(each) is not None for each in ("name", "parameters"))
            below = new.data[node.end_byte : new.start(made.stop)]  # which may call it
            if opens and node.start_point.row in above and not below.strip(b"; \t\n"):
                raise source.refused(f"`{head}` would not run what stands in it; write a statement that does")
        # To C, any word before a block is the type of a function's result.
        for node in () if source.language.is_indented else new.syntax.nodes(["function_definition"]):
            declarator = node.child_by_field_name("declarator")
            named = declarator is not None and declarator.type in ("identifier", "parenthesized_declarator")
            if named and node.start_point.row in made:
                raise source.refused(
                    f"`{head}` is not a statement of {source.language.name}; write it as that has it"
                )
        if is_bare(source, first):
            whole = statement_on(new, made.start, new.syntax.root)
            if whole is not None and range(*new.syntax.rows(whole)) != made:
                raise source.refused(f"`{self.anchor}` {BARE}, and this is not one statement; {BRACED}")

    def _whole(self, source: Source) -> str:
        """The code with the line for the statements. Raises OperationRefused where that is not told."""
        code = self.code.rstrip()
        marks = sum(line.strip() == "..." for line in code.split("\n"))
        if marks == 0 and source.language.is_indented and code.endswith(":"):
            return f"{code}\n    ..."
        if marks == 0 and not source.language.is_indented and not code.endswith(":"):
            return f"{code.removesuffix('{').rstrip()} {{\n    ...\n}}".lstrip()
        if marks != 1:
            raise source.refused("give `code` one line `...`, where the statements go")
        return code


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


def _check_returned(source: Source, block: StatementBlock, hunk: Hunk, result: Node) -> None:
    """Raises OperationRefused where the result of a function stands in an if without an else, or in a loop."""
    new = source.changed((hunk,)).syntax.at(hunk.start)
    alone = new is not None and new.type == "if_expression" and new.child_by_field_name("alternative") is None
    if alone or (new is not None and LOOPS.fullmatch(new.type)):
        line = source.number(result.start_point.row)
        raise source.refused(f"line {line} is what {block.said} returns, and would not be in every case")


def _check_left(source: Source, hunk: Hunk, row: int, kept: list[Node]) -> None:
    """Raises OperationRefused where the statements that are kept, from line `row` of the new text on, leave a loop or a
    function, and would leave a new one around them in its place."""
    new = source.changed((hunk,))
    node, left = new.syntax.at(row), frozenset[str]()
    while node is not None and node.start_point.row >= hunk.start:
        if node.start_point.row < row and (LOOPS.fullmatch(node.type) or SWITCHES.fullmatch(node.type)):
            left |= PASSING
        if node.start_point.row < row and node.type in source.language.scopes.functions:
            awaits = new.text(node).startswith("async")
            left |= PASSING | RETURNING | YIELDING | (frozenset() if awaits else AWAITING)
        node = node.parent
    for leaving in (leaving for node in kept for leaving in _leaving(source, node, left)):
        number, word = source.number(leaving.start_point.row), source.text(leaving).split()[0].rstrip(";")
        raise source.refused(
            f"`{word}` on line {number} would belong to the new code around it; take it out first"
        )


def _leaving(source: Source, node: Node, wanted: frozenset[str]) -> Iterator[Node]:
    """The nodes of these kinds that are about what stands around a node."""
    # Some grammars read these words as names.
    if source.kind(node) in wanted or (wanted >= PASSING and source.text(node) in ("break", "continue")):
        yield node
    inner = wanted - PASSING if LOOPS.fullmatch(node.type) else wanted
    for child in node.named_children if node.type not in source.language.scopes.functions else ():
        yield from _leaving(source, child, inner)
