"""Ends an answer from another thread than the one that waits for it."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Lock


class Hangup:
    """Given to one question at a time. Once called, that question's connection breaks, and nothing is asked again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._line: socket.socket | None = None
        self.over = False

    def __call__(self) -> None:
        with self._lock:
            self.over = True
            if self._line is not None:
                shut(self._line)

    def hold(self, line: socket.socket) -> None:
        """From now on this is the connection that breaks."""
        with self._lock:
            self._line = line
            if self.over:
                shut(line)

    def release(self) -> None:
        """The connection may be another question's now."""
        with self._lock:
            self._line = None


def shut(line: socket.socket) -> None:
    with suppress(OSError):
        # On the bare socket: below TLS, whose own shutdown would wait for the other side.
        socket.socket.shutdown(line, socket.SHUT_RDWR)
