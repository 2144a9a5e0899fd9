"""The folder that keeps what fastedit remembers of the user's edits."""

from __future__ import annotations

import os
from pathlib import Path

from fastedit.errors import JournalUnavailable


def state_folder() -> Path:
    """`FASTEDIT_STATE`, else the user's state folder."""
    if folder := os.environ.get("FASTEDIT_STATE"):
        return Path(folder)
    import platformdirs

    return Path(platformdirs.user_state_dir("fastedit", appauthor=False))


def recover() -> list[str]:
    """Rolls back edits that were interrupted by a crash; a line for each that changed files.

    Every command calls it before it reads a file, so it loads the journal only if a process died with it open.
    """
    # SQLite removes its write-ahead log when the last connection is closed.
    if not os.path.exists(state_folder() / "journal.sqlite3-wal"):
        return []
    from fastedit.files import recovery
    from fastedit.files.journal import Journal

    try:
        with Journal.open() as journal:
            return recovery.recover(journal)
    except JournalUnavailable:
        return []  # whoever needs the journal says so
