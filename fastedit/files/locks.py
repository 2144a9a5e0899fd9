"""Advisory locks between programs that write the same files."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

_PATIENCE_S, _PAUSE_S = 1.0, 0.002  # for another writer of the same file; one takes milliseconds


@contextlib.contextmanager
def alone(targets: Iterable[Path]) -> Iterator[None]:
    """Holds files against other writers that ask the same way, so that none compares before and writes after this.

    Where one cannot be had, as another program holds it or the file system has no locks, the write goes on without.
    """
    deadline = time.monotonic() + _PATIENCE_S
    # Each lock takes a descriptor; the work under the locks needs some too.
    with contextlib.ExitStack() as stack:
        for target in sorted(targets)[: _open_files() // 2]:
            with contextlib.suppress(OSError):
                stack.callback(os.close, _waited_for(target, deadline))
        yield


def wait_for(file: int, deadline: float) -> None:
    """Locks an open file. Raises BlockingIOError where another process still holds it at `deadline`."""
    from filelock import lock_descriptor  # it imports asyncio, which only those who write should wait for

    while not lock_descriptor(file, blocking=False):
        if time.monotonic() > deadline:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        time.sleep(_PAUSE_S)


def _open_files() -> int:
    """How many files a process may have open."""
    import resource  # only now: Windows, which can make diffs, has none

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def _waited_for(target: Path, deadline: float) -> int:
    """A descriptor that locks the file that is at `target` by then, not one that was replaced meanwhile."""
    while True:
        file = os.open(target, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            wait_for(file, deadline)
            if os.path.samestat(os.fstat(file), target.stat()):
                return file
        except OSError:
            os.close(file)
            raise
        os.close(file)
