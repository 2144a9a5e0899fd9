"""The journal's tables, and the version that they have."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from fastedit.errors import JournalUnavailable

VERSION = 2
BUSY_SECONDS = 10.0
_TABLES = (
    """
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY,
        time REAL NOT NULL,
        root BLOB NOT NULL,
        folders BLOB NOT NULL,  -- made by the edit, outermost first, joined by NUL
        instruction TEXT NOT NULL,
        hunks INTEGER NOT NULL,
        status TEXT NOT NULL,
        undoes INTEGER  -- the entry that this one takes back
    )
    """,
    """
    CREATE TABLE files (
        entry INTEGER NOT NULL REFERENCES entries ON DELETE CASCADE,
        path BLOB NOT NULL,
        before_sha256 TEXT,  -- NULL: there was no file
        after_sha256 TEXT,  -- NULL: there is no file any more
        mode INTEGER,  -- permission bits before, where the edit does not keep them
        temporary TEXT NOT NULL,  -- the name of the new file before it is put in its place
        before BLOB  -- compressed
    )
    """,
    """
    CREATE TABLE updates (
        entry INTEGER PRIMARY KEY REFERENCES entries ON DELETE CASCADE,
        text BLOB NOT NULL,  -- compressed
        symbol TEXT,  -- what the edit was limited to
        start INTEGER,  -- and its lines, from 0
        stop INTEGER
    )
    """,
    "CREATE INDEX files_by_entry ON files (entry)",
    "CREATE INDEX files_by_path ON files (path)",
)


def prepare(connection: sqlite3.Connection, file: Path) -> None:
    """Several processes may be the first: whoever comes later finds everything there."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return _set_up(connection, file)
        except sqlite3.OperationalError as error:
            # While another connection switches to WAL, SQLite refuses at once instead of waiting.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _set_up(connection: sqlite3.Connection, file: Path) -> None:
    # Synchronous: what undo needs must be on disk before the file is replaced.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    version = _version(connection)
    if version == VERSION:
        return
    if version:
        other = "a newer fastedit; upgrade" if version > VERSION else "an older fastedit; move it away"
        raise JournalUnavailable(f"journal {file}: made by {other} or set FASTEDIT_STATE")
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection):
        if _version(connection) == VERSION:  # by another process meanwhile
            return
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
