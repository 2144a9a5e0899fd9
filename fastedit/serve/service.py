"""What every surface shares: the backend, the pool of running edits, and whether the server takes work."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, TypeVar

from starlette.requests import Request

from fastedit.connect import Hangup, connect
from fastedit.draft.seam import LearningReport
from fastedit.engine import Resulted
from fastedit.engine.changes.change import ChangeResult, hunk_count
from fastedit.engine.models.chat import Answered
from fastedit.engine.models.folder import is_address, resolved
from fastedit.errors import FasteditError, ModelUnavailable
from fastedit.result import Receipt
from fastedit.sampling import Acceptance
from fastedit.serve.bodies.errors import ApiError, too_large
from fastedit.serve.jobs.backend import Backend, Work
from fastedit.serve.jobs.pool import Job, Pool
from fastedit.serve.settings import ServerSettings
from fastedit.serve.telemetry.learned import LearnedCollector
from fastedit.serve.telemetry.metrics import ListedRun, Metrics
from fastedit.serve.telemetry.tracing import EditSpan, Tracing
from fastedit.source.document import Document

T = TypeVar("T")
_logger = logging.getLogger(__name__)


class State(StrEnum):
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"
    DRAINING = "draining"


class Service:
    """One process's backend and its limits."""

    def __init__(self, settings: ServerSettings, backend: Backend) -> None:
        self.settings, self.backend = settings, backend
        self.state = State.LOADING
        self.failure: FasteditError | None = None
        self.pool = Pool(settings.workers, settings.queue, shared=len(settings.keys) > 1)
        self.metrics = Metrics(self.pool)
        self.metrics.registry.register(LearnedCollector(self._learned))
        self.tracing = Tracing.of(settings)
        self.started = time.time()
        # The one model's name, as clients see it: a folder's path and an address's password are nobody's business.
        self.model = backend.model if backend.model == "embedded" else Path(resolved(backend.model)).name

    def warm(self) -> None:
        """Loads the model and runs it once, so that no request pays for it. Blocks."""
        try:
            self.backend.warm()
            if is_address(self.backend.model):
                self.model = connect(self.backend.model).model()
        except FasteditError as error:
            self.failure, self.state = error, State.FAILED
        except Exception as error:
            _logger.error("warm_up_failed", extra={"fault": error})
            self.failure = ModelUnavailable(f"{self.model}: fails at its first edit; the log says where")
            self.state = State.FAILED
        if self.state is State.LOADING:
            self.state = State.READY

    def _learned(self) -> Sequence[LearningReport]:
        return () if self.state in (State.LOADING, State.FAILED) else self.backend.learned()

    def check_model(self, name: str | None) -> None:
        """Raises ApiError 404 for a model that is not the one served here, 503 while a remote one has yet to give its
        name."""
        if name is None or name == self.model or name in self.settings.aliases:
            return
        if self.state is State.LOADING and is_address(self.backend.model):
            said = "the model has yet to give its name; try again shortly"
            raise ApiError(503, "loading", said, retry_after=2)
        said = f"the model {name!r} is not served here; use {self.model!r}"
        raise ApiError(404, "model_not_found", said, param="model")

    def check_exactness(self, wanted: str | None) -> None:
        """Raises ApiError 422 for an exactness that the model here does not run with; more than asked for is fine."""
        if wanted == "bitwise" and self.settings.exactness != wanted:
            said = (
                "exactness: the model here runs with the default; start the server with --exactness bitwise"
            )
            raise ApiError(422, "not_exact", said, param="exactness")

    def drafter(self, name: str | None = None) -> str:
        """The drafter of this name, the first one without a name. Raises ApiError 400 for one that is not listed: what
        it is made from is a path, which no client may choose."""
        listed = self.settings.drafters
        if name is None:
            return next(iter(listed.values()))
        if is_address(self.backend.model):
            said = "drafter: cannot be chosen for a remote server; leave it out"
        elif name not in listed:
            said = f"drafter {name!r}: this server has {', '.join(listed)}"
        else:
            return listed[name]
        raise ApiError(400, "drafter_not_found", said, param="drafter")

    def check_sampling(self, acceptance: Acceptance) -> None:
        """Raises ApiError 400 for an acceptance that the model here knows nothing of."""
        if acceptance != "draw" and is_address(self.backend.model):
            said = "sampling.acceptance: cannot be chosen for a remote server; leave it out"
            raise ApiError(400, "not_supported", said, param="sampling.acceptance")

    def check_length(self, text: str | None, param: str) -> None:
        """Raises ApiError 413 for a text that is longer than any file may be."""
        limit = self.settings.max_content_chars
        if text is not None and len(text) > limit:
            raise too_large(param, len(text), limit, "characters")

    def document(
        self, content: str, path: str | None, param: str = "content", language: str | None = None
    ) -> Document:
        """Raises ApiError 413 for a file that is too long, Undecodable for one that is no text."""
        self.check_length(content, param)
        name = Path(path) if path else None
        if content.startswith("\ufeff"):
            document = Document.from_bytes(content.encode("utf-8"), name)
        else:
            document = Document.from_text(content, name)
        return replace(document, language=language)

    def submit(
        self,
        kind: Literal["edit", "change", "chat"],
        make: Callable[[], Work],
        write: Callable[[Any], Iterable[T]],
        key: str,
        seconds: float | None = None,
    ) -> Job[T]:
        """Runs what `make` makes, for the caller with this key; the job's items are what `write` makes of its events.
        Both are called on the worker's thread. Raises ApiError 429."""
        span = self.tracing.edit()

        def steps(hangup: Hangup) -> Generator[Iterable[T], None, None]:
            run, began = ListedRun(kind), time.monotonic()
            self.metrics.history.began(self.pool.live)
            try:
                with span.running():
                    for event in self.backend.run(make(), hangup):
                        self._note(span, run, event)
                        yield () if event is None else write(event)
            except Exception as error:
                if not hangup.over:  # else it came to nothing as it was cancelled
                    run.status = "refused" if ApiError.of(error).status_code < 500 else "failed"
                raise
            finally:
                self.metrics.ended(run, time.monotonic() - began)

        limit = self.settings.deadline_s
        return self.pool.submit(steps, min(seconds or limit, limit), key)

    def _note(self, span: EditSpan, run: ListedRun, event: Any) -> None:
        match event:
            case Resulted(result):
                run.status, run.hunks = result.status, len(result.hunks)
                self._spent(span, run, result.receipt)
            case ChangeResult():
                run.status, run.hunks = event.status, hunk_count(event.files)
                self.metrics.placed(event)
                # One without a plan adds up those of single files, which are counted.
                if event.receipt is not None and event.receipt.plan:
                    self._spent(span, run, event.receipt)
            case Answered():
                run.status = "chat"
                self._spent(span, run, event.receipt)

    def _spent(self, span: EditSpan, run: ListedRun, receipt: Receipt) -> None:
        self.metrics.spent(run, receipt)
        span.note(receipt, run.status)


def key_of(request: Request) -> str:
    """The name of the caller's key."""
    key: str = request.state.key
    return key


def tenant_of(request: Request, name: str = "") -> str:
    """Whose edit it is, for what drafters remember: keys are apart from each other whatever name they give."""
    return f"{key_of(request)}/{name}"


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service
