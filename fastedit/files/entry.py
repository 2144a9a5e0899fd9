"""Entries of the journal: which files an edit changed, from what to what."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

_YEAR_10000 = 253_402_300_800.0  # in seconds since 1970


class EntryStatus(StrEnum):
    PENDING = "pending"  # being written, or interrupted
    WRITTEN = "written"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class EntryFile:
    """One file of an edit; a hash of None stands for no file. `kept`: can the journal still bring it back?

    `mode` has the permission bits from before where the edit did not keep them. `temporary` was the name of the new
    file before it was put in its place.
    """

    path: Path
    before_sha256: str | None
    after_sha256: str | None
    mode: int | None
    temporary: str
    kept: bool

    @classmethod
    def from_row(cls, path: Any, before: Any, after: Any, mode: Any, temporary: Any, kept: Any) -> EntryFile:
        """SQLite keeps values of any type in any column. Raises ValueError for what was never kept here."""
        hashes = all(value is None or isinstance(value, str) for value in (before, after))
        if not (hashes and isinstance(mode, int | None) and isinstance(temporary, str)):
            raise ValueError
        return cls(_path(path), before, after, mode, temporary, bool(kept))


@dataclass(frozen=True, slots=True)
class UpdateText:
    """The update that an edit of one file was made of, and what it was narrowed to: a symbol, lines from 0."""

    text: str
    symbol: str | None = None
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One edit. `time` is in seconds since 1970; `folders` were made by it, outermost first.

    While an edit is being taken back, a pending entry that `undoes` it stands for that.
    """

    id: int
    time: float
    root: Path
    folders: tuple[Path, ...]
    instruction: str
    hunks: int
    status: EntryStatus
    undoes: int | None
    files: tuple[EntryFile, ...]

    @property
    def title(self) -> str:
        """The first file and how many more there are."""
        more = len(self.files) - 1
        return f"{self.files[0].path}" + (f" and {more} more file{'s'[: more != 1]}" if more else "")

    def as_dict(self) -> dict[str, Any]:
        """For programs, as `fastedit log --json` prints it."""
        return {
            "id": self.id,
            "time": self.time,
            "instruction": self.instruction,
            "hunks": self.hunks,
            "status": self.status.value,
            "files": [
                {
                    "path": str(file.path),
                    "before_sha256": file.before_sha256,
                    "after_sha256": file.after_sha256,
                    "kept": file.kept,
                }
                for file in self.files
            ],
        }

    @classmethod
    def from_row(cls, row: Sequence[Any], files: Sequence[Sequence[Any]]) -> JournalEntry:
        """Raises ValueError like `EntryFile.from_row`."""
        id_, at, root, folders, text, hunks, status, undoes = row
        sound = isinstance(at, float) and 0 <= at < _YEAR_10000 and isinstance(folders, bytes)
        if not (
            sound
            and isinstance(text, str)
            and type(hunks) is int
            and isinstance(undoes, int | None)
            and files
        ):
            raise ValueError
        made = tuple(_path(folder) for folder in folders.split(b"\0") if folder)
        listed = tuple(EntryFile.from_row(*row) for row in files)
        return cls(id_, at, _path(root), made, text, hunks, EntryStatus(status), undoes, listed)


def _path(value: Any) -> Path:
    """A path is kept as bytes, since names need not be UTF-8."""
    if not isinstance(value, bytes) or b"\0" in value:
        raise ValueError
    return Path(os.fsdecode(value))
