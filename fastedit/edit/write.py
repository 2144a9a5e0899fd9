"""Replaces a file in one step: whenever anyone looks or the machine stops, it is wholly old or wholly new."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from fastedit.errors import StaleFile, WriteFailed

_PATIENCE_S, _PAUSE_S = 1.0, 0.002  # for another writer of the same file; one takes milliseconds

_WAYS_OUT = {
    errno.ENOSPC: "free some space and try again",
    errno.EDQUOT: "free some space and try again",
    errno.EFBIG: "raise the limit on file sizes",
    errno.EROFS: "copy the file to a writable place",
    errno.EACCES: "make the file and its folder writable",
    errno.EPERM: "make the file and its folder writable",
    errno.ENOENT: "create its folder first",
}


def atomic_write(path: str | Path, data: bytes, expected_sha256: str | None) -> None:
    """Makes `data` the contents of the file at `path`, safe on disk when this returns.

    The file must still hold what `expected_sha256` (hex) says; with None whatever is there is replaced, and
    nothing need be. Mode, owner and extended attributes stay as far as the system lets them. A symbolic link
    stays one and its target is written; other hard links keep the old contents. Raises StaleFile or
    WriteFailed, the file then untouched.
    """
    target = resolved(path)
    with _explained(path), _alone(target):
        before = _existing(target, path)
        if expected_sha256 is not None:
            _compare(target, path, expected_sha256)
        with _temporary(target.parent, stat.S_IMODE(before.st_mode) if before else 0o666) as (
            file,
            temporary,
        ):
            _fill(file, data)
            if before:
                _keep_attributes(file, target, before)
            os.fsync(file)
            # Another program may have written since the comparison; looking again narrows the gap to microseconds.
            if expected_sha256 is not None and _version(_existing(target, path)) != _version(before):
                raise StaleFile(f"{path}: changed while the edit was being written; apply the edit again")
            os.replace(temporary, target)
    _sync_folder(target.parent)


def rehearse(path: str | Path, size: int) -> None:
    """Raises WriteFailed where `size` bytes could not be written to `path` now; leaves nothing behind.

    Called before the work that makes those bytes. `atomic_write` may still fail: much can happen meanwhile.
    """
    target = resolved(path)
    with _explained(path):
        _existing(target, path)
        with _temporary(target.parent, 0o600) as (file, _):
            _fill(file, bytes(size))


@contextlib.contextmanager
def _explained(path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        way_out = _WAYS_OUT.get(error.errno or 0, "write to another place")
        raise WriteFailed(f"{path}: {error.strerror or error}; {way_out}") from None


def resolved(path: str | Path) -> Path:
    """The whole path of a file, without links. Raises WriteFailed where there is no folder to start from."""
    try:
        return Path(os.path.realpath(path))
    except FileNotFoundError:
        raise WriteFailed(f"{path}: the current folder was removed; change to another one") from None


def _existing(target: Path, path: str | Path) -> os.stat_result | None:
    """What is at `target`, None where nothing is. Raises WriteFailed where it must not be replaced."""
    try:
        status = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise WriteFailed(f"{path}: is not a regular file; name one")
    # A rename asks nobody whether the file itself may be written, so the mode is asked here.
    if not status.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise WriteFailed(f"{path}: is read-only; make it writable first")
    return status


def _compare(target: Path, path: str | Path, expected_sha256: str) -> None:
    try:
        found = hashlib.sha256(target.read_bytes()).hexdigest()
    except FileNotFoundError:
        raise StaleFile(f"{path}: was removed since it was read; nothing was written") from None
    if found != expected_sha256:
        raise StaleFile(f"{path}: changed on disk since it was read; apply the edit again")


@contextlib.contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Holds the file against other writers that ask the same way, so that none compares before and writes after this.

    Where it cannot be had, as another program holds it or the file system has no locks, the write goes on without.
    """
    deadline, file = time.monotonic() + _PATIENCE_S, -1
    try:
        while file < 0 and time.monotonic() < deadline:
            try:
                file = _held(target)
            except BlockingIOError:
                time.sleep(_PAUSE_S)
            except OSError:
                break
        yield
    finally:
        if file >= 0:
            os.close(file)


def _held(target: Path) -> int:
    """A descriptor that locks the file that is at `target` now. Raises BlockingIOError where another one does."""
    file = os.open(target, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(file), target.stat()):
            raise BlockingIOError("replaced meanwhile")
    except OSError:
        os.close(file)
        raise
    return file


@contextlib.contextmanager
def _temporary(folder: Path, mode: int) -> Iterator[tuple[int, Path]]:
    """An open descriptor and its new file in `folder`, which is gone afterwards unless it was renamed."""
    path = folder / f".fastedit-{secrets.token_hex(8)}"
    file = -1
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        yield file, path
    finally:
        if file >= 0:
            os.close(file)
        path.unlink(missing_ok=True)


def _fill(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def _keep_attributes(file: int, target: Path, before: os.stat_result) -> None:
    """Owner first: changing it clears the set-user-id bits of the mode."""
    with contextlib.suppress(PermissionError):
        os.fchown(file, before.st_uid, before.st_gid)
    for name in os.listxattr(target) if hasattr(os, "listxattr") else ():
        with contextlib.suppress(OSError):
            os.setxattr(file, name, os.getxattr(target, name))
    os.fchmod(file, stat.S_IMODE(before.st_mode))


def _version(status: os.stat_result | None) -> tuple[int, ...]:
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns) if status else ()


def _sync_folder(folder: Path) -> None:
    """Makes the rename itself durable, where the file system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
