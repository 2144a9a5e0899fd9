"""What becomes of an edit that was interrupted: it is rolled back, unless all of it had been written."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fastedit.errors import FasteditError, InputRefused
from fastedit.files.change import ContentChange
from fastedit.files.entry import EntryFile, JournalEntry
from fastedit.files.folder import missing, opened, remove_empty
from fastedit.files.journal import Journal
from fastedit.files.staging import contents, remove
from fastedit.files.swap import swap


@dataclass(frozen=True, slots=True)
class Found:
    """A file of an entry as it is now; `data` None where there is no regular file. `waiting`: its new text still lies
    beside its place."""

    file: EntryFile
    exists: bool
    data: bytes | None
    waiting: bool

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
    if any(found.is_before for found in found(entry)) or any(map(os.path.lexists, _temporaries(entry))):
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


def roll_back(journal: Journal, entry: JournalEntry, made: Collection[Path] | None = None) -> bool:
    """Puts back the files that a pending edit has changed so far; whether there were any. Its entry stays.

    `made` are the paths that it got to; without, that is told by what lies beside them. Other files are left alone:
    those that were changed since, and those that are as the edit wanted because another program made the same change.
    """
    own = [found for found in _made(entry) if made is None or found.file.path in made]
    changes = [
        replace(change, temporary=_backwards(found.file))
        for change, found in zip(restoring(journal, entry, own), own, strict=True)
    ]
    _remove(entry, map(_backwards, entry.files))  # of one that was interrupted too
    swap(entry.root, changes, missing(entry.root, (change.path.parent for change in changes)), [])
    _remove(entry, (file.temporary for file in entry.files))
    remove_empty(entry.root, entry.folders)
    return bool(changes)


def _made(entry: JournalEntry) -> list[Found]:
    """The files that an edit has changed. All new texts lie beside their places before the first is put there, and
    files are deleted last."""
    files = found(entry)
    deleting = not any(found.waiting for found in files)
    return [
        found
        for found in files
        if found.is_after and not found.waiting and (deleting or found.file.after_sha256 is not None)
    ]


def _found(entry: JournalEntry, file: EntryFile) -> Found:
    waiting = False
    try:
        with opened(entry.root, file.path.parent) as folder:
            # A file that is created has both names for a moment.
            waiting = _inode(folder, file.temporary) not in (None, _inode(folder, file.path.name))
            return Found(file, True, contents(folder, file.path.name), waiting)
    except FileNotFoundError:
        return Found(file, False, None, waiting)
    except PermissionError as error:
        raise InputRefused(
            f"{file.path}: {error.strerror}; make it readable to undo edit {entry.id}"
        ) from None
    except OSError:
        return Found(file, True, None, waiting)  # a folder, a link, or behind one


def _inode(folder: int, name: str) -> tuple[int, int] | None:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _backwards(file: EntryFile) -> str:
    """The name of the old text before it is put back."""
    return f"{file.temporary}-back"


def _temporaries(entry: JournalEntry) -> Iterator[Path]:
    for file in entry.files:
        yield file.path.with_name(file.temporary)
        yield file.path.with_name(_backwards(file))


def _remove(entry: JournalEntry, names: Iterable[str]) -> None:
    """Removes these files, one beside each of the entry's."""
    for file, name in zip(entry.files, names, strict=True):
        with contextlib.suppress(OSError), opened(entry.root, file.path.parent) as folder:
            remove(folder, name)
