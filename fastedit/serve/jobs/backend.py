"""What runs the edits behind the surfaces: an engine in this process, or (in `cluster`) one on another machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from fastedit.connect import Hangup
from fastedit.draft.registry import DEFAULT as LOOKUP
from fastedit.draft.seam import LearningReport
from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeEvent
from fastedit.engine.models.chat import Answered, ChatRequest, Wrote, chat
from fastedit.request import EditRequest
from fastedit.serve.jobs.held import HeldChange
from fastedit.serve.jobs.memory import keep_loaded

Work = EditRequest | HeldChange | ChatRequest
WorkEvent = ChangeEvent | Wrote | Answered


class Backend(Protocol):
    """Runs edits, changes and chats."""

    model: str

    def warm(self) -> None:
        """Does what the first edit would wait for. Raises ModelUnavailable."""

    def run(self, work: Work, hangup: Hangup) -> Iterator[WorkEvent | None]:
        """Its events. Once `hangup` is called, the iterator ends what it waits for, or gives None from time to time, so
        that it can be closed."""

    def learned(self) -> Sequence[LearningReport]:
        """What drafters here have learned while they served. Asked once the backend is warm."""


class Local:
    """The engine of this process."""

    def __init__(self, engine: Engine, drafters: Iterable[str] = (LOOKUP,)) -> None:
        self._engine, self.model, self._drafters = engine, engine.model, tuple(drafters)

    def warm(self) -> None:
        self._engine.warm(self._drafters)
        keep_loaded()

    def run(self, work: Work, hangup: Hangup) -> Iterator[WorkEvent]:
        match work:
            case EditRequest():
                return self._engine.stream(work, hangup)
            case HeldChange():
                return work.stream(self._engine, hangup)
            case ChatRequest():
                return chat(self.model, work, self._engine.settings, hangup)

    def learned(self) -> Sequence[LearningReport]:
        return self._engine.learned()
