from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

import pytest

from fastedit.errors import JournalUnavailable
from fastedit.files.journal import Journal


def connect() -> contextlib.closing[sqlite3.Connection]:
    return contextlib.closing(sqlite3.connect(Path(os.environ["FASTEDIT_STATE"]) / "journal.sqlite3"))


def test_a_journal_of_an_older_version_is_left_alone_with_a_way_out():
    Journal.open().close()
    with connect() as connection:
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    with pytest.raises(JournalUnavailable, match="made by an older fastedit; move it away or set"):
        Journal.open()


def test_opening_again_changes_nothing():
    Journal.open().close()
    file = Path(os.environ["FASTEDIT_STATE"]) / "journal.sqlite3"
    before = file.read_bytes()
    Journal.open().close()
    assert file.read_bytes() == before
