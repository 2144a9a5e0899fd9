"""Ends answers from another thread than those that wait for them."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Lock


class Hangup:
    """Given to the questions of one edit. Once called, their connections break, and nothing is asked again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._lines: dict[object, socket.socket] = {}  # by the question that each one serves
        self.over = False

    def __call__(self) -> None:
        with self._lock:
            self.over = True
            for line in self._lines.values():
                shut(line)

    def hold(self, question: object, line: socket.socket) -> None:
        """From now on this is the question's connection."""
        with self._lock:
            self._lines[question] = line
            if self.over:
                shut(line)

    def release(self, question: object) -> None:
        """Its connection may be another one's now."""
        with self._lock:
            self._lines.pop(question, None)


def shut(line: socket.socket) -> None:
    with suppress(OSError):
        # On the bare socket: below TLS, whose own shutdown would wait for the other side.
        socket.socket.shutdown(line, socket.SHUT_RDWR)
