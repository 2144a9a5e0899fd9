"""Dependencies that stand in lines: requirements.txt and go.mod."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from fastedit.ops.keys_entry import Entry, Span
from fastedit.ops.keys_notation import Hunks, New, Notation
from fastedit.ops.sorting import sorted_row
from fastedit.ops.source import Edit
from fastedit.source.hunks import Hunk

_REQUIREMENT = re.compile(r"\s*+(?P<text>(?![#-])\S++(?:\s++(?!#)\S++)*+)(?:\s++#.*|\s*+)")
_REQUIRE = re.compile(
    r"(?P<head>\s*(?:require\s+)?)(?P<path>[^\s()/]\S*)\s+(?P<text>v\S+)\s*(?P<comment>//.*)?"
)


class _Lines(Notation):
    """A line an entry. Comments stay: one above may be about all that follow."""

    def replaced(self, entry: Entry, new: New) -> Hunks:
        assert entry.value is not None
        return self.source.hunks([Edit(entry.value.start_byte, entry.value.end_byte, str(new.data))])

    def removed(self, entry: Entry) -> Hunks:
        return (Hunk(entry.row, entry.row + 1, ()),)

    def entry(self, path: tuple[str, ...], row: int, match: re.Match[str]) -> Entry:
        above = sum(len(line.encode()) + 1 for line in self.source.lines[:row])
        start = above + len(match.string[: match.start("text")].encode())
        return Entry(path, row, "value", value=Span(start, start + len(match["text"].encode())))


class Requirements(_Lines):
    """A list of requirements; options, comments and blank lines are none."""

    def read(self) -> Entry:
        root = Entry((), 0, "list")
        for row, match in _requirements(self.source.lines):
            root.add(self.entry((str(len(root.children)),), row, match))
        return root

    @staticmethod
    def data(text: str) -> Any:
        if re.search(r"\\\n", text):
            raise ValueError("it has lines that go on in the next one")
        return [match["text"] for _, match in _requirements(text.split("\n"))]

    def put(self, parent: Entry, key: str | None, index: int, new: New) -> Hunks:
        rows = [entry.row for entry in parent.children]
        row = rows[index] if index < len(rows) else rows[-1] + 1 if rows else len(self.source.lines)
        return (Hunk(row, row, (str(new.data),)),)


class GoMod(_Lines):
    """`require` is a map of module paths to versions."""

    def read(self) -> Entry:
        root = Entry((), 0, "map")
        require = root.add(Entry(("require",), 0, "map"))
        for row, match in _required(self.source.lines):
            require.add(self.entry(("require", match["path"]), row, match))
        return root

    @staticmethod
    def data(text: str) -> Any:
        return {"require": {match["path"]: match["text"] for _, match in _required(text.split("\n"))}}

    def put(self, parent: Entry, key: str | None, index: int, new: New) -> Hunks:
        """Among the first that are required directly, in order."""
        found = [(row, match) for row, match in _required(self.source.lines) if not match["comment"]]
        head = found[0][1]["head"] if found else "require "
        alike = {row: match["path"] for row, match in found if match["head"] == head}
        if not alike:
            row = len(self.source.lines)
            return (Hunk(row, row, ("", f"{head}{key} {new.data}")),)
        row = sorted_row([(row, row + 1) for row in alike], [*alike.values()], key)
        return (Hunk(row, row, (f"{head}{key} {new.data}",)),)


def _requirements(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str]]]:
    for row, line in enumerate(lines):
        match = _REQUIREMENT.fullmatch(line)
        if match:
            yield row, match


def _required(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """The lines that require a module, alone or in a block."""
    block = False
    for row, line in enumerate(lines):
        match = _REQUIRE.fullmatch(line)
        if match and (block or match["head"].strip()):
            yield row, match
        block = line.split("//")[0].split() == ["require", "("] or (block and line.strip() != ")")
