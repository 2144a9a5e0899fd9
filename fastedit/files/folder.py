"""Folders by descriptor: a link that is put in the place of a folder meanwhile leads nowhere."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

# Looking names up needs no permission to list the folder, which O_RDONLY would ask for.
_LOOKUP = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


@contextlib.contextmanager
def opened(root: Path, folder: Path) -> Iterator[int]:
    """A descriptor of `folder`, reached from `root` without following a link; for the `dir_fd` of `os` functions."""
    handle = os.open(root, _LOOKUP)
    try:
        for part in folder.relative_to(root).parts:
            inner = os.open(part, _LOOKUP | os.O_NOFOLLOW, dir_fd=handle)
            os.close(handle)
            handle = inner
        yield handle
    finally:
        os.close(handle)


def missing(root: Path, folders: Iterable[Path]) -> list[Path]:
    """What must be made within `root` for these folders to exist, outermost first."""
    needed = {parent for folder in folders for parent in (folder, *folder.parents) if root in parent.parents}
    return sorted(folder for folder in needed if not os.path.lexists(folder))


def make(root: Path, folders: Sequence[Path]) -> None:
    for folder in folders:
        with opened(root, folder.parent) as handle, contextlib.suppress(FileExistsError):
            os.mkdir(folder.name, dir_fd=handle)


def remove_empty(root: Path, folders: Sequence[Path]) -> None:
    """Removes the folders that `make` made, except where something else was put into one."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError), opened(root, folder.parent) as handle:
            os.rmdir(folder.name, dir_fd=handle)


def sync(root: Path, folders: Iterable[Path]) -> None:
    """Makes renames and removals in these folders durable, where the file system can."""
    for folder in sorted(set(folders)):
        with contextlib.suppress(OSError), opened(root, folder) as handle:
            descriptor = os.open(".", os.O_RDONLY | os.O_CLOEXEC, dir_fd=handle)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
