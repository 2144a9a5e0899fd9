"""Hashline edits below a header with the hash of the file: `[path#F2B2]` or `¶path#F2B2`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import dropwhile, takewhile

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import Delete, FileOperation, Hunk, LineSpan, Modify, Rename, Tag, unreadable
from fastedit.formats.hashline_anchor import NAME, file_tag
from fastedit.formats.hashline_span import append, coalesced, insert, replace
from fastedit.formats.hashline_text import Grammar, Statement, rows, sections, statements, without_rows

_HEADER = re.compile(
    r"(?:\[(?:\*\*\* (?:Update|Edit) File: *)?(?P<bracketed>[^\[\]#]+)(?:#(?P<tag>[^\[\]\s]*))?\]"
    r"|¶(?P<marked>[^#]+?)(?:#(?P<marked_tag>\S*))?)\s*"
)
_LINE = r"([1-9]\d*)"
_RANGE = rf"{_LINE}(?:\s*(?:\.=|\.\.|[-–…,]|\s)\s*{_LINE})?"
_BLOCK = r"(?:SWAP|DEL|CUT|INS|PASTE|COPY)\.BLK\b.*|(?:replace|delete|insert after)[ _]block\b.*|(?:PUT|CUT)\s.*\d\*.*"
_REGISTER = rf"(?:PUT|CUT)\s.*@\w*\s*|(?:PASTE|COPY)\b.*|PUT\s+[<>]?\s*(?:\$|{_RANGE})\s*"
_OPERATIONS = {
    name: re.compile(rf"\s*(?:{pattern})\s*")
    for name, pattern in {
        "replace": rf"(?:SWAP|PUT|replace)\s+{_RANGE}\s*:",
        "delete": rf"(?:DEL|CUT|delete)\s+{_RANGE}\s*:?",
        "insert before": rf"(?:INS\.PRE|PUT\s+<|insert\s+before)\s*{_LINE}\s*:",
        "insert after": rf"(?:INS\.POST|PUT\s+>|insert\s+after)\s*{_LINE}\s*:",
        "insert at start": r"(?:INS\.HEAD|insert\s+head)\s*:",
        "insert at end": r"(?:INS\.TAIL|PUT\s+>\s*\$|insert\s+tail)\s*:",
        "around": rf"{_LINE}(?:-{_LINE})?:",
        "remove": "REM",
        "move": r"MV\s+(\S.*)",
        "block": _BLOCK,
        "register": _REGISTER,
    }.items()
}
_TO_REPLACE = "use PUT or SWAP to replace lines"


def segments(lines: Sequence[str]) -> list[range]:
    def begins(index: int) -> bool:
        header = _HEADER.fullmatch(lines[index])
        if header is None:
            return False
        below = dropwhile(lambda line: not line.strip(), (lines[at] for at in range(index + 1, len(lines))))
        touching = takewhile(lambda line: line.strip() and not _HEADER.fullmatch(line), below)
        has_tag = bool(header["tag"] or header["marked"])
        return any(_operation(line) or (has_tag and line.startswith("+")) for line in touching)

    return sections(lines, _GRAMMAR, begins)


def read(lines: Sequence[str]) -> tuple[FileOperation, ...]:
    files: dict[str, _File] = {}
    found, bounded = statements(lines, _GRAMMAR)
    file: _File | None = None
    number = 0
    for statement in found:
        header = _HEADER.fullmatch(statement.text)
        if header:
            file = _opened(files, header, statement)
            continue
        number += 1
        if file is None:
            problem = f"no header above {statement.text[:40]!r} names the file"
            raise unreadable(NAME, number, problem, "begin with [path#HASH]")
        file.add(statement, number, bare=bounded)
    return tuple(operation for each in files.values() for operation in each.operations())


@dataclass(slots=True)
class _File:
    path: str
    tag: Tag
    hunks: list[tuple[int, Hunk]] = field(default_factory=list)
    change: Delete | Rename | None = None

    def add(self, statement: Statement, number: int, *, bare: bool) -> None:
        name, places = _operation(statement.text) or ("", ())
        first = int(places[0]) if name != "move" and places and places[0] else 0
        last = int(places[1]) if len(places) > 1 and places[1] else first
        tags = (self.tag,)
        match name:
            case "replace":
                new = rows(statement, "+", number, bare=bare)
                self.hunks.append((number, replace(first, last, new, tags, number)))
            case "insert before" | "insert after" | "insert at start":
                new = rows(statement, "+", number, bare=bare)
                above = first - 1 if name == "insert before" else first
                self.hunks.append((number, insert(above, new, tags, number)))
            case "insert at end":
                self.hunks.append((number, append(rows(statement, "+", number, bare=bare), number)))
            case "around":
                self.hunks += [(number, hunk) for hunk in _around(statement, first, last, tags, number)]
            case "delete":
                without_rows(statement, number, _TO_REPLACE)
                self.hunks.append((number, replace(first, last, (), tags, number, delete=True)))
            case "remove":
                self._set(Delete(self.path), statement, number)
            case "move":
                self._set(Rename(self.path, places[0].strip().strip("\"'")), statement, number)
            case _:
                raise _refused(name, statement, number)

    def operations(self) -> list[FileOperation]:
        if self.change is None and not self.hunks:
            raise unreadable(NAME, None, f"no operation for {self.path}", "send one, or leave its header out")
        if isinstance(self.change, Delete) and self.hunks:
            raise unreadable(NAME, None, f"it both edits and deletes {self.path}", "send one of the two")
        hunks = coalesced(self.hunks)
        if not any(isinstance(hunk, LineSpan) for hunk in hunks):
            # Only a span can have a tag: one of no lines verifies the file for the operations that cannot.
            hunks = (LineSpan(0, 0, (), (self.tag,)), *hunks)
        return [Modify(self.path, hunks), *([self.change] if self.change else [])]

    def _set(self, change: Delete | Rename, statement: Statement, number: int) -> None:
        without_rows(statement, number, _TO_REPLACE)
        if self.change is not None:
            raise unreadable(NAME, number, f"a second REM or MV for {self.path}", "send one of them")
        self.change = change


def _is_header(line: str) -> bool:
    header = _HEADER.fullmatch(line)
    return header is not None and bool(header["tag"] or header["marked"])


def _operation(line: str) -> tuple[str, tuple[str, ...]] | None:
    for name, pattern in _OPERATIONS.items():
        if match := pattern.fullmatch(line):
            return name, match.groups()
    return None


def _opened(files: dict[str, _File], header: re.Match[str], statement: Statement) -> _File:
    path = (header["bracketed"] or header["marked"]).strip()
    value = header["tag"] or header["marked_tag"] or ""
    if not re.fullmatch("[0-9A-Fa-f]{4}", value):
        problem = f"the header {statement.text!r} has no hash of the file, so its line numbers are a guess"
        raise unreadable(
            NAME, None, problem, "copy the header with its four hex digits as the file was shown"
        )
    if statement.below:
        problem = f"{statement.below[0][:40]!r} below {statement.text!r} is no operation"
        raise unreadable(NAME, None, problem, "use PUT, CUT, REM or MV (or SWAP, DEL, INS)")
    file = files.setdefault(path, _File(path, file_tag(value)))
    if file.tag.value != value.upper():
        problem = f"it has two hashes for {path}, {file.tag.value} and {value.upper()}"
        raise unreadable(NAME, None, problem, "read the file again and send one edit for it")
    return file


def _around(statement: Statement, first: int, last: int, tags: tuple[Tag, ...], number: int) -> list[Hunk]:
    """The spans above, instead of and below a range, each row saying by its mark where it goes."""
    new: dict[str, list[str]] = {mark: [] for mark in "↑|↓"}
    for row in statement.below:
        if row[:1] not in new:
            problem = f"the row {row[:40]!r} below {statement.text!r} begins with none of ↑, | and ↓"
            raise unreadable(
                NAME, number, problem, "write | before new text, ↑ and ↓ before text above and below"
            )
        new[row[0]].append(row[1:])
    if not statement.below:
        raise unreadable(
            NAME, number, f"no new text below {statement.text!r}", "write it in rows that begin with |"
        )
    hunks: list[Hunk] = []
    if new["↑"]:
        hunks.append(insert(first - 1, new["↑"], tags, number))
    if new["|"]:
        hunks.append(replace(first, last, new["|"], tags, number))
    if new["↓"]:
        hunks.append(insert(last, new["↓"], tags, number))
    return hunks


def _refused(name: str, statement: Statement, number: int) -> UnreadableEdit:
    if name == "block":
        problem, way_out = (
            "needs the syntax of the file and is not supported",
            "name the lines, as in PUT 3.=5:",
        )
    else:
        problem, way_out = (
            "moves lines through a register and is not supported",
            "write the lines out below it, after a colon",
        )
    return unreadable(NAME, number, f"{statement.text!r} {problem}", way_out)


_GRAMMAR = Grammar(_is_header, lambda line: _operation(line) is not None, "+|↑↓")
