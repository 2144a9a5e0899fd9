"""Ends answers from another thread than those that wait for them."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Event, Lock
from typing import Any
from weakref import WeakSet

from fastedit.errors import Cancelled


class Hangup:
    """Given to the questions of one edit. Once called, their connections break, and nothing is asked again."""

    def __init__(self) -> None:
        self._lock, self._over = Lock(), Event()
        self._readings = WeakSet[Future[Any]]()

    @property
    def over(self) -> bool:
        return self._over.is_set()

    def check(self) -> None:
        """Raises Cancelled once it was called: for work that asks nobody, between two parts of it."""
        if self.over:
            raise Cancelled

    def __call__(self) -> None:
        with self._lock:
            self._over.set()
            for reading in self._readings:
                reading.cancel()

    def hold(self, reading: Future[Any]) -> None:
        """Cancels this when it is called, or now if it was."""
        with self._lock:
            self._readings.add(reading)
            if self.over:
                reading.cancel()

    def pause(self, seconds: float) -> None:
        """Waits, but not beyond a call."""
        self._over.wait(seconds)
