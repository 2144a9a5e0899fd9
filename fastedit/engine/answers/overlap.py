"""Generators of events that run at the same time, each on a thread of its own."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

from fastedit.connect import Hangup
from fastedit.errors import Cancelled

E = TypeVar("E")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ended(Generic[T]):
    """What a job came to: a value, or the error that it ended with."""

    value: T | Exception

    def outcome(self) -> T:
        """The value. Raises the error."""
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


class Overlap(Generic[E, T]):
    """Runs jobs, which are known by numbers. `hangup` ends what they wait for; closing this calls it and waits for none
    of them."""

    def __init__(self, hangup: Hangup) -> None:
        self._told: SimpleQueue[tuple[int, E | Ended[T]]] = SimpleQueue()
        self._hangup, self._running = hangup, set[int]()

    def __len__(self) -> int:
        return len(self._running)

    def start(self, number: int, job: Generator[E, None, T]) -> None:
        self._running.add(number)
        # A daemon, since nothing should wait for a server that nobody listens to any more.
        Thread(target=self._run, args=(number, job), daemon=True, name="fastedit question").start()

    def next(self) -> tuple[int, E | Ended[T]]:
        """What the next job says, or what it came to. Waits for it."""
        number, told = self._told.get()
        if isinstance(told, Ended):
            self._running.remove(number)
        return number, told

    def close(self) -> None:
        if self._running:
            self._hangup()

    def _run(self, number: int, job: Generator[E, None, T]) -> None:
        ended: Ended[T]
        try:
            while not self._hangup.over:
                self._told.put((number, next(job)))
            job.close()
            ended = Ended(Cancelled())
        except StopIteration as stopped:
            ended = Ended(stopped.value)
        except Exception as error:
            ended = Ended(error)
        self._told.put((number, ended))
