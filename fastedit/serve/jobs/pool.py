"""Worker threads that run iterators for the event loop, from a bounded queue that API keys share.

An iterator is always closed on the thread that ran it, between two of its steps, and is told by a hangup to end the
one that it is in. So cancelling a job gives its memory back within one pass of the model, whoever went away and
whenever.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Generator, Iterable
from threading import Condition, Lock, Thread
from typing import Any, Generic, TypeVar

from fastedit.connect import Hangup
from fastedit.serve.bodies.errors import ApiError
from fastedit.serve.jobs.memory import return_freed_memory

LONG_S = 1.0  # jobs that take longer have used much memory
T = TypeVar("T")
# What a job runs: at each step some items, maybe none, for its reader. Whoever cancels it calls the hangup.
Steps = Callable[[Hangup], Generator[Iterable[T], None, None]]


class Pool:
    """`workers` threads; at most `queue` further jobs wait.

    Keys take turns. Where they are `shared`, no key has more jobs waiting than there is room for others, so that one
    that sends without end leaves room for the next (Choudhury and Hahne 1998, dynamic queue length thresholds).
    """

    def __init__(self, workers: int, queue: float, *, shared: bool = False) -> None:
        self.workers, self._room, self._shared = workers, workers + queue, shared
        self._waiting = OrderedDict[str, deque[Job[Any]]]()  # by key, the one whose turn it is first
        self._closed = False
        self._lock = Condition(Lock())
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

    def submit(self, make: Steps[T], seconds: float, key: str = "") -> Job[T]:
        """Runs `make` as soon as a worker is free, for at most `seconds` from now. Raises ApiError 429."""
        with self._lock:
            own = len(self._waiting.get(key, ())) if self._shared else 0
            if self.live + own >= self._room:
                wait = self._mean_s * self.live / self.workers
                said = f"{self.live} edits are waiting or running already"
                if self.live < self._room:
                    said = f"{own} edits of this key are waiting already, and the rest of the queue is for others"
                raise ApiError(
                    429,
                    "queue_full",
                    f"{said}; try again later",
                    retry_after=min(wait, 60.0),
                )
            job = Job(self, make, seconds, key)
            self._jobs.add(job)
            self._waiting.setdefault(key, deque()).append(job)
            self._lock.notify()
        return job

    def break_off(self, error: Exception) -> None:
        """Ends all jobs; `error` is the last that their readers get. Called on the event loop."""
        with self._lock:
            jobs = list(self._jobs)
        for job in jobs:
            job.break_off(error)

    def close(self) -> None:
        """Lets the threads end once they are idle."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()

    def _next(self) -> Job[Any] | None:
        """The next job of the key whose turn it is; None once the pool is closed and nothing waits. Waits for it."""
        with self._lock:
            self._lock.wait_for(lambda: self._waiting or self._closed)
            if not self._waiting:
                return None
            key, jobs = self._waiting.popitem(last=False)
            job = jobs.popleft()
            if jobs:
                self._waiting[key] = jobs  # after the others
            return job

    def _work(self) -> None:
        while (job := self._next()) is not None:
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
            jobs = self._waiting.get(job.key, deque())
            with contextlib.suppress(ValueError):  # a worker has it in hand
                jobs.remove(job)
            if not jobs:
                self._waiting.pop(job.key, None)


class Job(Generic[T]):
    """One run of an iterator, read by one reader on the event loop: `async for item in job`.

    Reading raises what the iterator raised, and ApiError 408 at the deadline. Whoever stops reading must `cancel`.
    """

    def __init__(self, pool: Pool, make: Steps[T], seconds: float, key: str) -> None:
        self._pool, self._seconds, self.key = pool, seconds, key
        self._hangup = Hangup()
        self._make: Steps[T] | None = make
        self._loop = asyncio.get_running_loop()
        self._deadline = self._loop.time() + seconds
        self._items: asyncio.Queue[T | StreamEnd] = asyncio.Queue()
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
            said = f"not finished within {self._seconds:g} s; allow more time or limit the scope"
            raise ApiError(408, "deadline", said) from None
        if not isinstance(item, StreamEnd):
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
        if fresh:
            self._hangup()
        if fresh and waiting:
            self._pool._dropped(self)

    def break_off(self, error: Exception) -> None:
        """Nothing more comes: the reader gets what there is already, then `error`."""
        self._items.put_nowait(StreamEnd(error))
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
            steps = make(self._hangup)
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
        self._tell(StreamEnd(error))

    def _tell(self, item: T | StreamEnd) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is gone: so is the reader
            self._loop.call_soon_threadsafe(self._items.put_nowait, item)


class StreamEnd:
    """Comes after the last item that a thread reads for another."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error
