"""Works out a change of several files on a thread, and has its sketches merged where the server's edits run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import aclosing

from fastedit.connect import Hangup
from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest, ChangeResult, Files, change
from fastedit.engine.events import Event, Resulted
from fastedit.errors import Cancelled
from fastedit.request import EditRequest
from fastedit.result import EditResult
from fastedit_lsp.backend import EditBackend


async def work_out(
    backend: EditBackend, request: ChangeRequest, files: Files, on_event: Callable[[Event], None]
) -> ChangeResult:
    """Raises FasteditError. Cancelling the task cancels the sketch that is being merged."""
    engine = _BackendEngine(backend, on_event)
    try:
        return await asyncio.to_thread(change, engine, request, files)
    except asyncio.CancelledError:
        engine.cancel()
        raise


class _BackendEngine(Engine):
    """An engine for another thread than the loop's; its edits run on a backend."""

    def __init__(self, backend: EditBackend, on_event: Callable[[Event], None]) -> None:
        super().__init__()
        self._backend, self._on_event = backend, on_event
        self._loop = asyncio.get_running_loop()
        self._running: Future[EditResult] | None = None
        self._cancelled = False

    def stream(self, request: EditRequest, hangup: Hangup | None = None) -> Iterator[Event]:
        if self._cancelled:
            raise Cancelled
        self._running = asyncio.run_coroutine_threadsafe(self._result(request), self._loop)
        yield Resulted(self._running.result())

    def cancel(self) -> None:
        self._cancelled = True
        if self._running is not None:
            self._running.cancel()

    async def _result(self, request: EditRequest) -> EditResult:
        async with aclosing(self._backend.events(request)) as events:
            async for event in events:
                self._on_event(event)
                if isinstance(event, Resulted):
                    return event.result
        raise AssertionError("a stream always ends with its result")
