"""The steps that every write to disk is made of: look at the old file, write a new one beside it."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from fastedit.errors import InputRefused, StaleFile, WriteFailed

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
_WAYS_OUT = {
    errno.ENOSPC: "free some space and try again",
    errno.EDQUOT: "free some space and try again",
    errno.EFBIG: "raise the limit on file sizes",
    errno.EROFS: "copy the file to a writable place",
    errno.EACCES: "make the file and its folder writable",
    errno.EPERM: "make the file and its folder writable",
    errno.ENOENT: "create its folder first",
    errno.ENAMETOOLONG: "choose a shorter name",
}


@contextlib.contextmanager
def explained(name: str) -> Iterator[None]:
    """Turns what the system says about the file `name` into WriteFailed."""
    try:
        yield
    except OSError as error:
        way_out = _WAYS_OUT.get(error.errno or 0, "write to another place")
        raise WriteFailed(f"{name}: {error.strerror or error}; {way_out}") from None


def none_written(error: InputRefused, count: int) -> InputRefused:
    """The error, which of `count` files tells that all of them are as they were."""
    return type(error)(f"nothing was written: {error}") if count > 1 else error


def temporary_name() -> str:
    return f".fastedit-{secrets.token_hex(8)}"


def existing(folder: int, file: str, name: str) -> os.stat_result | None:
    """What is at `file`, None where nothing is. Raises WriteFailed where it must not be replaced."""
    try:
        status = os.stat(file, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise WriteFailed(f"{name}: is not a regular file; name one")
    # A rename asks nobody whether the file itself may be written, so the mode is asked here.
    if not status.st_mode & 0o222 or not os.access(file, os.W_OK, dir_fd=folder):
        raise WriteFailed(f"{name}: is read-only; make it writable first")
    return status


def contents(folder: int, file: str) -> bytes:
    """The bytes of a file that is no link."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with open(descriptor, "rb") as opened:
        return opened.read()


def compare(folder: int, file: str, name: str, expected_sha256: str) -> None:
    """Raises StaleFile unless the file is as it was read."""
    try:
        found = hashlib.sha256(contents(folder, file)).hexdigest()
    except FileNotFoundError:
        raise StaleFile(
            f"{name}: was removed since it was read; put it back and apply the edit again"
        ) from None
    if found != expected_sha256:
        raise StaleFile(f"{name}: changed on disk since it was read; apply the edit again")


def version(status: os.stat_result | None) -> tuple[int, ...]:
    """Differs once another program has written the file."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns) if status else ()


def look_again(folder: int, file: str, name: str, seen: tuple[int, ...]) -> None:
    """Another program may have written since the comparison; looking again narrows the gap to microseconds."""
    if version(existing(folder, file, name)) != seen:
        raise StaleFile(f"{name}: changed while the edit was being written; apply the edit again")


def stage(folder: int, file: str, data: bytes, mode: int) -> int:
    """Creates `file` with `data`; an open descriptor, not yet synced."""
    descriptor = new(folder, file, mode)
    try:
        fill(descriptor, data)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def new(folder: int, file: str, mode: int) -> int:
    """Creates an empty `file`, which is not there; an open descriptor."""
    return os.open(file, _NEW, mode, dir_fd=folder)


def fill(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def permissions(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def keep_attributes(file: int, like: Path) -> None:
    """Owner first: changing it clears the set-user-id bits of the mode."""
    status = like.lstat()
    with contextlib.suppress(PermissionError):
        os.fchown(file, status.st_uid, status.st_gid)
    for name in os.listxattr(like) if hasattr(os, "listxattr") else ():
        with contextlib.suppress(OSError):
            os.setxattr(file, name, os.getxattr(like, name))
    os.fchmod(file, stat.S_IMODE(status.st_mode))


def remove(folder: int, file: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(file, dir_fd=folder)
