"""Places hunks one by one, also of a message that is still being written: search/replace blocks and V4A patches.

What it places is a preview: `change` reads the message, and settles all hunks, as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from fastedit.engine.changes.files import Files, is_file, read_if_text, within
from fastedit.errors import UnreadableEdit
from fastedit.formats.base import FileOperation, ModifyFile, Replacement
from fastedit.formats.diffs.search_replace import BlockReader
from fastedit.formats.diffs.v4a_stream import PatchStream
from fastedit.formats.report import Report
from fastedit.formats.resolution.resolve import resolve_alone
from fastedit.formats.text.views import ViewedText
from fastedit.source.hunks import Hunk


@dataclass(frozen=True, slots=True)
class HunkPlaced:
    """A hunk that has one place whatever the others are.

    `report` numbers it within its file; `hunks` are what it changes, over the file's lines.
    """

    path: str
    report: Report
    hunks: tuple[Hunk, ...]


class Preview:
    """The hunks of files as they come. Each file is read and indexed once."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._open: dict[str, ViewedText | None] = {}
        self._counts: dict[str, int] = {}

    def placed(self, path: str, operation: FileOperation) -> Iterator[HunkPlaced]:
        """The hunks of an operation that have a place by themselves."""
        for hunk in operation.hunks if isinstance(operation, ModifyFile) else ():
            number = self._counts[path] = self._counts.get(path, 0) + 1
            file = self._file(path)
            found = resolve_alone(file, hunk) if file and isinstance(hunk, Replacement) else None
            if found is not None:
                yield HunkPlaced(path, found.reports[0]._replace(number=number), found.hunks)

    def _file(self, path: str) -> ViewedText | None:
        if path not in self._open:
            document = read_if_text(self._files, path)
            self._open[path] = None if document is None else ViewedText(document)
        return self._open[path]


class ChangeStream:
    """Takes a message piece by piece. `path` and `roots` are as in `ChangeRequest`."""

    def __init__(self, files: Files, path: str | None = None, roots: Sequence[str] = ()) -> None:
        self._preview, self._path = Preview(files), path
        self._spelled = cache(partial(within, roots=roots, files=files))  # which may read the file
        self._readers: list[BlockReader | PatchStream] = [
            BlockReader(cache(partial(is_file, files))),
            PatchStream(),
        ]
        self._rest = ""
        self._parts: list[str] = []

    @property
    def message(self) -> str:
        """All that has arrived."""
        return "".join(self._parts)

    def feed(self, text: str) -> list[HunkPlaced]:
        """What the next piece of the message lets find its place; nothing for what is malformed or ambiguous so far."""
        self._parts.append(text)
        *lines, self._rest = (self._rest + text).split("\n")
        placed: list[HunkPlaced] = []
        for line in lines:
            for operation in self._read(line.removesuffix("\r")):
                path = operation.path or self._path
                if path is not None:
                    placed += self._preview.placed(self._spelled(path), operation)
        return placed

    def _read(self, line: str) -> list[FileOperation]:
        operations: list[FileOperation] = []
        for reader in list(self._readers):
            try:
                operations += reader.feed(line)
            except UnreadableEdit:
                # `change` says what is wrong, once it is known which format the whole message is in.
                self._readers.remove(reader)
        return operations
