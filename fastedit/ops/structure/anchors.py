"""Lines and statements that an operation names by their text, or by @LINE."""

from __future__ import annotations

import re

from tree_sitter import Node

from fastedit.ops.names.resolve import only, place, resolve_definition
from fastedit.ops.source import Source, outwards
from fastedit.source.languages.scopes import kinds

BLOCKS = kinds(
    "block statement_block statement_list compound_statement constructor_body declaration_list class_body "
    "interface_body enum_body field_declaration_list switch_block switch_body module program source_file "
    "translation_unit"
)
# Hold statements after a value or a condition, without braces of their own.
CASES = kinds(
    "case_statement switch_case switch_default switch_block_statement_group switch_section case_clause "
    "when rescue ensure"
)
DECLARING = kinds(
    "class_body interface_body enum_body declaration_list field_declaration_list enum_variant_list"
)
GUARDED = kinds("preproc_if preproc_ifdef preproc_elif preproc_else")
_LINE = re.compile(r"@([0-9]{1,9})")
_BARE = re.compile(r".*_statement|.*_loop|else_clause")  # what may hold one statement without braces
BARE, BRACED = "is a body without braces", "wrap it in `{` first"
_BODIES = ("body", "consequence", "alternative")


def rows_of(source: Source, target: str | None, anchor: str | None) -> range:
    """The lines of a definition, or of the file; those from the anchor on where one is given."""
    rows = range(len(source.lines))
    where = "the file"
    if target is not None:
        _, definition = resolve_definition(source, target)
        rows, where = range(definition.start, definition.stop), f"`{definition.dotted}`"
    if anchor is None:
        return rows
    found = lines_at(source, anchor, rows)
    return range(_one_row(source, anchor, where, found), rows.stop)


def lines_at(source: Source, anchor: str, rows: range) -> list[int]:
    """The lines among `rows` that an anchor names: with their comments, or else without."""
    wanted = anchor.strip()
    if line := _LINE.fullmatch(wanted):
        row = source.row_of(int(line[1]) - 1)
        return [row] if row is not None and row in rows else []
    exact = [row for row in rows if source.lines[row].strip() == wanted]
    begun = [row for row in rows if not exact and source.lines[row].lstrip().startswith(wanted)]
    return exact or [row for row in begun if source.code(row) == wanted]


def statement_at(source: Source, anchor: str, block: Node, where: str) -> Node:
    """The one statement of a block, however deep in it, that begins on the anchor's line. Raises TargetUnresolved."""
    rows = range(block.start_point.row, min(block.end_point.row + 1, len(source.lines)))
    found = lines_at(source, anchor, rows)
    statements = [node for row in found if (node := statement_on(source, row, block)) is not None]
    row = _one_row(source, anchor, where, [node.start_point.row for node in statements])
    return next(node for node in statements if node.start_point.row == row)


def own_rows(source: Source, statement: Node, bare: bool = False) -> tuple[int, int]:
    """The lines [start, stop) of a statement, with what is attached above it.

    Raises OperationRefused where it shares them with another, or unless `bare` where it is a whole body without braces.
    """
    if not bare and is_bare(source, statement):
        line = source.number(statement.start_point.row)
        raise source.refused(f"line {line} {BARE}; {BRACED}")
    source.check_alone(statement)
    return source.rows(statement)


def expression_of(statement: Node) -> Node:
    """The expression that is all of a statement, else the statement."""
    inner = statement.named_children if statement.type == "expression_statement" else []
    return inner[0] if inner else statement


def is_bare(source: Source, node: Node) -> bool:
    """Whether a statement is all of the body of an if, an else, a loop or a label, without braces."""
    around = node.parent
    if around is None or not _BARE.fullmatch(around.type) or source.kind(node) in BLOCKS:
        return False
    if around.type in ("else_clause", "labeled_statement"):
        return node == around.named_children[-1] and node.type.endswith("statement")
    return any(node in around.children_by_field_name(field) for field in _BODIES) and not is_clause(node)


def is_clause(node: Node) -> bool:
    return node.type.endswith(("_clause", "_label"))


def statement_on(source: Source, row: int, block: Node) -> Node | None:
    """The statement of a block, however deep in it, that begins on a line."""
    for node in outwards(source.syntax.at(row)):
        around = node.parent
        if around is None:
            return None
        found = around == block or source.kind(around) in BLOCKS or is_bare(source, node)
        if around.type in CASES | GUARDED:
            fields = ("value", "guard", "name", "condition", "alternative")
            found = not is_clause(node) and not any(node == around.child_by_field_name(f) for f in fields)
        if found:
            return node if node.start_point.row == row and "comment" not in node.type else None
    return None


def _one_row(source: Source, anchor: str, where: str, rows: list[int]) -> int:
    """The one line that an anchor names in the function or file `where`. Raises TargetUnresolved."""
    none = f"is no statement of {where}; give its first line, or @LINE"
    said = f"{source.operation}: {anchor.strip()}"
    way_out = f"in {where}, so say which, such as @{source.number(rows[0])}" if rows else ""
    return only(source, said, rows, lambda row: place(source, row, "here"), way_out=way_out, none=none)
