"""What runs the edits behind the surfaces: an engine in this process, or (in `cluster`) one on another machine."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from typing import Generic, Protocol, TypeVar

from fastedit.connect import Hangup
from fastedit.draft.registry import DEFAULT as LOOKUP
from fastedit.draft.seam import Learned
from fastedit.engine import Engine, Event
from fastedit.engine.changes import ChangeEvent
from fastedit.engine.chat import Answered, ChatRequest, Wrote, chat
from fastedit.engine.folder import is_address
from fastedit.request import EditRequest
from fastedit.serve.held import HeldChange

E = TypeVar("E")
POLL_S = 0.05  # how long a silent source keeps a worker from noticing that its client is gone
Talk = Wrote | Answered


class Backend(Protocol):
    """Runs edits, changes and chats. Where nothing happens for a while an iterator gives None, so that it can be
    closed."""

    model: str

    def warm(self) -> None:
        """Does what the first edit would wait for. Raises ModelUnavailable."""

    def edit(self, request: EditRequest) -> Iterator[Event | None]: ...

    def change(self, held: HeldChange) -> Iterator[ChangeEvent | None]: ...

    def chat(self, request: ChatRequest) -> Iterator[Talk | None]: ...

    def learned(self) -> Sequence[Learned]:
        """What drafters here have learned while they served. Asked once the backend is warm."""


class Local:
    """The engine of this process."""

    def __init__(self, engine: Engine, drafters: Iterable[str] = (LOOKUP,)) -> None:
        self._engine, self.model, self._drafters = engine, engine.model, tuple(drafters)

    def warm(self) -> None:
        self._engine.warm(self._drafters)

    def edit(self, request: EditRequest) -> Iterator[Event | None]:
        hangup = Hangup()
        return self._attended(self._engine.stream(request, hangup), hangup)

    def change(self, held: HeldChange) -> Iterator[ChangeEvent | None]:
        hangup = Hangup()
        return self._attended(held.stream(self._engine, hangup), hangup)

    def chat(self, request: ChatRequest) -> Iterator[Talk | None]:
        hangup = Hangup()
        return self._attended(chat(self.model, request, self._engine.settings, hangup), hangup)

    def learned(self) -> Sequence[Learned]:
        return self._engine.learned()

    def _attended(self, events: Iterator[E], hangup: Hangup) -> Iterator[E | None]:
        """A model of our own is never silent for longer than a pass; a server may be for minutes."""
        return attended(events, hangup) if is_address(self.model) else events


def attended(events: Iterator[E], hang_up: Callable[[], None]) -> Iterator[E | None]:
    """`events`, read on a thread of their own, and None each time that nothing came for `POLL_S`.

    Whoever closes this leaves at once. `hang_up` then ends the wait of the thread.
    """
    reader = _Reader(events)
    Thread(target=reader.run, daemon=True, name="reader").start()
    try:
        yield from reader.items()
    finally:
        reader.left.set()
        hang_up()


class _Reader(Generic[E]):
    def __init__(self, events: Iterator[E]) -> None:
        self._events = events
        self._items: SimpleQueue[E | _End] = SimpleQueue()
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
        self._items.put(_End(error))

    def items(self) -> Iterator[E | None]:
        while True:
            try:
                item = self._items.get(timeout=POLL_S)
            except Empty:
                yield None
                continue
            if not isinstance(item, _End):
                yield item
            elif item.error is not None:
                raise item.error
            else:
                return


class _End:
    def __init__(self, error: BaseException | None) -> None:
        self.error = error
