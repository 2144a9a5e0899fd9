"""Edits of lines that the author names by number and content hash, in the dialects of the hashline tools: as JSON
(`hashline_json`), and as text below a header with the hash of the file, `[path#F2B2]` or `¶path#F2B2`.

The line numbers are those of the file as the author read it, and the hashes say whether it is still that file. No
number without a hash is accepted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from fastedit.formats.base import (
    DeleteFile,
    FileOperation,
    Format,
    FormatHunk,
    FoundEdit,
    LineSpan,
    ModifyFile,
    RenameFile,
    Tag,
    unreadable,
)
from fastedit.formats.hashline import json_edits as hashline_json
from fastedit.formats.hashline.anchor import NAME, file_tag
from fastedit.formats.hashline.span import coalesced, insert, replace
from fastedit.formats.hashline.text import (
    HEADER,
    HashlineStatement,
    operation_of,
    rows,
    segments,
    statements,
    without_rows,
)


def find(lines: Sequence[str]) -> list[FoundEdit]:
    return [
        FoundEdit(segment, partial(_read, lines[segment.start : segment.stop])) for segment in segments(lines)
    ]


FORMAT = Format(NAME, (hashline_json.find, find))


def _read(lines: Sequence[str]) -> tuple[FileOperation, ...]:
    files: dict[str, _TaggedFile] = {}
    found, bounded = statements(lines)
    file: _TaggedFile | None = None
    number = 0
    for statement in found:
        header = HEADER.fullmatch(statement.text)
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
class _TaggedFile:
    path: str
    tag: Tag
    hunks: list[FormatHunk] = field(default_factory=list)
    change: DeleteFile | RenameFile | None = None

    def add(self, statement: HashlineStatement, number: int, *, bare: bool) -> None:
        name, places = operation_of(statement.text) or ("", ())
        first = int(places[0]) if name != "move" and places and places[0] else 0
        last = int(places[1]) if len(places) > 1 and places[1] else first
        tags = (self.tag,)
        match name:
            case "replace":
                new = rows(statement, number, bare=bare)
                self.hunks.append(replace(first, last, new, tags, number))
            case "insert before" | "insert after" | "insert at start" | "insert at end":
                new = rows(statement, number, bare=bare)
                above = {"insert before": first - 1, "insert at end": None}.get(name, first)
                self.hunks.append(insert(above, new, tags, number))
            case "around":
                self.hunks += _around(statement, first, last, tags, number)
            case "delete":
                without_rows(statement, number)
                self.hunks.append(replace(first, last, (), tags, number, delete=True))
            case "remove":
                self._set(DeleteFile(self.path), statement, number)
            case "move":
                self._set(RenameFile(self.path, places[0].strip().strip("\"'")), statement, number)
            case _:
                problem = (
                    f"{statement.text!r} needs the syntax of the file or a register, which is not supported"
                )
                way_out = "name the lines and write the new ones below, as in PUT 3.=5:"
                raise unreadable(NAME, number, problem, way_out)

    def operations(self) -> list[FileOperation]:
        if self.change is None and not self.hunks:
            raise unreadable(NAME, None, f"no operation for {self.path}", "send one, or leave its header out")
        if isinstance(self.change, DeleteFile) and self.hunks:
            raise unreadable(NAME, None, f"it both edits and deletes {self.path}", "send one of the two")
        hunks = coalesced(self.hunks)
        if not any(isinstance(hunk, LineSpan) for hunk in hunks):
            # Only a span can have a tag: one of no lines verifies the file for the operations that cannot.
            hunks = (LineSpan(0, 0, (), (self.tag,)), *hunks)
        return [ModifyFile(self.path, hunks), *([self.change] if self.change else [])]

    def _set(self, change: DeleteFile | RenameFile, statement: HashlineStatement, number: int) -> None:
        without_rows(statement, number)
        if self.change is not None:
            raise unreadable(NAME, number, f"a second REM or MV for {self.path}", "send one of them")
        self.change = change


def _opened(
    files: dict[str, _TaggedFile], header: re.Match[str], statement: HashlineStatement
) -> _TaggedFile:
    path = (header["bracketed"] or header["marked"]).strip()
    value = header["tag"] or header["marked_tag"] or ""
    if not re.fullmatch("[0-9A-Fa-f]{4}", value):
        problem = f"the header {statement.text!r} has no hash of the file, so its line numbers are a guess"
        raise unreadable(
            NAME, None, problem, "copy the header with its four hex digits as the file was shown"
        )
    if statement.below:
        problem = f"{statement.below[0][:40]!r} below {statement.text!r} is not an operation"
        raise unreadable(NAME, None, problem, "use PUT, CUT, REM or MV (or SWAP, DEL, INS)")
    file = files.setdefault(path, _TaggedFile(path, file_tag(value)))
    if file.tag.value != value.upper():
        problem = f"it has two hashes for {path}, {file.tag.value} and {value.upper()}"
        raise unreadable(NAME, None, problem, "read the file again and send one edit for it")
    return file


def _around(
    statement: HashlineStatement, first: int, last: int, tags: tuple[Tag, ...], number: int
) -> list[FormatHunk]:
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
    hunks: list[FormatHunk] = []
    if new["↑"]:
        hunks.append(insert(first - 1, new["↑"], tags, number))
    if new["|"]:
        hunks.append(replace(first, last, new["|"], tags, number))
    if new["↓"]:
        hunks.append(insert(last, new["↓"], tags, number))
    return hunks
