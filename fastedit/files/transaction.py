"""Changes to many files as one: all of them are written or none, and one undo takes all of them back.

The journal is the write-ahead log. An entry with the old contents is on disk first, then every new file beside its
place, and only then does the first one take its place. Whatever stops the process in between, the next command rolls
the entry back.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from fastedit.errors import FasteditError, InputRefused, JournalUnavailable, WriteFailed
from fastedit.files.change import ContentChange
from fastedit.files.effects import Effect
from fastedit.files.folder import missing
from fastedit.files.journal import Journal
from fastedit.files.plan import make_plan
from fastedit.files.recovery import complete, roll_back, settle
from fastedit.files.staging import none_written
from fastedit.files.swap import swap


def commit(root: str | Path, effects: Iterable[Effect], instruction: str, hunks: int) -> int | None:
    """Carries out effects on the files under `root`; the journal entry's id, None where nothing changes.

    Raises InputRefused, all files then untouched.
    """
    with Journal.open() as journal, journal.exclusive():
        settle(journal)
        plan = make_plan(root, effects)
        if not plan.changes:
            return None
        return write(journal, plan.root, plan.changes, instruction, hunks)


def write(
    journal: Journal,
    root: Path,
    changes: Sequence[ContentChange],
    instruction: str,
    hunks: int,
    undoes: int | None = None,
) -> int:
    """Makes all changes or none and keeps an entry, whose id is returned; with `undoes`, takes that entry back.

    The caller holds the journal. Raises JournalUnavailable before anything is written, StaleFile or WriteFailed.
    """
    folders = missing(root, (change.path.parent for change in changes if not change.deletes))
    entry = journal.add(root, changes, folders, instruction, hunks, undoes)
    made: list[Path] = []
    try:
        swap(root, changes, folders, made)
    except BaseException as error:
        _take_back(journal, entry, made, error)
        if isinstance(error, InputRefused):
            raise none_written(error, len(changes)) from None
        raise
    # An entry that is left pending will be found complete.
    with contextlib.suppress(JournalUnavailable):
        complete(journal, journal.get(entry))
    return entry


def _take_back(journal: Journal, entry: int, made: Sequence[Path], error: BaseException) -> None:
    try:
        roll_back(journal, journal.get(entry), made)
    except FasteditError as second:
        raise WriteFailed(
            f"{error}; files that were already written cannot be put back yet ({second}); "
            "the next fastedit command tries again"
        ) from None
    # One that is left pending will be found taken back.
    with contextlib.suppress(JournalUnavailable):
        journal.remove(entry)
