"""The operators of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import whole_word
from fastedit.edit.request import LineRange

_KINDS = (
    frozenset("== != === !== < > <= >=".split()),  # noqa: SIM905
    frozenset({"is", "is not", "in", "not in"}),
    frozenset({"and", "or", "&&", "||"}),
    frozenset("+ - * / % // **".split()),  # noqa: SIM905
    frozenset("+= -= *= /= %= //= **= &= |= ^=".split()),  # noqa: SIM905
    frozenset("& | ^ << >>".split()),  # noqa: SIM905
)
OPERATORS = frozenset[str]().union(*_KINDS)
_WORDED = frozenset({"and", "or", "is", "is not", "in", "not in", "//", "**"})
_SCRIPTED = frozenset({"===", "!=="})
_HOLDERS = re.compile(r"comparison|binary|boolean|augmented|assign|compound")


def with_operator(source: Source, row: int, old: str | None, new: str) -> Codemod | None:
    """The line with another operator: in place of `old`, or else of the one of its kind that the line has."""
    if source.syntax is None or not _spoken(new, source.language):
        return None
    found = list(_operators(source.syntax.root, row))
    fit = [node for node in found if (_text(node) == old if old else _alike(_text(node), new))]
    if old is not None and not fit:
        return _in_prose(source, row, old, new)
    if len(fit) != 1 or _text(fit[0]) == new:
        return None
    line = source.spliced(row, fit[0].start_point.column, fit[0].end_point.column, new)
    return Codemod((Hunk(row, row + 1, (line,)),))


def rows_with(source: Source, sign: str, place: LineRange) -> list[int]:
    """The lines of a place that have the operator, as often as they do."""
    root = None if source.syntax is None else source.syntax.root
    rows = range(place.start, place.stop)
    return [] if root is None else [n for n in rows for node in _operators(root, n) if _text(node) == sign]


def _alike(old: str, new: str) -> bool:
    """Whether they are of one kind, and compare as strictly as each other."""
    strict = {old, new} & _SCRIPTED and {old, new} & {"==", "!="}
    return not strict and any({old, new} <= kind for kind in _KINDS)


def _in_prose(source: Source, row: int, old: str, new: str) -> Codemod | None:
    """In comments and texts operators are text; there as well they have to stand once."""
    signs = r"[=!<>&|+\-*/%^]"
    pattern = re.compile(rf"(?<!{signs}){whole_word(old).pattern}(?!{signs})")
    line = source.lines[row]
    if len(pattern.findall(line)) != 1:
        return None
    return Codemod((Hunk(row, row + 1, (pattern.sub(lambda _: new, line),)),))


def _spoken(sign: str, language: str) -> bool:
    if language == "python":
        return sign not in {"&&", "||"} | _SCRIPTED
    return sign not in _WORDED and (sign not in _SCRIPTED or language in ("javascript", "typescript", "tsx"))


def _text(node: Node) -> str:
    return re.sub(r"\s+", " ", (node.text or b"").decode())


def _operators(node: Node, row: int) -> Iterator[Node]:
    """The signs and words between operands that stand on a line."""
    for child in node.children:
        if child.end_point.row < row:
            continue
        if child.start_point.row > row:
            return
        sign = not child.is_named and _text(child) in OPERATORS and _HOLDERS.search(node.type)
        if sign or child.type in ("is not", "not in"):
            yield child
        else:
            yield from _operators(child, row)
