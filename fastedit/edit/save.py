"""Writes an edit to its file so that it can be undone."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from fastedit.edit.document import Document
from fastedit.edit.journal import EntryStatus, Journal
from fastedit.edit.write import atomic_write
from fastedit.errors import FasteditError, JournalUnavailable


def save(document: Document, data: bytes, instruction: str, hunks: int, warn: Callable[[str], None]) -> bool:
    """Replaces the document's file by `data` and keeps a journal entry of `hunks` hunks; whether it can be undone.

    A journal that cannot be used does not stop the edit: `warn` gets one line. Raises StaleFile or
    WriteFailed, the file then untouched.
    """
    assert document.path is not None, "a document without a path has no file to replace"
    with contextlib.ExitStack() as stack:
        try:
            journal = stack.enter_context(Journal.open())
            entry = journal.add(document, data, instruction, hunks)
        except JournalUnavailable as error:
            atomic_write(document.path, data, document.sha256)
            warn(f"{error}; this edit cannot be undone")
            return False
        try:
            atomic_write(document.path, data, document.sha256)
        except FasteditError:
            with contextlib.suppress(JournalUnavailable):
                journal.remove(entry)
            raise
        # An entry left pending can be undone all the same.
        with contextlib.suppress(JournalUnavailable):
            journal.mark(entry, EntryStatus.WRITTEN)
        return True
