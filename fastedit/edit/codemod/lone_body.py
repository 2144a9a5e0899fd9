"""Statements that are a whole body without braces: what joins them, or takes them away, tears the body apart."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from fastedit.edit.codemod.source import Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indent_width

_LANGUAGES = frozenset({"c", "cpp", "java", "javascript", "typescript", "tsx"})
_BLOCKS = frozenset({"compound_statement", "block", "statement_block", "else_clause", "if_statement"})
_FIELDS = ("body", "consequence", "alternative")
_COMMENTS = ("//", "/*")


def torn_bodies(source: Source, hunks: Sequence[Hunk]) -> tuple[str, ...]:
    """A reason where a hunk leaves such a body empty, or puts more statements where it stands."""
    if source.language not in _LANGUAGES:
        return ()
    torn = any(_takes(source, hunk) if hunk.start < hunk.stop else _joins(source, hunk) for hunk in hunks)
    return ("a body without braces is one statement",) if torn else ()


def _lone(source: Source, row: int) -> Node | None:
    """The statement that begins there and is all of a body, where that begins on a line above."""
    node = source.syntax.at(row) if source.syntax is not None else None
    while node is not None and node.parent is not None and node.parent.start_point == node.start_point:
        node = node.parent
    above = None if node is None else node.parent
    if node is None or above is None or node.type in _BLOCKS or above.start_point.row == row:
        return None
    is_body = above.type == "else_clause" or any(above.child_by_field_name(f) == node for f in _FIELDS)
    return node if is_body and node.type.endswith("statement") else None


def _statements(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip() and not line.lstrip().startswith(_COMMENTS)]


def _takes(source: Source, hunk: Hunk) -> bool:
    lone = _lone(source, hunk.start)
    if lone is None:
        return False
    put, old = _statements(hunk.lines), source.lines[hunk.start : hunk.stop]
    width = indent_width(source.lines[hunk.start])
    more = [line for line in put[1:] if indent_width(line) <= width and not line.lstrip().startswith("}")]
    return not put or (len(more) > 0 and len(put) > len(old))


def _joins(source: Source, hunk: Hunk) -> bool:
    put = _statements(hunk.lines)
    if not put:
        return False
    if hunk.start < len(source.lines) and _lone(source, hunk.start) is not None:
        return True
    for row in range(hunk.start - 1, -1, -1):
        lone = _lone(source, row)
        if lone is not None and lone.end_point.row == hunk.start - 1:
            return indent_width(put[0]) >= indent_width(source.lines[row])
        if indent_width(source.lines[row]) < indent_width(put[0]):
            return False
    return False
