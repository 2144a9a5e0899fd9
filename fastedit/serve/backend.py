"""What runs the edits behind the surfaces: an engine in this process, or (in `cluster`) one on another machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from fastedit.connect import Hangup
from fastedit.draft.registry import DEFAULT as LOOKUP
from fastedit.draft.seam import LearningReport
from fastedit.engine import Engine, Event
from fastedit.engine.changes import ChangeEvent
from fastedit.engine.chat import Answered, ChatRequest, Wrote, chat
from fastedit.request import EditRequest
from fastedit.serve.held import HeldChange
from fastedit.serve.memory import keep_loaded

Talk = Wrote | Answered


class Backend(Protocol):
    """Runs edits, changes and chats. Once `hangup` is called, an iterator ends what it waits for, or gives None from
    time to time, so that it can be closed."""

    model: str

    def warm(self) -> None:
        """Does what the first edit would wait for. Raises ModelUnavailable."""

    def edit(self, request: EditRequest, hangup: Hangup) -> Iterator[Event | None]: ...

    def change(self, held: HeldChange, hangup: Hangup) -> Iterator[ChangeEvent | None]: ...

    def chat(self, request: ChatRequest, hangup: Hangup) -> Iterator[Talk | None]: ...

    def learned(self) -> Sequence[LearningReport]:
        """What drafters here have learned while they served. Asked once the backend is warm."""


class Local:
    """The engine of this process."""

    def __init__(self, engine: Engine, drafters: Iterable[str] = (LOOKUP,)) -> None:
        self._engine, self.model, self._drafters = engine, engine.model, tuple(drafters)

    def warm(self) -> None:
        self._engine.warm(self._drafters)
        keep_loaded()

    def edit(self, request: EditRequest, hangup: Hangup) -> Iterator[Event]:
        return self._engine.stream(request, hangup)

    def change(self, held: HeldChange, hangup: Hangup) -> Iterator[ChangeEvent]:
        return held.stream(self._engine, hangup)

    def chat(self, request: ChatRequest, hangup: Hangup) -> Iterator[Talk]:
        return chat(self.model, request, self._engine.settings, hangup)

    def learned(self) -> Sequence[LearningReport]:
        return self._engine.learned()
