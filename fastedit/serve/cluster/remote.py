"""A front's backend: edits run on replicas, and go on elsewhere when one dies under them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ray.exceptions import NodeDiedError, RayActorError, RayTaskError, TaskCancelledError, WorkerCrashedError
from ray.serve.exceptions import ReplicaUnavailableError
from ray.serve.handle import DeploymentHandle, DeploymentResponseGenerator

from fastedit.connect import Hangup
from fastedit.draft.seam import LearningReport
from fastedit.engine import Event, HunkReady, Located
from fastedit.engine.changes import ChangeEvent, FileChange
from fastedit.engine.chat import ChatRequest, Wrote
from fastedit.errors import ModelUnavailable
from fastedit.request import EditRequest
from fastedit.serve.backend import Talk
from fastedit.serve.cluster.attended import attended
from fastedit.serve.held import HeldChange
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk

LOST = (RayActorError, WorkerCrashedError, NodeDiedError, ReplicaUnavailableError)
RETRIES = 3  # whatever kills four replicas in a row would kill the rest as well
_logger = logging.getLogger(__name__)


class Remote:
    """The replicas behind a deployment's handle. `retried` is called for each edit that has to begin again."""

    def __init__(self, model: str, handle: DeploymentHandle[Any]) -> None:
        self.model = model
        self.retried: Callable[[], None] = lambda: None
        self._handle = handle.options(stream=True)

    def warm(self) -> None:
        """Waits for a replica, which is warm when it is there."""
        self._handle.options(stream=False).alive.remote().result()

    def learned(self) -> Sequence[LearningReport]:
        """Replicas learn each for itself, and are not asked."""
        return ()

    def edit(self, request: EditRequest, hangup: Hangup) -> Iterator[Event | None]:
        """The client never sees a retry: what has been told is compared, not repeated."""
        told: list[Hunk] = []
        for attempt, events in enumerate(self._attempts(request)):
            seen = 0
            for event in events:
                if isinstance(event, HunkReady):
                    seen += 1
                    if seen <= len(told):
                        if event.hunk != told[seen - 1]:
                            raise _differs()
                        continue
                    told.append(event.hunk)
                if not (attempt and isinstance(event, Located)):
                    yield event

    def change(self, held: HeldChange, hangup: Hangup) -> Iterator[ChangeEvent | None]:
        told: list[tuple[str, Document | None]] = []
        for events in self._attempts(held):
            seen = 0
            for event in events:
                if isinstance(event, FileChange):
                    seen += 1
                    if seen <= len(told):
                        if (event.name, event.after) != told[seen - 1]:
                            raise _differs()
                        continue
                    told.append((event.name, event.after))
                yield event

    def chat(self, request: ChatRequest, hangup: Hangup) -> Iterator[Talk | None]:
        told = ""
        for events in self._attempts(request):
            again = ""
            for event in events:
                if isinstance(event, Wrote):
                    again += event.text
                    if not again.startswith(told[: len(again)]):
                        raise _differs()
                    new, told = again[len(told) :], max(told, again, key=len)
                    event = Wrote(new)
                yield event

    def _attempts(self, request: EditRequest | HeldChange | ChatRequest) -> Iterator[Iterator[Any]]:
        """The events of one try after the other, until a try comes to its end."""
        for _ in range(RETRIES + 1):
            attempt = _Attempt(self._handle.run.remote(request))
            yield attempt.events()
            if attempt.lost is None:
                return
            self.retried()
            _logger.warning("replica_lost", extra={"fields": {"fault": attempt.lost}})
        raise ModelUnavailable("one replica after the other died at this edit; nothing was changed")


class _Attempt:
    """One run on one replica. Afterwards `lost` says how that died, if it did."""

    def __init__(self, response: DeploymentResponseGenerator[Any]) -> None:
        self._response = response
        self.lost: str | None = None

    def events(self) -> Iterator[Any]:
        try:
            for event in attended(iter(self._response), self._response.cancel):
                if isinstance(event, Exception):
                    raise event
                yield event
        except LOST as error:
            self.lost = type(error).__name__
        except (RayTaskError, TaskCancelledError) as error:
            # Its message is a traceback of the other process and may quote what was edited.
            raise RuntimeError(f"a replica failed: {type(error).__name__}") from None


def _differs() -> ModelUnavailable:
    return ModelUnavailable(
        "a replica died and another one wrote something else; discard the hunks and send the edit again"
    )
