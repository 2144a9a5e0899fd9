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

from fastedit.errors import FileUnreadable, TooLong
from fastedit.files.paths import refuse_device
from fastedit.source.document import Document
from fastedit.source.language import supposed
from fastedit.source.languages import TEXT, languages, suffix_of
from fastedit_lsp.positions import EditedLines, LineIndex

MAX_CHARS = 5_000_000
UNSAID = -(1 << 31)  # the version of a change that says none
# What editors call the languages that have another name here.
_LANGUAGES = {
    said: each.name for each in languages() if each.name != TEXT for said in (each.name, *each.editor_names)
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
    def file(self) -> Path | None:
        """The file on this machine; None for a buffer that is none, such as an untitled one."""
        return path_of(self.uri)

    @property
    def path(self) -> Path | None:
        """The file, or for a buffer without one a name that tells its language."""
        if self.file is not None:
            return self.file
        name = Path(self.uri.rpartition("/")[2].rpartition(":")[2] or "untitled")
        return (
            name if name.suffix else name.with_name(name.name + suffix_of(_LANGUAGES.get(self.language, "")))
        )

    @cached_property
    def document(self) -> Document:
        """Raises TooLong or Undecodable."""
        if len(self.text) > MAX_CHARS:
            raise TooLong(
                f"{self.path}: {len(self.text):,} characters; fastedit edits files of up to {MAX_CHARS:,}, "
                "so move what is to be changed into a smaller file"
            )
        return supposed(Document.from_text(self.text, self.path), _LANGUAGES.get(self.language))

    def changed(self, changes: Sequence[types.TextDocumentContentChangeEvent], version: int) -> Buffer:
        lines = EditedLines(self.text, self.encoding)
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                lines.replace(change.range, change.text)
            else:
                lines = EditedLines(change.text, self.encoding)
        return replace(self, text=lines.text, version=version)


class Buffers:
    """All open buffers by URI."""

    def __init__(self) -> None:
        self.encoding: str = types.PositionEncodingKind.Utf16
        self._open: dict[str, Buffer] = {}

    def copy(self) -> Buffers:
        """The buffers as they are now."""
        copy = Buffers()
        copy.encoding, copy._open = self.encoding, dict(self._open)
        return copy

    @property
    def all(self) -> tuple[Buffer, ...]:
        return tuple(self._open.values())

    def opened(self, item: types.TextDocumentItem) -> None:
        self._open[item.uri] = Buffer(item.uri, item.text, self.encoding, item.version, item.language_id)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """A change of a buffer that was never opened tells nothing and is left alone."""
        document, before = params.text_document, self._open.get(params.text_document.uri)
        if before is not None:
            version = (before.version or 0) + 1 if document.version == UNSAID else document.version
            self._open[document.uri] = before.changed(params.content_changes, version)

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
        path = path_of(uri)
        if path is None:
            raise FileUnreadable(f"{uri}: is not open and not a file on this machine; open it first")
        refuse_device(path, str(path))
        if path.is_file() and path.stat().st_size > 4 * MAX_CHARS:
            raise TooLong(f"{path}: {path.stat().st_size:,} bytes; fastedit edits smaller files")
        return Buffer(uri, Document.read(path).text, self.encoding)


def path_of(uri: str) -> Path | None:
    """The file that an address names on this machine, None for any other address."""
    try:
        path = to_fs_path(uri) if uri.startswith("file:") else None
    except ValueError:  # of an address that none can be
        return None
    return Path(path) if path else None
