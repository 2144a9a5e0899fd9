"""What `fastedit.undo` takes back."""

from __future__ import annotations

from dataclasses import dataclass

from fastedit.errors import InputRefused
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk
from fastedit_lsp.buffers import path_of

_KEPT = 20


@dataclass(frozen=True, slots=True)
class Applied:
    """`back` turns `text`, the buffer after the edit, into what it was."""

    text: Document
    back: tuple[Hunk, ...]


class EditHistory:
    """The newest edits of each buffer."""

    def __init__(self) -> None:
        self._applied: dict[str, list[Applied]] = {}

    def add(self, uri: str, applied: Applied) -> None:
        self._applied[uri] = [*self._applied.get(uri, []), applied][-_KEPT:]

    def newest(self, uri: str) -> Applied:
        """Raises InputRefused."""
        if not self._applied.get(uri):
            raise InputRefused(f"{path_of(uri) or uri}: no edit by fastedit left to undo in this session")
        return self._applied[uri][-1]

    def drop(self, uri: str, applied: Applied) -> None:
        """Forgets an edit that was taken back; its buffer may have been closed meanwhile."""
        self._applied[uri] = [other for other in self._applied.get(uri, []) if other is not applied]

    def forget(self, uri: str) -> None:
        """A closed buffer's edits: what is opened under its name later may be another text."""
        self._applied.pop(uri, None)
