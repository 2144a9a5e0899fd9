"""A job's items as one HTTP answer: whole, or as server-sent events. Either way a client that hangs up cancels it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from fastedit.serve.bodies.errors import ApiError
from fastedit.serve.jobs.pool import Job

T = TypeVar("T")
KEEPALIVE_S = 15.0
_logger = logging.getLogger(__name__)


async def whole(request: Request, job: Job[bytes]) -> Response:
    """The job's items joined, as JSON."""

    async def collect() -> bytes:
        return b"".join([item async for item in job])

    try:
        return Response(await _attended(request, collect()), media_type="application/json")
    finally:
        job.cancel()


async def streamed(
    request: Request, job: Job[bytes], failed: Callable[[ApiError], bytes]
) -> StreamingResponse:
    """The job's items, which are events already. What fails before the first is an answer with its own status."""
    try:
        first = await _attended(request, anext(job))
    except BaseException:
        job.cancel()
        raise
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return _Streamed(job, _rest(first, job, failed, request.url.path), headers)


class _Streamed(StreamingResponse):
    """Cancels its job at the end, also where the client was gone before the first event was asked for."""

    def __init__(self, job: Job[bytes], events: AsyncIterator[bytes], headers: dict[str, str]) -> None:
        super().__init__(events, media_type="text/event-stream", headers=headers)
        self._job = job

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._job.cancel()


async def _rest(
    first: bytes, job: Job[bytes], failed: Callable[[ApiError], bytes], path: str
) -> AsyncIterator[bytes]:
    try:
        yield first
        while True:
            try:
                yield await asyncio.wait_for(anext(job), KEEPALIVE_S)
            except TimeoutError:
                yield b": still at it\n\n"  # proxies close what is silent
            except StopAsyncIteration:
                return
    except Exception as error:
        yield failed(explained(error, path))


async def _attended(request: Request, reading: Coroutine[Any, Any, T]) -> T:
    """What `reading` gives; raises ApiError 499 as soon as the client hangs up."""

    async def hang_up() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    read, gone = asyncio.create_task(reading), asyncio.create_task(hang_up())
    try:
        await asyncio.wait((read, gone), return_when=asyncio.FIRST_COMPLETED)
        if not read.done():
            raise ApiError(499, "client_gone", "the client closed the connection")
        return read.result()
    finally:
        read.cancel()
        gone.cancel()


def explained(error: Exception, path: str = "") -> ApiError:
    """The error as an answer; one that is a fault of ours is logged without its message, which could quote a file."""
    answer = ApiError.of(error, path)
    if answer.status_code == 500:
        _logger.error("internal_error", extra={"fault": error})
    return answer
