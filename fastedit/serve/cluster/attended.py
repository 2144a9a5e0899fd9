"""Events that are waited for on a thread of their own, so that whoever wants them may leave at any time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from typing import Generic, TypeVar

from fastedit.serve.pool import StreamEnd

E = TypeVar("E")
POLL_S = 0.05  # how long a silent source keeps a worker from noticing that its client is gone


def attended(events: Iterator[E], hang_up: Callable[[], None]) -> Iterator[E | None]:
    """`events`, read on a thread of their own, and None each time that nothing came for `POLL_S`.

    Whoever closes this leaves at once. `hang_up` then ends the wait of the thread.
    """
    reader = _EventReader(events)
    Thread(target=reader.run, daemon=True, name="reader").start()
    try:
        yield from reader.items()
    finally:
        reader.left.set()
        hang_up()


class _EventReader(Generic[E]):
    def __init__(self, events: Iterator[E]) -> None:
        self._events = events
        self._items: SimpleQueue[E | StreamEnd] = SimpleQueue()
        self.left = Flag()

    def run(self) -> None:
        error: BaseException | None = None
        try:
            for event in self._events:
                self._items.put(event)
                if self.left.is_set():
                    break
            if isinstance(self._events, Generator):
                self._events.close()
        except BaseException as caught:
            error = caught
        self._items.put(StreamEnd(error))

    def items(self) -> Iterator[E | None]:
        while True:
            try:
                item = self._items.get(timeout=POLL_S)
            except Empty:
                yield None
                continue
            if not isinstance(item, StreamEnd):
                yield item
            elif item.error is not None:
                raise item.error
            else:
                return
