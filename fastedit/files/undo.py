"""Takes an edit back, with all the files that it changed, or makes it again."""

from __future__ import annotations

from pathlib import Path

from fastedit.errors import InputRefused, StaleFile
from fastedit.files.change import ContentChange
from fastedit.files.entry import EntryStatus, JournalEntry
from fastedit.files.journal import Journal
from fastedit.files.paths import repository_of, resolved
from fastedit.files.recovery import Found, found, restoring, settle
from fastedit.files.staging import none_written
from fastedit.files.transaction import write


def undo(journal: Journal, target: Path | int | None = None, within: Path | None = None) -> JournalEntry:
    """Restores what was before a path's newest edit, the edit with an id, or the newest edit of all, or `within` a
    folder.

    All files of that edit are restored, or none: each must still be as the edit made it or as it was before. Raises
    StaleFile elsewhere, InputRefused where nothing is left to undo, WriteFailed where a file cannot be written.
    """
    with journal.exclusive():
        entry = _undoable(journal, target, within)
        changes = reversal(journal, entry)
        if not changes:
            journal.mark_undone(entry.id)
            raise InputRefused(f"{entry.title}: already as before edit {entry.id}; nothing to undo")
        write(journal, entry.root, changes, entry.instruction, entry.hunks, undoes=entry.id)
    return entry


def redo(journal: Journal, target: Path | None = None, within: Path | None = None) -> JournalEntry:
    """Makes the edit of a path, of all, or `within` a folder, again that was undone last; returns its entry. Raises
    like `undo`."""
    with journal.exclusive():
        settle(journal)
        undone = journal.newest_undo(target, within)
        changes = reversal(journal, undone)
        if not changes:
            raise InputRefused(f"{undone.title}: already as edit {undone.undoes} made it; nothing to redo")
        assert undone.undoes is not None
        entry = journal.get(undone.undoes)
        write(journal, undone.root, changes, undone.instruction, undone.hunks, undoes=undone.id)
    return entry


def reversal(journal: Journal, entry: JournalEntry) -> list[ContentChange]:
    """What takes the entry back; empty where every file is as before it. Raises StaleFile for one that changed."""
    files = found(entry)
    for file in files:
        if not (file.is_before or file.is_after):
            raise none_written(_changed(entry, file), len(files))
    return restoring(journal, entry, [file for file in files if file.is_after])


def project(folder: Path) -> Path:
    """The repository that a folder is in, else the folder itself."""
    real = resolved(folder)
    return repository_of(real) or real


def _undoable(journal: Journal, target: Path | int | None, within: Path | None) -> JournalEntry:
    interrupted = settle(journal)
    entry = journal.newest(target, within)
    if entry.status is EntryStatus.PENDING:
        raise InputRefused("; ".join(interrupted) or f"{entry.root}: is not there; put it back first")
    return entry


def _changed(entry: JournalEntry, found: Found) -> StaleFile:
    path = found.file.path
    edit = f"edit {entry.id}" if entry.undoes is None else f"edit {entry.undoes} was undone"
    if not found.exists:
        return StaleFile(f"{path}: was removed after {edit}; put it back first")
    if found.file.after_sha256 is None:
        return StaleFile(f"{path}: was created again after {edit}; move it away first")
    return StaleFile(
        f"{path}: changed after {edit}; take later changes back first, and make them again after that"
    )
