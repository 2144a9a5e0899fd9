"""What was written where, so that it can be undone. One SQLite file in the user's state folder.

An entry is kept before the file is replaced. After a crash between the two the file's own hash says which of
them happened, so an entry never promises what is not so.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sqlite3
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any

from fastedit.edit.document import Document
from fastedit.edit.write import atomic_write, resolved
from fastedit.errors import InputRefused, JournalUnavailable, StaleFile

KEPT_ENTRIES = 1000
KEPT_BYTES = 64 << 20  # of compressed bytes before, over all entries; the newest entry always keeps its own
_INSTRUCTION_CHARS = 200
_BUSY_SECONDS = 10.0
_YEAR_10000 = 253_402_300_800.0  # seconds since 1970
_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time REAL NOT NULL,
    path BLOB NOT NULL,
    before_sha256 TEXT NOT NULL,
    after_sha256 TEXT NOT NULL,
    instruction TEXT NOT NULL,
    hunks INTEGER NOT NULL,
    status TEXT NOT NULL,
    before BLOB
)
"""
_MOVE = "move it away or set FASTEDIT_STATE"
_WAYS_OUT = {
    errno.EACCES: "make it readable and writable or set FASTEDIT_STATE",
    errno.EPERM: "make it readable and writable or set FASTEDIT_STATE",
    errno.EROFS: "set FASTEDIT_STATE to a writable folder",
    errno.ENOSPC: "free some space or set FASTEDIT_STATE",
    errno.EDQUOT: "free some space or set FASTEDIT_STATE",
}
_SQLITE_WAYS_OUT = {
    sqlite3.SQLITE_FULL: "free some space or set FASTEDIT_STATE",
    sqlite3.SQLITE_IOERR: "is its disk full? free some space or set FASTEDIT_STATE",
    sqlite3.SQLITE_BUSY: "another fastedit holds it; try again",
    sqlite3.SQLITE_READONLY: "make it writable or set FASTEDIT_STATE",
    sqlite3.SQLITE_CANTOPEN: "make its folder writable or set FASTEDIT_STATE",
}
_COLUMNS = "id, time, path, before_sha256, after_sha256, instruction, hunks, status, before IS NOT NULL"


class EntryStatus(StrEnum):
    PENDING = "pending"  # a crash came before it was known to be written
    WRITTEN = "written"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Entry:
    """One edit of one file. `time` is in seconds since 1970; `kept`: are the bytes before still here?"""

    id: int
    time: float
    path: Path
    before_sha256: str
    after_sha256: str
    instruction: str
    hunks: int
    status: EntryStatus
    kept: bool


class Journal:
    """An open journal. Many processes may use one at a time; close it, or use it in a `with` block."""

    def __init__(self, connection: sqlite3.Connection, file: Path) -> None:
        self._connection = connection
        self._file = file

    @classmethod
    def open(cls, folder: Path | None = None) -> Journal:
        """The journal in `folder`, by default `FASTEDIT_STATE`, else the user's state folder.

        Raises JournalUnavailable.
        """
        file = (folder or _state_folder()) / "journal.sqlite3"
        with _explained(file):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # It holds copies of sources: no other user may read it, whatever the umask says.
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
            connection = sqlite3.connect(file, timeout=_BUSY_SECONDS, isolation_level=None)
            try:
                _prepare(connection, file)
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

    def add(self, document: Document, data: bytes, instruction: str, hunks: int) -> int:
        """Keeps a pending entry for `data` about to replace the document's file; returns its id."""
        assert document.path is not None, "a document without a path has no file to replace"
        row = (
            time.time(),
            _key(document.path),
            document.sha256,
            hashlib.sha256(data).hexdigest(),
            " ".join(instruction.split())[:_INSTRUCTION_CHARS],
            hunks,
            EntryStatus.PENDING,
            zlib.compress(document.encode(document.text), 1),
        )
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO entries"
                " (time, path, before_sha256, after_sha256, instruction, hunks, status, before)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            assert cursor.lastrowid is not None
            _prune(connection, cursor.lastrowid)
        return cursor.lastrowid

    def mark(self, entry: int, status: EntryStatus) -> None:
        with self._transaction() as connection:
            connection.execute("UPDATE entries SET status = ? WHERE id = ?", (status, entry))

    def remove(self, entry: int) -> None:
        with self._transaction() as connection:
            connection.execute("DELETE FROM entries WHERE id = ?", (entry,))

    def entries(self, limit: int = 20) -> list[Entry]:
        """The newest entries, newest first."""
        return self._select("ORDER BY id DESC LIMIT ?", limit)

    def undo(self, target: Path | int | None = None) -> Entry:
        """Restores the bytes before a path's newest edit, the edit with an id, or the newest edit of all.

        Only where the file still is what that edit made it: raises StaleFile elsewhere, InputRefused where
        nothing is left to undo, WriteFailed where the file cannot be written.
        """
        what = "nothing" if target is None else f"{target}" if isinstance(target, Path) else f"edit {target}"
        for entry in self._undoable(target):
            found = _sha256_of(entry)
            if found == entry.after_sha256:
                atomic_write(entry.path, self._bytes_before(entry), entry.after_sha256)
                self.mark(entry.id, EntryStatus.UNDONE)
                return entry
            if found != entry.before_sha256:
                raise StaleFile(f"{entry.path}: changed after edit {entry.id}; take later changes back first")
            self.mark(entry.id, EntryStatus.UNDONE)
            if entry.status is EntryStatus.WRITTEN:
                raise InputRefused(f"{entry.path}: already is as before edit {entry.id}; nothing to undo")
        raise InputRefused(f"{what}: no edit left to undo; `fastedit log` lists what was written")

    def _undoable(self, target: Path | int | None) -> list[Entry]:
        if target is None:
            return self._select("WHERE status != ? ORDER BY id DESC", EntryStatus.UNDONE)
        column, value = ("id", target) if isinstance(target, int) else ("path", _key(target))
        return self._select(f"WHERE status != ? AND {column} = ? ORDER BY id DESC", EntryStatus.UNDONE, value)

    def _bytes_before(self, entry: Entry) -> bytes:
        with _explained(self._file):
            row = self._connection.execute("SELECT before FROM entries WHERE id = ?", (entry.id,)).fetchone()
        if row is None or row[0] is None:
            raise InputRefused(f"{entry.path}: edit {entry.id} is too old, its bytes are no longer kept")
        data = b""
        with contextlib.suppress(zlib.error):
            data = zlib.decompress(row[0])
        if hashlib.sha256(data).hexdigest() != entry.before_sha256:
            raise self._damaged(entry.id)
        return data

    def _select(self, condition: str, *values: Any) -> list[Entry]:
        with _explained(self._file):
            rows = self._connection.execute(f"SELECT {_COLUMNS} FROM entries {condition}", values).fetchall()
        return [self._entry(*row) for row in rows]

    def _entry(self, id_: int, at: Any, path: Any, before: Any, after: Any, text: Any, *rest: Any) -> Entry:
        """SQLite keeps values of any type in any column. Raises JournalUnavailable for what was never kept here."""
        hunks, status, kept = rest
        sound = (
            isinstance(at, float) and 0 <= at < _YEAR_10000 and isinstance(path, bytes) and b"\0" not in path
        )
        if not (
            sound and all(isinstance(value, str) for value in (before, after, text)) and type(hunks) is int
        ):
            raise self._damaged(id_)
        try:
            return Entry(
                id_, at, Path(os.fsdecode(path)), before, after, text, hunks, EntryStatus(status), bool(kept)
            )
        except ValueError:
            raise self._damaged(id_) from None

    def _damaged(self, entry: int) -> JournalUnavailable:
        return JournalUnavailable(f"journal {self._file}: edit {entry} is damaged; {_MOVE}")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with _explained(self._file):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")


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


def _state_folder() -> Path:
    if folder := os.environ.get("FASTEDIT_STATE"):
        return Path(folder)
    import platformdirs

    return Path(platformdirs.user_state_dir("fastedit", appauthor=False))


def _prepare(connection: sqlite3.Connection, file: Path) -> None:
    """Several processes may be the first: whoever comes later finds everything there."""
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            return _set_up(connection, file)
        except sqlite3.OperationalError as error:
            # While another connection switches to WAL, SQLite refuses at once instead of waiting.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _set_up(connection: sqlite3.Connection, file: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > _VERSION:
        raise JournalUnavailable(f"journal {file}: made by a newer fastedit; upgrade or set FASTEDIT_STATE")
    # Synchronous: what undo needs must be on disk before the file is replaced.
    connection.execute("PRAGMA synchronous = FULL")
    if version < _VERSION:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(_SCHEMA)
        connection.execute(f"PRAGMA user_version = {_VERSION}")


def _prune(connection: sqlite3.Connection, newest: int) -> None:
    """Drops the oldest entries, and the bytes of more than fit."""
    connection.execute("DELETE FROM entries WHERE id <= ?", (newest - KEPT_ENTRIES,))
    connection.execute(
        "UPDATE entries SET before = NULL WHERE before IS NOT NULL AND id < ? AND id IN ("
        " SELECT id FROM (SELECT id, sum(length(before)) OVER (ORDER BY id DESC) AS total FROM entries)"
        " WHERE total > ?)",
        (newest, KEPT_BYTES),
    )


def _key(path: Path) -> bytes:
    """A path as bytes, since names need not be UTF-8, and without links, since any name of a file will do."""
    return os.fsencode(resolved(path))


def _sha256_of(entry: Entry) -> str:
    try:
        return hashlib.sha256(entry.path.read_bytes()).hexdigest()
    except FileNotFoundError:
        raise StaleFile(f"{entry.path}: was removed after edit {entry.id}; put it back first") from None
    except OSError as error:
        raise InputRefused(
            f"{entry.path}: {error.strerror}; make it readable to undo edit {entry.id}"
        ) from None
