"""What becomes of an edit that was interrupted: it is rolled back, unless all of it had been written."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass

from fastedit.errors import FasteditError, InputRefused
from fastedit.files.change import ContentChange
from fastedit.files.entry import EntryFile, JournalEntry
from fastedit.files.folder import missing, opened, remove_empty
from fastedit.files.journal import Journal
from fastedit.files.staging import contents, remove
from fastedit.files.swap import swap


@dataclass(frozen=True, slots=True)
class Found:
    """A file of an entry as it is now; `data` None where there is no regular file."""

    file: EntryFile
    exists: bool
    data: bytes | None

    @property
    def is_before(self) -> bool:
        return self._is(self.file.before_sha256)

    @property
    def is_after(self) -> bool:
        return self._is(self.file.after_sha256)

    def _is(self, sha256: str | None) -> bool:
        if self.data is None:
            return sha256 is None and not self.exists
        return hashlib.sha256(self.data).hexdigest() == sha256


def found(entry: JournalEntry) -> list[Found]:
    """Raises InputRefused for a file that cannot be read."""
    return [_found(entry, file) for file in entry.files]


def restoring(journal: Journal, entry: JournalEntry, files: Sequence[Found]) -> list[ContentChange]:
    """The changes that bring these files back to what they were before the entry."""
    return [
        ContentChange(
            found.file.path,
            str(found.file.path),
            found.data,
            journal.bytes_before(entry, found.file),
            like=None if found.data is None else found.file.path,
            mode=found.file.mode,
            temporary=found.file.temporary,
        )
        for found in files
    ]


def recover(journal: Journal) -> list[str]:
    """Settles what was interrupted, once no other process writes; a line for each edit that a person should know of."""
    if not journal.pending():
        return []
    with journal.exclusive():
        return settle(journal)


def settle(journal: Journal) -> list[str]:
    """`recover` for a caller that holds the journal."""
    lines = []
    for entry in journal.pending():
        what = _named(journal, entry)
        try:
            if os.path.isdir(entry.root) and _settle(journal, entry):
                lines.append(f"rolled back {what}, which was interrupted: {entry.instruction}")
        except FasteditError as error:
            lines.append(f"{what} was interrupted and cannot be rolled back yet: {error}")
    return lines


def _named(journal: Journal, entry: JournalEntry) -> str:
    if entry.undoes is None:
        return f"edit {entry.id}"
    edit = journal.get(entry.undoes).undoes
    return f"the undo of edit {entry.undoes}" if edit is None else f"the redo of edit {edit}"


def _settle(journal: Journal, entry: JournalEntry) -> bool:
    """Whether files had to be put back."""
    if any(found.is_before for found in found(entry)) or _has_temporaries(entry):
        restored = roll_back(journal, entry)
        journal.remove(entry.id)
        return restored
    complete(journal, entry)
    return False


def complete(journal: Journal, entry: JournalEntry) -> None:
    """Ends an edit whose files are all written."""
    if entry.undoes is not None:
        undone = journal.get(entry.undoes)
        remove_empty(undone.root, undone.folders)
    journal.finish(entry.id)


def roll_back(journal: Journal, entry: JournalEntry) -> bool:
    """Puts back the files that a pending edit has changed so far; whether there were any. Its entry stays.

    Files that were changed since are left alone.
    """
    _remove_temporaries(entry)
    changed = [found for found in found(entry) if found.is_after]
    changes = restoring(journal, entry, changed)
    swap(entry.root, changes, missing(entry.root, (change.path.parent for change in changes)))
    remove_empty(entry.root, entry.folders)
    return bool(changes)


def _found(entry: JournalEntry, file: EntryFile) -> Found:
    try:
        with opened(entry.root, file.path.parent) as folder:
            return Found(file, True, contents(folder, file.path.name))
    except FileNotFoundError:
        return Found(file, False, None)
    except PermissionError as error:
        raise InputRefused(
            f"{file.path}: {error.strerror}; make it readable to undo edit {entry.id}"
        ) from None
    except OSError:
        return Found(file, True, None)  # a folder, a link, or behind one


def _has_temporaries(entry: JournalEntry) -> bool:
    return any(os.path.lexists(file.path.with_name(file.temporary)) for file in entry.files)


def _remove_temporaries(entry: JournalEntry) -> None:
    for file in entry.files:
        with contextlib.suppress(OSError), opened(entry.root, file.path.parent) as folder:
            remove(folder, file.temporary)
