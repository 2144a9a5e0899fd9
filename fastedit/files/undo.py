"""Takes an edit back, with all the files that it changed."""

from __future__ import annotations

from pathlib import Path

from fastedit.errors import InputRefused, StaleFile
from fastedit.files.entry import Entry, EntryStatus
from fastedit.files.journal import Journal
from fastedit.files.recovery import Found, found, restoring, settle
from fastedit.files.transaction import write


def undo(journal: Journal, target: Path | int | None = None) -> Entry:
    """Restores what was before a path's newest edit, the edit with an id, or the newest edit of all.

    All files of that edit are restored, or none: each must still be as the edit made it or as it was before. Raises
    StaleFile elsewhere, InputRefused where nothing is left to undo, WriteFailed where a file cannot be written.
    """
    with journal.exclusive():
        interrupted = settle(journal)
        entry = journal.newest(target)
        if entry.status is EntryStatus.PENDING:
            raise InputRefused("; ".join(interrupted) or f"{entry.root}: is not there; put it back first")
        files = found(entry)
        for file in files:
            if not (file.is_before or file.is_after):
                raise _changed(entry, file)
        changes = restoring(journal, entry, [file for file in files if file.is_after])
        if not changes:
            journal.mark_undone(entry.id)
            raise InputRefused(f"{entry.title}: already as before edit {entry.id}; nothing to undo")
        write(journal, entry.root, changes, entry.instruction, entry.hunks, undoes=entry.id)
    return entry


def _changed(entry: Entry, found: Found) -> StaleFile:
    path = found.file.path
    if not found.exists:
        return StaleFile(f"{path}: was removed after edit {entry.id}; put it back first")
    if found.file.after_sha256 is None:
        return StaleFile(f"{path}: was created again after edit {entry.id}; move it away first")
    return StaleFile(f"{path}: changed after edit {entry.id}; take later changes back first")
