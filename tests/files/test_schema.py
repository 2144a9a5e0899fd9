from __future__ import annotations

import contextlib
import os
import sqlite3
import zlib
from pathlib import Path

import pytest

from fastedit.errors import JournalUnavailable
from fastedit.files import schema
from fastedit.files.journal import Journal
from fastedit.files.recovery import recover
from fastedit.files.undo import undo
from tests.files.trees import sha256

VERSION_1 = """
CREATE TABLE entries (
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


def connect() -> contextlib.closing[sqlite3.Connection]:
    return contextlib.closing(sqlite3.connect(Path(os.environ["FASTEDIT_STATE"]) / "journal.sqlite3"))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"three")
    return path


@pytest.fixture
def version_1(path):
    """A journal of the first version in which a file went from one to two to three."""

    def row(before: bytes, after: bytes, status: str, kept: bool = True):
        packed = zlib.compress(before, 1) if kept else None
        return (1.5, os.fsencode(path), sha256(before), sha256(after), "change it", 2, status, packed)

    rows = [
        row(b"zero", b"one", "undone", kept=False),
        row(b"one", b"two", "written"),
        row(b"two", b"three", "pending"),
    ]
    with connect() as connection:
        connection.execute(VERSION_1)
        connection.executemany("INSERT INTO entries VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        connection.execute("PRAGMA user_version = 1")
        connection.commit()


@pytest.mark.usefixtures("version_1")
def test_entries_of_version_1_are_kept(path):
    with Journal.open() as journal:
        newest, middle, oldest = journal.entries()
    assert (middle.id, middle.time, middle.instruction, middle.hunks) == (2, 1.5, "change it", 2)
    assert (middle.root, middle.folders, middle.undoes) == (path.parent, (), None)
    (file,) = middle.files
    assert (file.path, file.before_sha256, file.after_sha256) == (path, sha256(b"one"), sha256(b"two"))
    assert [entry.status for entry in (newest, middle, oldest)] == ["pending", "written", "undone"]
    assert [entry.files[0].kept for entry in (newest, middle, oldest)] == [True, True, False]


@pytest.mark.usefixtures("version_1")
def test_edits_of_version_1_can_be_undone(path):
    with Journal.open() as journal:
        assert undo(journal, path).id == 3
        assert undo(journal).id == 2
    assert path.read_bytes() == b"one"


@pytest.mark.usefixtures("version_1")
@pytest.mark.parametrize(
    ("found", "left"), [(b"two", ["written", "undone"]), (b"three", ["written"] * 2 + ["undone"])]
)
def test_a_crash_under_version_1_is_settled_by_what_the_file_holds(path, found, left):
    path.write_bytes(found)
    with Journal.open() as journal:
        assert recover(journal) == []
        assert [entry.status for entry in journal.entries()] == left
    assert path.read_bytes() == found


@pytest.mark.usefixtures("version_1")
def test_a_migration_that_stops_halfway_leaves_version_1(path, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setitem(schema._STEPS, 1, (*schema._STEPS[1][:-1], "DROP TABLE nowhere"))
        with pytest.raises(JournalUnavailable, match="no such table: nowhere"):
            Journal.open()
    with connect() as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM entries WHERE path IS NOT NULL").fetchone() == (3,)
    with Journal.open() as journal:
        assert len(journal.entries()) == 3


@pytest.mark.usefixtures("version_1")
def test_a_damaged_entry_of_version_1_is_still_one_line():
    with connect() as connection:
        connection.execute("UPDATE entries SET path = 'a.py' WHERE id = 2")
        connection.commit()
    with Journal.open() as journal, pytest.raises(JournalUnavailable, match="edit 2 is damaged"):
        journal.entries()


def test_a_process_that_died_while_it_made_the_first_journal_is_no_hindrance():
    with connect() as connection:
        connection.execute(VERSION_1)
        connection.commit()
    with Journal.open() as journal:
        assert journal.entries() == []


def test_opening_again_changes_nothing():
    Journal.open().close()
    file = Path(os.environ["FASTEDIT_STATE"]) / "journal.sqlite3"
    before = file.read_bytes()
    Journal.open().close()
    assert file.read_bytes() == before
