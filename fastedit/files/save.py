"""Writes an edit of one document to its file so that it can be undone."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from fastedit.errors import JournalUnavailable
from fastedit.files.change import ContentChange
from fastedit.files.entry import UpdateText
from fastedit.files.journal import Journal
from fastedit.files.paths import resolved
from fastedit.files.recovery import settle
from fastedit.files.swap import swap_one
from fastedit.files.transaction import write
from fastedit.files.write import replacing
from fastedit.source.document import Document


def save(
    document: Document,
    data: bytes,
    instruction: str,
    hunks: int,
    warn: Callable[[str], None],
    update: UpdateText | None = None,
    root: Path | None = None,
    to: str | None = None,
) -> bool:
    """Replaces the document's file, or `to`, by `data`, with a journal entry of `hunks` hunks; if it can be undone.

    A journal that cannot be used does not stop the edit: `warn` gets one line. With a `root`, the document's path has
    no links and is reached from there, so that one that was put in its way since is not followed.
    Raises StaleFile or WriteFailed, the file then untouched.
    """
    if to is not None:
        change = replacing(to, data)
    else:
        assert document.path is not None, "a document without a path has no file to replace"
        target = document.path if root else resolved(document.path)
        change = ContentChange(target, str(document.path), document.encode(document.text), data, like=target)
    root, undoable = root or change.path.parent, True
    try:
        with Journal.open() as journal, journal.exclusive():
            settle(journal)
            entry = write(journal, root, [change], instruction, hunks)
            if update is not None:
                with contextlib.suppress(JournalUnavailable):  # the edit is written and can be undone
                    journal.keep_update(entry, update)
    except JournalUnavailable as error:
        swap_one(root, change)
        warn(f"{error}; this edit cannot be undone")
        undoable = False
    return undoable
