"""Hashline edits whose anchors have a hash of two letters: `+ 12pg`, `= 12pg..14th` and rows of `~text`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fastedit.formats.base import FileOperation, Hunk, Modify, unreadable
from fastedit.formats.hashline_anchor import NAME, read_anchor
from fastedit.formats.hashline_span import append, coalesced, insert, replace
from fastedit.formats.hashline_text import (
    Grammar,
    Statement,
    path_above,
    rows,
    sections,
    statements,
    without_rows,
)

_HEADER = re.compile(r"(?:@@ |@|§) *(\S.*)")
_ANCHOR = r"[1-9]\d*(?:[a-z]{2})?"
_OPERATION = re.compile(
    rf"(?:(?P<insert>[+<]) ?(?P<at>{_ANCHOR}|BOF|EOF)"
    rf"|(?P<change>[-=]) ?(?P<first>{_ANCHOR})(?:\.\.(?P<last>{_ANCHOR}))?)\s*"
)
_HASHED = re.compile(r"(?:\d[a-z]{2}|[BE]OF)\s*$")


def segments(lines: Sequence[str]) -> list[range]:
    def begins(index: int) -> bool:
        header = _HEADER.fullmatch(lines[index])
        if header is None and not _OPERATION.fullmatch(lines[index]):
            return False
        below = next((lines[at] for at in range(index + 1, len(lines)) if lines[at].strip()), "")
        first = below if header else lines[index]
        operation = _OPERATION.fullmatch(first)
        if operation is None or not _HASHED.search(first):
            return False
        return header is not None or operation["last"] is not None or below.startswith("~")

    return sections(lines, _GRAMMAR, begins)


def read(lines: Sequence[str]) -> tuple[FileOperation, ...]:
    hunks: dict[str | None, list[tuple[int, Hunk]]] = {}
    path = path_above(lines)
    number = 0
    found, _ = statements(lines, _GRAMMAR)
    for statement in found:
        if operation := _OPERATION.fullmatch(statement.text):
            number += 1
            hunks.setdefault(path, []).append((number, _hunk(operation, statement, number)))
            continue
        header = _HEADER.fullmatch(statement.text)
        if header is None or statement.below:
            wrong = statement.below[0] if header else statement.text
            way_out = "write + or < with one anchor, - or = with a range"
            raise unreadable(NAME, None, f"{wrong[:40]!r} is no operation", way_out)
        path = header[1]
    return tuple(Modify(target, coalesced(each)) for target, each in hunks.items())


def _hunk(operation: re.Match[str], statement: Statement, number: int) -> Hunk:
    new = [] if operation["change"] == "-" else rows(statement, "~", number, bare=False)
    if operation["insert"]:
        return _insertion(operation["insert"] == "<", operation["at"], new, number)
    if operation["change"] == "-":
        without_rows(statement, number, "use = to replace lines")
    first = read_anchor(operation["first"], number)
    last = read_anchor(operation["last"] or operation["first"], number)
    tags = (first.tag, last.tag)
    return replace(first.line, last.line, new, tags, number, delete=operation["change"] == "-")


def _insertion(before: bool, at: str, new: Sequence[str], number: int) -> Hunk:
    if at == "EOF":
        return append(new, number)
    if at == "BOF":
        return insert(0, new, (), number)
    anchor = read_anchor(at, number)
    return insert(anchor.line - 1 if before else anchor.line, new, (anchor.tag,), number)


_GRAMMAR = Grammar(
    is_header=lambda line: _HEADER.fullmatch(line) is not None,
    is_operation=lambda line: _OPERATION.fullmatch(line) is not None,
    marks="~",
)
