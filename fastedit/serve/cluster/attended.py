"""Events that are waited for on a thread of their own, so that whoever wants them may leave at any time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from typing import TypeVar

from fastedit.serve.jobs.pool import StreamEnd

E = TypeVar("E")
T = TypeVar("T")
POLL_S = 0.05  # how long a silent source keeps a worker from noticing that its client is gone


def attended(events: Iterator[E], hang_up: Callable[[], None]) -> Iterator[E | None]:
    """`events`, read on a thread of their own, and None each time that nothing came for `POLL_S`.

    Whoever closes this leaves at once. `hang_up` then ends the wait of the thread.
    """
    items, left = SimpleQueue[E | StreamEnd](), Flag()

    def read() -> None:
        error: BaseException | None = None
        try:
            for event in events:
                items.put(event)
                if left.is_set():
                    break
            if isinstance(events, Generator):
                events.close()
        except BaseException as caught:
            error = caught
        items.put(StreamEnd(error))

    Thread(target=read, daemon=True, name="reader").start()
    try:
        while not isinstance(item := _next(items), StreamEnd):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        left.set()
        hang_up()


def _next(items: SimpleQueue[T]) -> T | None:
    try:
        return items.get(timeout=POLL_S)
    except Empty:
        return None
