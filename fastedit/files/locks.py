"""Advisory locks between programs that write the same files."""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
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
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2
    with contextlib.ExitStack() as stack:
        for target in sorted(targets)[:most]:
            with contextlib.suppress(OSError):
                stack.callback(os.close, _waited_for(target, deadline))
        yield


def wait_for(file: int, deadline: float) -> None:
    """Locks an open file. Raises BlockingIOError where another process still holds it at `deadline`."""
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_S)


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
