"""Replaces a file in one step: whenever anyone looks or the machine stops, it is wholly old or wholly new."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from fastedit.errors import WriteFailed
from fastedit.files.folder import opened, sync
from fastedit.files.locks import alone
from fastedit.files.staging import (
    compare,
    existing,
    explained,
    keep_attributes,
    look_again,
    remove,
    stage,
    temporary_name,
    version,
)


def atomic_write(
    path: str | Path, data: bytes, expected_sha256: str | None, root: Path | None = None
) -> None:
    """Makes `data` the contents of the file at `path`, safe on disk when this returns.

    The file must still hold what `expected_sha256` (hex) says; with None whatever is there is replaced, and
    nothing need be. Mode, owner and extended attributes stay as far as the system lets them. A symbolic link
    stays one and its target is written; other hard links keep the old contents. With a `root`, `path` has no
    links, and one that was put in its way within the root is not followed. Raises StaleFile or WriteFailed, the file
    then untouched.
    """
    target, name = Path(path) if root else resolved(path), str(path)
    with explained(name), alone([target]), opened(root or target.parent, target.parent) as folder:
        before = existing(folder, target.name, name)
        if expected_sha256 is not None:
            compare(folder, target.name, name, expected_sha256)
        mode = stat.S_IMODE(before.st_mode) if before else 0o666
        with _temporary(folder, data, mode) as (file, temporary):
            if before:
                keep_attributes(file, target)
            os.fsync(file)
            if expected_sha256 is not None:
                look_again(folder, target.name, name, version(before))
            os.replace(temporary, target.name, src_dir_fd=folder, dst_dir_fd=folder)
    sync(target.parent, [target.parent])


def links_note(path: Path, name: str) -> Iterator[str]:
    """What a person should know before `path` is replaced: a line where the file has other names (hard links)."""
    with contextlib.suppress(OSError):
        others = path.lstat().st_nlink - 1
        if others > 0:
            names = "other names keep" if others > 1 else "other name keeps"
            yield f"{name}: is a hard link; the file's {names} the old text"


def rehearse(path: str | Path, size: int) -> None:
    """Raises WriteFailed where `size` bytes could not be written to `path` now; leaves nothing behind.

    Called before the work that makes those bytes. `atomic_write` may still fail: much can happen meanwhile.
    """
    target, name = resolved(path), str(path)
    with explained(name), opened(target.parent, target.parent) as folder:
        existing(folder, target.name, name)
        with _temporary(folder, bytes(size), 0o600):
            pass


def resolved(path: str | Path) -> Path:
    """The whole path of a file, without links. Raises WriteFailed where there is no folder to start from."""
    try:
        return Path(os.path.realpath(path))
    except FileNotFoundError:
        raise WriteFailed(f"{path}: the current folder was removed; change to another one") from None


@contextlib.contextmanager
def _temporary(folder: int, data: bytes, mode: int) -> Iterator[tuple[int, str]]:
    """An open descriptor and the name of a new file with `data`, gone afterwards unless it was renamed."""
    name = temporary_name()
    file = -1
    try:
        file = stage(folder, name, data, mode)
        yield file, name
    finally:
        if file >= 0:
            os.close(file)
        remove(folder, name)
