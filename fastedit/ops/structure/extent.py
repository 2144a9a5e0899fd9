"""Where the code of a file begins and ends: within its tags, an include guard and above data."""

from __future__ import annotations

import re
from itertools import takewhile

from tree_sitter import Node

from fastedit.ops.source import Source
from fastedit.ops.structure.anchors import GUARDED
from fastedit.ops.structure.layout import below_head
from fastedit.source.preprocessor import CONDITION, unmatched

_GUARD = re.compile(r"\s*#\s*if(?:ndef\b|\s*!\s*defined\b)\W*(\w+).*\n\s*#\s*define\s+\1\b")


def guarded(source: Source) -> range | None:
    """The lines of a header from what keeps it from being read twice, with the `#define` right below, to its end."""
    if not source.language.conditional_lines:
        return None
    lines = source.lines
    first = next((row for row, line in enumerate(lines) if CONDITION.match(line)), len(lines))
    last = next((row for row in range(len(lines) - 1, first, -1) if _is_code(source, row)), first)
    found = _GUARD.match("\n".join(lines[first : first + 2])) and unmatched(lines[last : last + 1]) == [
        "endif"
    ]
    return range(first, last + 1) if found else None


def holder(source: Source) -> Node:
    """What holds the definitions of the file."""
    root, guard = source.syntax.root, guarded(source)
    inside = (node for node in root.named_children if node.type in GUARDED)
    return next((node for node in inside if guard and source.rows(node) == (guard.start, guard.stop)), root)


def first_row(source: Source) -> int:
    """The line before which the first definition of the file can stand."""
    guard, heads = guarded(source), source.language.heads
    if guard is None:
        return below_head(source, heads)
    inside = (node for node in holder(source).named_children if node.start_point.row >= guard.start + 2)
    found = [*takewhile(lambda node: node.type in heads, inside)]
    return source.rows(found[-1])[1] if found else guard.start + 2


def last_row(source: Source) -> int:
    """The line before which the last definition of the file can stand. Raises OperationRefused where it holds code."""
    guard, language = guarded(source), source.language
    if guard is not None:
        return guard.stop - 1
    data = language.data_below
    if data is not None:
        rows = (row for row, line in enumerate(source.lines) if data.match(line))
        below = next((row for row in rows if row not in source.syntax.strings), None)
        if below is not None:
            return below
    last = source.syntax.root.children[-1] if source.syntax.root.children else None
    if last is None or last.type not in language.beside_code or last.children[-1].type in language.heads:
        return len(source.lines)
    if source.beside(last)[0]:
        raise source.refused(
            f"the code ends within line {source.number(last.start_point.row)}; break it up first"
        )
    return last.start_point.row


def _is_code(source: Source, row: int) -> bool:
    return bool(source.lines[row].strip()) and not source.syntax.in_comment(row)
