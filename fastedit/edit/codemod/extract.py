"""``extract `f(x)` into a variable `y` ``: an expression that gets a name above the statement that it stands in."""

from __future__ import annotations

import re

from tree_sitter import Node

from fastedit.edit.codemod.condition import BLOCKS
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import whole_word
from fastedit.edit.outline import indentation

_DECLARED = {
    "python": "{} = {}",
    "javascript": "const {} = {};",
    "typescript": "const {} = {};",
    "tsx": "const {} = {};",
    "go": "{} := {}",
    "rust": "let {} = {};",
    "java": "var {} = {};",
    "cpp": "auto {} = {};",
}
# Where only a literal may stand, or what is written is no expression.
_FIXED = re.compile(
    r"import|export|jsx|literal_type|token_tree|macro|array_declarator|concatenated|preproc|decorator|annotation|pattern"
)
# Where it is evaluated later, several times, or perhaps not at all.
_LAZY = re.compile(
    r"lambda|comprehension|generator|arrow_function|function|closure|conditional|ternary|boolean_operator|func_literal"
)
_NAMES = re.compile(r"identifier|\w*_identifier|name|none|true|false|null|nil")


_LITERAL = re.compile(r"-?\d|[\"'][^{}]*\Z")


def extracted(source: Source, text: str, name: str) -> Codemod | None:
    """None where the text is no expression of its own, stands in several places or has no statement on its line."""
    node = _expression(source, text)
    statement = None if node is None else _statement(node)
    if node is None or statement is None or source.language not in _DECLARED:
        return None
    row = node.start_point.row
    line = source.lines[row]
    declared = _DECLARED[source.language].format(name, text)
    # Whether statements end with a semicolon here is the file's own choice.
    if declared.endswith(";") and not line.rstrip().endswith(";"):
        return None
    above = indentation(line) + declared
    used = source.spliced(row, node.start_point.column, node.end_point.column, name)
    return Codemod((Hunk(row, row + 1, (above, used)),), tuple(_doubts(node, statement)))


def _expression(source: Source, text: str) -> Node | None:
    """The expression that is this text, which stands nowhere else."""
    pattern = whole_word(text)
    rows = range(source.scope.start, source.scope.stop)
    found = [(n, m) for n in rows if text in source.lines[n] for m in pattern.finditer(source.lines[n])]
    if source.syntax is None or len(found) != 1:
        return None
    row, match = found[0]
    start = len(source.lines[row][: match.start()].encode())
    stop = start + len(text.encode())
    node = source.syntax.root.named_descendant_for_point_range((row, start), (row, stop))
    if node is None or node.start_point != (row, start) or node.end_point != (row, stop):
        return None
    return None if _NAMES.fullmatch(node.type) or (_is_key(node) and source.language != "python") else node


def _is_key(node: Node) -> bool:
    above = node.parent
    return above is None or (above.type == "pair" and above.child_by_field_name("key") == node)


def _statement(node: Node) -> Node | None:
    """The statement on one line that has the expression as a part of it."""
    row, inner, above = node.start_point.row, node, node.parent
    while above is not None and above.type not in BLOCKS:
        if _FIXED.search(above.type):
            return None
        inner, above = above, above.parent
    whole = inner == node or inner.named_children[0] == node
    alone = inner.start_point.row == row == inner.end_point.row
    return None if above is None or whole or not alone else inner


def _doubts(node: Node, statement: Node) -> list[str]:
    block = statement.parent
    if block is not None and block.parent is not None and block.parent.type == "class_definition":
        return ["it would be an attribute of the class"]
    above = None if _LITERAL.match((node.text or b"").decode()) else node.parent
    while above is not None and above != statement:
        if _LAZY.search(above.type):
            return ["it may be evaluated at another time"]
        above = above.parent
    return []
