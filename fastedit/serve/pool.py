"""Worker threads that run iterators for the event loop: a bounded queue, first come first served.

An iterator is always closed on the thread that ran it, between two of its steps. So cancelling a job gives its memory
back within one pass of the model, whoever went away and whenever.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterable
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from fastedit.serve.errors import ApiError, deadline_passed
from fastedit.serve.memory import return_freed_memory

LONG_S = 1.0  # jobs that take longer have used much memory
T = TypeVar("T")
# What a job runs: at each step some items, maybe none, for its reader.
Steps = Callable[[], Generator[Iterable[T], None, None]]


class Pool:
    """`workers` threads; at most `queue` further jobs wait."""

    def __init__(self, workers: int, queue: int) -> None:
        self._workers, self._room = workers, workers + queue
        self._waiting: SimpleQueue[Job[Any] | None] = SimpleQueue()
        self._lock = Lock()
        self._jobs = set[Job[Any]]()
        self._running = 0
        self._mean_s = 0.5  # of recent jobs, for Retry-After
        self._threads = [Thread(target=self._work, daemon=True, name=f"edit-{i}") for i in range(workers)]
        for thread in self._threads:
            thread.start()

    @property
    def live(self) -> int:
        """Jobs that wait or run."""
        return len(self._jobs)

    @property
    def waiting(self) -> int:
        return self.live - self._running

    @property
    def workers(self) -> int:
        return self._workers

    def submit(self, make: Steps[T], seconds: float) -> Job[T]:
        """Runs `make()` as soon as a worker is free, for at most `seconds` from now. Raises ApiError 429."""
        with self._lock:
            if self.live >= self._room:
                wait = self._mean_s * self.live / self._workers
                raise ApiError(
                    429,
                    "queue_full",
                    f"{self.live} edits are waiting or running already; try again later",
                    retry_after=min(wait, 60.0),
                )
            job = Job(self, make, seconds)
            self._jobs.add(job)
        self._waiting.put(job)
        return job

    def break_off(self, error: Exception) -> None:
        """Ends all jobs; `error` is the last that their readers get. Called on the event loop."""
        with self._lock:
            jobs = list(self._jobs)
        for job in jobs:
            job.break_off(error)

    def close(self) -> None:
        """Lets the threads end once they are idle."""
        for _ in self._threads:
            self._waiting.put(None)

    def _work(self) -> None:
        while (job := self._waiting.get()) is not None:
            if job.start():
                with self._lock:
                    self._running += 1
                started = time.monotonic()
                error = job.run()
                took = time.monotonic() - started
                with self._lock:
                    self._running -= 1
                    self._jobs.discard(job)
                    self._mean_s += 0.1 * (took - self._mean_s)
                job.finish(error)
                if took >= LONG_S:
                    return_freed_memory()

    def _dropped(self, job: Job[Any]) -> None:
        """It was cancelled before it ran."""
        with self._lock:
            self._jobs.discard(job)


class Job(Generic[T]):
    """One run of an iterator, read by one reader on the event loop: `async for item in job`.

    Reading raises what the iterator raised, and ApiError 408 at the deadline. Whoever stops reading must `cancel`.
    """

    def __init__(self, pool: Pool, make: Steps[T], seconds: float) -> None:
        self._pool, self._seconds = pool, seconds
        self._make: Steps[T] | None = make
        self._loop = asyncio.get_running_loop()
        self._deadline = self._loop.time() + seconds
        self._items: asyncio.Queue[T | _End] = asyncio.Queue()
        self._lock = Lock()
        self._started = self._cancelled = False

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        try:
            async with asyncio.timeout_at(self._deadline):
                item = await self._items.get()
        except TimeoutError:
            self.cancel()
            raise deadline_passed(self._seconds) from None
        if not isinstance(item, _End):
            return item
        if item.error is not None:
            raise item.error
        raise StopAsyncIteration

    def cancel(self) -> None:
        """Nothing more is wanted. May be called at any time and more than once."""
        with self._lock:
            fresh, self._cancelled = not self._cancelled, True
            waiting = not self._started
            if waiting:
                self._make = None
        if fresh and waiting:
            self._pool._dropped(self)

    def break_off(self, error: Exception) -> None:
        """Nothing more comes: the reader gets what there is already, then `error`."""
        self._items.put_nowait(_End(error))
        self.cancel()

    # What follows is for the worker.

    def start(self) -> bool:
        with self._lock:
            self._started = not self._cancelled
            return self._started

    def run(self) -> BaseException | None:
        make, self._make = self._make, None
        assert make is not None
        try:
            steps = make()
            with contextlib.closing(steps):
                for items in steps:
                    if self._cancelled:
                        break
                    for item in items:
                        self._tell(item)
        except BaseException as error:
            return error
        return None

    def finish(self, error: BaseException | None) -> None:
        self._tell(_End(error))

    def _tell(self, item: T | _End) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is gone: so is the reader
            self._loop.call_soon_threadsafe(self._items.put_nowait, item)


class _End:
    """Stands behind a job's last item."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error
