"""What runs the edits behind the surfaces: an engine in this process, or (in `cluster`) one on another machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from fastedit.connect import Hangup
from fastedit.draft.registry import DEFAULT as LOOKUP
from fastedit.draft.seam import Learned
from fastedit.engine import Engine, Event
from fastedit.engine.changes import ChangeEvent
from fastedit.engine.chat import Answered, ChatRequest, Wrote, chat
from fastedit.engine.folder import is_address
from fastedit.request import EditRequest
from fastedit.serve.attended import attended
from fastedit.serve.held import HeldChange

E = TypeVar("E")
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
