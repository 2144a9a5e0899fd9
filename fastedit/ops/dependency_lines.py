"""Dependencies that stand in lines, as in requirements.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from fastedit.ops.keys_entry import KeyEntry, NodeSpan
from fastedit.ops.keys_notation import Hunks, New, Notation
from fastedit.ops.source import ByteEdit

_REQUIREMENT = re.compile(r"\s*+(?P<text>(?![#-])\S++(?:\s++(?!#)\S++)*+)(?:\s++#.*|\s*+)")


class Requirements(Notation):
    """A list of requirements; options, comments and blank lines are none."""

    def read(self) -> KeyEntry:
        root = KeyEntry((), 0, "list")
        for row, match in _requirements(self.source.lines):
            start = self.source.start(row) + len(match.string[: match.start("text")].encode())
            value = NodeSpan(start, start + len(match["text"].encode()))
            root.add(KeyEntry((str(len(root.children)),), row, "value", value=value))
        return root

    @staticmethod
    def data(text: str) -> Any:
        if re.search(r"\\\n", text):
            raise ValueError("it has lines that go on in the next one")
        return [match["text"] for _, match in _requirements(text.split("\n"))]

    def replaced(self, entry: KeyEntry, new: New) -> Hunks:
        assert entry.value is not None
        return self.source.hunks([ByteEdit(entry.value.start_byte, entry.value.end_byte, str(new.data))])


def _requirements(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str]]]:
    for row, line in enumerate(lines):
        match = _REQUIREMENT.fullmatch(line)
        if match:
            yield row, match
