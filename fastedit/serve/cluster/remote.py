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
from fastedit.engine import HunkReady, Located
from fastedit.engine.changes.change import ChangeEvent, FileChange
from fastedit.engine.models.chat import Answered, ChatRequest, Wrote
from fastedit.errors import ModelUnavailable
from fastedit.request import EditRequest
from fastedit.serve.cluster.attended import attended
from fastedit.serve.jobs.backend import Work, WorkEvent
from fastedit.serve.jobs.held import HeldChange

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

    def run(self, work: Work, hangup: Hangup) -> Iterator[WorkEvent | None]:
        """The client never sees a retry: what has been told is compared, not repeated."""
        return self._chat(work) if isinstance(work, ChatRequest) else self._edited(work)

    def _edited(self, work: EditRequest | HeldChange) -> Iterator[ChangeEvent | None]:
        told: list[object] = []
        for events in self._attempts(work):
            seen = 0
            for event in events:
                if (telling := _telling(event)) is not None:
                    seen += 1
                    if seen <= len(told):
                        if telling != told[seen - 1]:
                            raise _differs()
                        continue
                    told.append(telling)
                yield event

    def _chat(self, request: ChatRequest) -> Iterator[Wrote | Answered | None]:
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

    def _attempts(self, work: Work) -> Iterator[Iterator[Any]]:
        """The events of one try after the other, until a try comes to its end."""
        for _ in range(RETRIES + 1):
            attempt = _Attempt(self._handle.run.remote(work))
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


def _telling(event: object) -> object:
    """What an event tells that another attempt must tell as well; None for what does not count."""
    match event:
        case Located():
            return Located  # whatever its reasons say
        case HunkReady(hunk):
            return hunk
        case FileChange():
            return event.name, event.after
    return None


def _differs() -> ModelUnavailable:
    return ModelUnavailable(
        "a replica died and another one wrote something else; discard the hunks and send the edit again"
    )
