"""Hangs up on a server that is silent for too long."""

from __future__ import annotations

import socket
from threading import Condition, Thread
from time import monotonic
from typing import Final

from fastedit.connect.hangup import shut

OVERDUE: Final = "gave no whole answer within the time limit"


def unheard(seconds: float) -> str:
    return f"said nothing for {seconds:g} s"


class Silence:
    """Watches one answer: `first` seconds may pass before it is heard, `later` seconds between two signs of life, and
    nothing after the moment `until`.

    A read timeout will not do: it begins again with each keep-alive and is the same before the answer and within it.
    """

    def __init__(self, line: socket.socket, first: float, later: float, until: float) -> None:
        self._line, self._later, self._until = line, later, until
        self._due = min(monotonic() + first, until)
        self._wake, self._over = Condition(), False
        self.said: str | None = None  # why it hung up
        self._why = unheard(first)
        Thread(target=self._watch, name="fastedit silence", daemon=True).start()

    def heard(self) -> None:
        """The server said something that is no mere keep-alive."""
        due = min(monotonic() + self._later, self._until)
        self._why = f"fell silent for {self._later:g} s in mid-answer"
        earlier, self._due = due < self._due, due
        if earlier:
            with self._wake:
                self._wake.notify()

    def end(self) -> None:
        with self._wake:
            self._over = True
            self._wake.notify()

    def _watch(self) -> None:
        with self._wake:
            while not self._over:
                left = self._due - monotonic()
                if left <= 0:
                    self.said = OVERDUE if self._due >= self._until else self._why
                    shut(self._line)
                    return
                self._wake.wait(left)
