"""Puts many new files in the place of old ones, with each file and each folder synced once."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from fastedit.errors import StaleFile
from fastedit.files.change import ContentChange
from fastedit.files.folder import make, opened, sync
from fastedit.files.locks import alone
from fastedit.files.staging import (
    compare,
    existing,
    explained,
    keep_attributes,
    look_again,
    permissions,
    remove,
    stage,
    version,
)

_OPEN_AT_ONCE = 64  # the first sync of many new files takes most others to disk with it
_NO_HARD_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


def swap(root: Path, changes: Sequence[ContentChange], folders: Sequence[Path], made: list[Path]) -> None:
    """Makes `folders` and then the changes; all of it is on disk when this returns.

    Raises StaleFile or WriteFailed. By then some changes may have been made, whose paths are in `made`, and temporary
    files be left: the caller takes these back, and no other file, though it be as wanted: then another program made it
    so.
    """
    # A renamed file is for a moment in two places rather than in none.
    changes = sorted(changes, key=lambda change: change.deletes)
    with alone(change.path for change in changes if not change.creates):
        with explained(str(root)):
            make(root, folders)
        versions = [_verified(root, change) for change in changes]
        for start in range(0, len(changes), _OPEN_AT_ONCE):
            _stage(root, changes[start : start + _OPEN_AT_ONCE])
        # Before the first rename, so that a file which changed meanwhile is met while all are still old.
        for change, seen in zip(changes, versions, strict=True):
            with _folder_of(root, change) as folder:
                look_again(folder, change.path.name, change.name, seen)
        for change, seen in zip(changes, versions, strict=True):
            with _folder_of(root, change) as folder:
                look_again(folder, change.path.name, change.name, seen)
                made.append(change.path)  # before, since a signal may come right after
                try:
                    _place(folder, change)
                except (OSError, StaleFile):
                    made.pop()
                    raise
                if change.creates:
                    remove(folder, change.temporary)
    sync(root, {change.path.parent for change in changes} | {folder.parent for folder in folders})


def swap_one(root: Path, change: ContentChange) -> None:
    """`swap` of one change: made or, where that raises StaleFile or WriteFailed, not, with nothing left behind."""
    try:
        swap(root, [change], (), [])
    finally:
        with contextlib.suppress(OSError), opened(root, change.path.parent) as folder:
            remove(folder, change.temporary)


@contextlib.contextmanager
def _folder_of(root: Path, change: ContentChange) -> Iterator[int]:
    with explained(change.name), opened(root, change.path.parent) as folder:
        yield folder


def _verified(root: Path, change: ContentChange) -> tuple[int, ...]:
    """The version of the file to be changed. Raises StaleFile unless it is what the change starts from."""
    with _folder_of(root, change) as folder:
        found = existing(folder, change.path.name, change.name)
        if expected := change.before_sha256:
            compare(folder, change.path.name, change.name, expected)
        elif found:
            raise _appeared(change)
        return version(found)


def _stage(root: Path, changes: Sequence[ContentChange]) -> None:
    """Writes the new files beside their places. All are written before the first is synced, which is far faster."""
    with contextlib.ExitStack() as stack:
        staged = []
        for change in changes:
            if change.after is None:
                continue
            with _folder_of(root, change) as folder:
                file = stage(folder, change.temporary, change.after, _first_mode(change))
                stack.callback(os.close, file)
                if change.like is not None:
                    keep_attributes(file, change.like)
                if change.mode is not None:
                    os.fchmod(file, change.mode)
            staged.append((change, file))
        for change, file in staged:
            with explained(change.name):
                os.fsync(file)


def _first_mode(change: ContentChange) -> int:
    """The new file is never readable to more people than the one it stands for."""
    if change.like is not None:
        return permissions(change.like)
    return 0o777 if change.executable else 0o666


def _place(folder: int, change: ContentChange) -> None:
    file = change.path.name
    if change.deletes:
        os.unlink(file, dir_fd=folder)
    elif change.creates:
        _place_new(folder, change)
    else:
        os.replace(change.temporary, file, src_dir_fd=folder, dst_dir_fd=folder)


def _place_new(folder: int, change: ContentChange) -> None:
    """By a link, which unlike a rename never takes the place of a file that another program has just made."""
    try:
        os.link(change.temporary, change.path.name, src_dir_fd=folder, dst_dir_fd=folder)
    except FileExistsError:
        raise _appeared(change) from None
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        os.replace(change.temporary, change.path.name, src_dir_fd=folder, dst_dir_fd=folder)


def _appeared(change: ContentChange) -> StaleFile:
    return StaleFile(f"{change.name}: was created since the edit was made; apply the edit again")
