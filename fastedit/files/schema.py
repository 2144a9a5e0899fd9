"""The journal's tables, and how those of older versions become the newest."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
_FROM_1 = (
    "ALTER TABLE entries RENAME TO entries_1",
    *_TABLES,
    "INSERT INTO entries SELECT id, time, parent(path), x'', instruction, hunks, status, NULL FROM entries_1",
    "INSERT INTO files SELECT id, path, before_sha256, after_sha256, NULL, '.fastedit-' || hex(randomblob(8)), before"
    " FROM entries_1 ORDER BY id",
    "DROP TABLE entries_1",
)
# A process that died while it made version 1 left its table, without entries, under version 0.
_STEPS = {0: ("DROP TABLE IF EXISTS entries", *_TABLES), 1: _FROM_1}


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
    if _version(connection) == VERSION:
        return
    if _version(connection) > VERSION:
        raise JournalUnavailable(f"journal {file}: made by a newer fastedit; upgrade or set FASTEDIT_STATE")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.create_function("parent", 1, _parent)
    with transaction(connection):
        for statement in _STEPS.get(_version(connection), ()):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _parent(path: Any) -> Any:
    """The folder of a path; a damaged one stays as it is, to be reported when it is read."""
    return os.path.dirname(path) if isinstance(path, bytes) else path
