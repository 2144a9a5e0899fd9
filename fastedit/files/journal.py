"""What was written where, so that it can be undone. One SQLite file in the user's state folder.

An entry is kept before the first file is replaced, and is pending until the last one is. What a crash leaves pending
is settled by `recovery.py`.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shlex
import sqlite3
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from fastedit.errors import InputRefused, JournalUnavailable, WayOut
from fastedit.files.change import ContentChange
from fastedit.files.entry import EntryFile, EntryStatus, JournalEntry, UpdateText
from fastedit.files.locks import wait_for
from fastedit.files.paths import resolved
from fastedit.files.schema import BUSY_SECONDS, prepare, transaction
from fastedit.files.staging import permissions
from fastedit.files.state import state_folder

KEPT_ENTRIES = 1000
KEPT_BYTES = 64 << 20  # of compressed bytes before, over all entries; the newest entry always keeps its own
_INSTRUCTION_CHARS = 200
_MOVE = "move it away or set FASTEDIT_STATE"
_WAYS_OUT = {
    errno.ENOENT: "its folder cannot be made there; set FASTEDIT_STATE to a writable one",
    errno.EACCES: "make it readable and writable or set FASTEDIT_STATE",
    errno.EPERM: "make it readable and writable or set FASTEDIT_STATE",
    errno.EROFS: "set FASTEDIT_STATE to a writable folder",
    errno.ENOSPC: "free some space or set FASTEDIT_STATE",
    errno.EDQUOT: "free some space or set FASTEDIT_STATE",
    errno.EAGAIN: "another fastedit holds it; try again",
}
_SQLITE_WAYS_OUT = {
    sqlite3.SQLITE_FULL: "free some space or set FASTEDIT_STATE",
    sqlite3.SQLITE_IOERR: "is its disk full? free some space or set FASTEDIT_STATE",
    sqlite3.SQLITE_BUSY: "another fastedit holds it; try again",
    sqlite3.SQLITE_READONLY: "make it writable or set FASTEDIT_STATE",
    sqlite3.SQLITE_CANTOPEN: "make its folder writable or set FASTEDIT_STATE",
}
_ENTRY = "id, time, root, folders, instruction, hunks, status, undoes"
_KEPT_FOR_REDO = f"typeof(undoes) = 'integer' AND status = '{EntryStatus.WRITTEN}'"
_FILE = "path, before_sha256, after_sha256, mode, temporary, before IS NOT NULL OR before_sha256 IS NULL"


class Journal:
    """An open journal. Many processes may use one at a time; close it, or use it in a `with` block."""

    def __init__(self, connection: sqlite3.Connection, file: Path) -> None:
        self._connection = connection
        self._file = file

    @classmethod
    def open(cls, folder: Path | None = None) -> Journal:
        """The journal in `folder`, by default the state folder. Raises JournalUnavailable."""
        file = (folder or state_folder()) / "journal.sqlite3"
        with _explained(file):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # It holds copies of sources: no other user may read it, whatever the umask says.
            with contextlib.suppress(FileExistsError):
                os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            connection = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                prepare(connection, file)
            except BaseException:
                connection.close()
                raise
        return cls(connection, file)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[None]:
        """Lets one process at a time write files; what is pending then belongs to none that still runs."""
        with contextlib.ExitStack() as stack:
            with _explained(self._file):
                lock = os.open(
                    self._file.with_name("journal.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
                )
                stack.callback(os.close, lock)
                wait_for(lock, time.monotonic() + BUSY_SECONDS)
            yield

    def add(
        self,
        root: Path,
        changes: Sequence[ContentChange],
        folders: Sequence[Path],
        instruction: str,
        hunks: int,
        undoes: int | None,
    ) -> int:
        """Keeps a pending entry for changes about to be made and folders for them; returns its id."""
        text = " ".join(instruction.split())[:_INSTRUCTION_CHARS]
        made = b"\0".join(map(os.fsencode, folders))
        entry = (time.time(), os.fsencode(root), made, text, hunks, EntryStatus.PENDING, undoes)
        files = [_file_row(change) for change in changes]
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO entries (time, root, folders, instruction, hunks, status, undoes)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                entry,
            )
            assert cursor.lastrowid is not None
            id_ = cursor.lastrowid
            connection.executemany(
                "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?)", ((id_, *file) for file in files)
            )
            if undoes is None:
                _prune(connection, id_)
        return id_

    def keep_update(self, entry: int, update: UpdateText) -> None:
        """Keeps what an edit was made of, for `fastedit explain`."""
        start, stop = update.lines or (None, None)
        text = zlib.compress(update.text.encode(), 1)
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO updates VALUES (?, ?, ?, ?, ?)", (entry, text, update.symbol, start, stop)
            )

    def update(self, entry: int) -> UpdateText | None:
        """The update that an edit was made of; None for an edit of several files or by instruction alone."""
        with _explained(self._file):
            row = self._connection.execute(
                "SELECT text, symbol, start, stop FROM updates WHERE entry = ?", (entry,)
            ).fetchone()
        if row is None:
            return None
        text, symbol, start, stop = row
        try:
            return UpdateText(
                zlib.decompress(text).decode(), symbol, None if start is None else (start, stop)
            )
        except (zlib.error, UnicodeDecodeError, TypeError):
            raise self._damaged(entry) from None

    def finish(self, entry: int) -> None:
        """A pending edit is written. One that takes another back is kept for redo, which takes it back in turn; then
        neither of the two leaves an entry."""
        undone = self.get(entry).undoes
        edit = None if undone is None else self.get(undone).undoes
        with self._transaction() as connection:
            if edit is not None:
                connection.execute("DELETE FROM entries WHERE id IN (?, ?)", (entry, undone))
                connection.execute("UPDATE entries SET status = ? WHERE id = ?", (EntryStatus.WRITTEN, edit))
            else:
                connection.execute("UPDATE entries SET status = ? WHERE id = ?", (EntryStatus.UNDONE, undone))
                connection.execute("UPDATE entries SET status = ? WHERE id = ?", (EntryStatus.WRITTEN, entry))

    def mark_undone(self, entry: int) -> None:
        with self._transaction() as connection:
            connection.execute("UPDATE entries SET status = ? WHERE id = ?", (EntryStatus.UNDONE, entry))

    def remove(self, entry: int) -> None:
        with self._transaction() as connection:
            connection.execute("DELETE FROM entries WHERE id = ?", (entry,))

    def entries(self, limit: int = 20) -> list[JournalEntry]:
        """The newest entries, newest first."""
        return self._select(f"WHERE NOT ({_KEPT_FOR_REDO}) ORDER BY id DESC LIMIT ?", limit)

    def get(self, entry: int) -> JournalEntry:
        """Raises JournalUnavailable where it is not there."""
        found = self._select("WHERE id = ?", entry)
        if not found:
            raise self._damaged(entry)
        return found[0]

    def pending(self) -> list[JournalEntry]:
        """What is being written or was interrupted, newest first."""
        return self._select("WHERE status = ? ORDER BY id DESC", EntryStatus.PENDING)

    def newest(self, target: Path | int | None = None, within: Path | None = None) -> JournalEntry:
        """The newest edit of a path, the edit with an id, or the newest of all, if it was not undone yet. `within`: of
        those that changed nothing outside of this folder.

        Raises InputRefused where there is none.
        """
        condition = f"NOT ({_KEPT_FOR_REDO}) AND status != '{EntryStatus.UNDONE}'"
        return self._found(condition, target, within, "edit left to undo", "undo")

    def newest_undo(self, target: Path | None = None, within: Path | None = None) -> JournalEntry:
        """What took back the edit of a path, or of all, that was undone last; `within` as in `newest`.

        Raises InputRefused where there is none, or where an edit was made since.
        """
        undone = self._found(_KEPT_FOR_REDO, target, within, "undone edit to redo", "redo")
        for newer in self._newest(f"undoes IS NULL AND id > {undone.id}", target, within):
            path = undone.files[0].path
            again = f"; for edit {undone.undoes}: fastedit redo {shlex.quote(str(path))}"
            same = any(file.path == path for file in newer.files)
            raise InputRefused(
                f"no undone edit to redo after edit {newer.id} of {newer.title}"
                + ("" if same or target else again)
            )
        return undone

    def _found(
        self, condition: str, target: Path | int | None, within: Path | None, what: str, command: str
    ) -> JournalEntry:
        if found := self._newest(condition, target, within):
            return found[0]
        name = f"edit {target}" if isinstance(target, int) else f"{target or within or 'nothing'}"
        said = f"{name}: no {what}"
        if within is not None and (outside := self._newest(condition, target)):
            path = shlex.quote(str(outside[0].files[0].path))
            raise InputRefused(f"{said}; the newest elsewhere: fastedit {command} {path}")
        raise InputRefused(said, ways_out=(WayOut.LOG,))

    def _newest(
        self, condition: str, target: Path | int | None, within: Path | None = None
    ) -> list[JournalEntry]:
        values = list[Any]()
        if isinstance(target, Path):
            condition += " AND id IN (SELECT entry FROM files WHERE path = ?)"
            values = [os.fsencode(resolved(target))]  # without links, since any name of a file will do
        elif target is not None:
            condition += " AND id = ?"
            values = [target]
        if within is not None:
            inside = os.path.join(os.fsencode(resolved(within)), b"")
            condition += " AND id NOT IN (SELECT entry FROM files WHERE substr(path, 1, ?) != ?)"
            values += [len(inside), inside]
        return self._select(f"WHERE {condition} ORDER BY id DESC LIMIT 1", *values)

    def bytes_before(self, entry: JournalEntry, file: EntryFile) -> bytes | None:
        """The contents of a file before an edit, None where there was no file.

        Raises InputRefused where they are no longer kept.
        """
        if file.before_sha256 is None:
            return None
        with _explained(self._file):
            row = self._connection.execute(
                "SELECT before FROM files WHERE entry = ? AND path = ?", (entry.id, os.fsencode(file.path))
            ).fetchone()
        if row is None or row[0] is None:
            raise InputRefused(f"{file.path}: edit {entry.id} is too old, its bytes are no longer kept")
        data = b""
        with contextlib.suppress(zlib.error):
            data = zlib.decompress(row[0])
        if hashlib.sha256(data).hexdigest() != file.before_sha256:
            raise self._damaged(entry.id)
        return data

    def _select(self, condition: str, *values: Any) -> list[JournalEntry]:
        with _explained(self._file):
            rows = self._connection.execute(f"SELECT {_ENTRY} FROM entries {condition}", values).fetchall()
        return [self._entry(row) for row in rows]

    def _entry(self, row: Sequence[Any]) -> JournalEntry:
        with _explained(self._file):
            files = self._connection.execute(
                f"SELECT {_FILE} FROM files WHERE entry = ? ORDER BY rowid", row[:1]
            ).fetchall()
        try:
            return JournalEntry.from_row(row, files)
        except ValueError:
            raise self._damaged(row[0]) from None

    def _damaged(self, entry: int) -> JournalUnavailable:
        return JournalUnavailable(f"journal {self._file}: edit {entry} is damaged; {_MOVE}")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with _explained(self._file), transaction(self._connection):
            yield self._connection


@contextlib.contextmanager
def _explained(file: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, OSError):
            reason, way_out = error.strerror or str(error), _WAYS_OUT.get(error.errno or 0, _MOVE)
        else:
            primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
            reason, way_out = str(error), _SQLITE_WAYS_OUT.get(primary, _MOVE)
        raise JournalUnavailable(f"journal {file}: {reason}; {way_out}") from None


def _file_row(change: ContentChange) -> tuple[Any, ...]:
    mode = None
    if not change.creates and (change.deletes or change.like != change.path):
        with contextlib.suppress(OSError):  # it went meanwhile, which `swap` will say
            mode = permissions(change.path)
    return (
        os.fsencode(change.path),
        change.before_sha256,
        change.after_sha256,
        mode,
        change.temporary,
        None if change.before is None else zlib.compress(change.before, 1),
    )


def _prune(connection: sqlite3.Connection, newest: int) -> None:
    """Drops the oldest entries, and the bytes of more than fit. What is pending needs its bytes."""
    connection.execute("DELETE FROM entries WHERE id <= ?", (newest - KEPT_ENTRIES,))
    connection.execute(
        "UPDATE files SET before = NULL WHERE before IS NOT NULL AND entry IN ("
        " SELECT entry FROM (SELECT entry, sum(sum(length(before))) OVER (ORDER BY entry DESC) AS total"
        "  FROM files GROUP BY entry) JOIN entries ON id = entry WHERE total > ? AND status != ?)",
        (KEPT_BYTES, EntryStatus.PENDING),
    )
