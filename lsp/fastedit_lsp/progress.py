"""Work-done progress on the client's token, or on one of ours; its cancel button cancels the task."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from fastedit.engine.events import Event, HunkReady, Located, Progressed

if TYPE_CHECKING:
    from fastedit_lsp.server import FasteditServer


@contextlib.asynccontextmanager
async def work_done(
    server: FasteditServer, token: types.ProgressToken | None, title: str, *, ask: bool = True
) -> AsyncGenerator[Callable[[Event], None]]:
    """Yields what is to be called with each event.

    Without a token the client is asked to take one of ours, if it may be asked and knows progress.
    """
    if token is None and ask:
        token = await _created(server)
    if token is None:
        yield lambda event: None
        return
    progress, task = server.work_done_progress, asyncio.current_task()
    assert task is not None, "progress belongs to a request, and each runs as a task"
    progress.begin(token, types.WorkDoneProgressBegin(f"FastEdit: {title}", cancellable=True, percentage=0))

    def cancel(future: Future[None]) -> None:
        if future.cancelled():
            task.cancel()

    progress.tokens[token].add_done_callback(cancel)
    hunks = 0

    def show(event: Event) -> None:
        nonlocal hunks
        hunks += isinstance(event, HunkReady)
        report = _report(event, hunks)
        if report is not None:
            progress.report(token, report)

    try:
        yield show
    finally:
        progress.tokens.pop(token, None)
        progress.end(token, types.WorkDoneProgressEnd(message=f"{hunks} hunk{'s'[: hunks != 1]}"))


def _report(event: Event, hunks: int) -> types.WorkDoneProgressReport | None:
    if isinstance(event, Located):
        places = ", ".join(f"{place.start + 1}-{max(place.stop, place.start + 1)}" for place in event.regions)
        return types.WorkDoneProgressReport(message=f"lines {places}")
    if isinstance(event, Progressed):
        speed = f"{event.progress.tokens_per_second:,.0f} tokens/s"
        done = f"{hunks} hunk{'s'[: hunks != 1]}, {event.progress.output_tokens} tokens, {speed}"
        return types.WorkDoneProgressReport(message=done, percentage=int(100 * event.progress.fraction))
    return None


async def _created(server: FasteditServer) -> types.ProgressToken | None:
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress:
        return None
    token = str(uuid.uuid4())
    try:
        await server.work_done_progress.create_async(token)
    except JsonRpcException:  # a client may decline
        return None
    return token
