"""The open buffers, as the client says they are, and files that it has not opened.

pygls keeps documents of its own, but counts lines where the protocol sees none and reads files without their
line ends; so it never gets to see one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from lsprotocol import types
from pygls.uris import to_fs_path

from fastedit.edit.document import Document
from fastedit.errors import FileUnreadable, TooLong
from fastedit_lsp.positions import LineIndex, Lines

MAX_CHARS = 5_000_000
# What a buffer without a file name is written in, as a name that the engine knows it by.
_SUFFIXES = {
    "python": ".py",
    "javascript": ".js",
    "javascriptreact": ".jsx",
    "typescript": ".ts",
    "typescriptreact": ".tsx",
    "go": ".go",
    "rust": ".rs",
    "java": ".java",
    "c": ".c",
    "cpp": ".cpp",
}


@dataclass(frozen=True)
class Buffer:
    """One version of a text. `version` is None where the client has not opened it."""

    uri: str
    text: str
    encoding: str
    version: int | None = None
    language: str = ""

    @cached_property
    def index(self) -> LineIndex:
        return LineIndex(self.text, self.encoding)

    @property
    def path(self) -> Path | None:
        """The file, or for a buffer without one a name that tells its language."""
        path = _path_of(self.uri)
        if path is not None:
            return path
        name = Path(self.uri.rpartition("/")[2].rpartition(":")[2] or "untitled")
        return name if name.suffix else name.with_name(name.name + _SUFFIXES.get(self.language, ""))

    @cached_property
    def document(self) -> Document:
        """Raises TooLong or Undecodable."""
        if len(self.text) > MAX_CHARS:
            raise TooLong(
                f"{self.path}: {len(self.text):,} characters; fastedit edits files of up to {MAX_CHARS:,}, "
                "so move what is to be changed into a smaller file"
            )
        return Document.from_text(self.text, self.path)

    def changed(self, changes: Sequence[types.TextDocumentContentChangeEvent], version: int) -> Buffer:
        lines = Lines(self.text, self.encoding)
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                lines.replace(change.range, change.text)
            else:
                lines = Lines(change.text, self.encoding)
        return replace(self, text=lines.text, version=version)


class Buffers:
    """All open buffers by URI."""

    def __init__(self) -> None:
        self.encoding: str = types.PositionEncodingKind.Utf16
        self._open: dict[str, Buffer] = {}

    def opened(self, item: types.TextDocumentItem) -> None:
        self._open[item.uri] = Buffer(item.uri, item.text, self.encoding, item.version, item.language_id)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """A change of a buffer that was never opened tells nothing and is left alone."""
        uri = params.text_document.uri
        if uri in self._open:
            self._open[uri] = self._open[uri].changed(params.content_changes, params.text_document.version)

    def closed(self, uri: str) -> None:
        self._open.pop(uri, None)

    def find(self, uri: str) -> Buffer | None:
        """The open buffer, None where there is none."""
        return self._open.get(uri)

    def now(self, before: Buffer) -> Buffer | None:
        """What an earlier version has become; None where its buffer was closed. Raises as `get` does."""
        return self.find(before.uri) if before.version is not None else self.get(before.uri)

    def get(self, uri: str) -> Buffer:
        """The open buffer or the file on disk. Raises FileUnreadable, TooLong or Undecodable."""
        buffer = self._open.get(uri)
        if buffer is not None:
            return buffer
        path = _path_of(uri)
        if path is None:
            raise FileUnreadable(f"{uri}: is not open and not a file on this machine; open it first")
        if path.is_file() and path.stat().st_size > 4 * MAX_CHARS:
            raise TooLong(f"{path}: {path.stat().st_size:,} bytes; fastedit edits smaller files")
        return Buffer(uri, Document.read(path).text, self.encoding)


def _path_of(uri: str) -> Path | None:
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path else None
