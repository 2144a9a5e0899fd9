"""Where edits run: in this process, one after another, on a thread that never holds up the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, cast

from fastedit.connect import Hangup
from fastedit.engine import Engine
from fastedit.engine.events import Event, Resulted
from fastedit.request import EditRequest


class EditBackend(Protocol):
    def events(self, request: EditRequest) -> AsyncGenerator[Event]:
        """One edit's events; the last one is `Resulted`. Closing the generator cancels. Raises FasteditError."""
        ...

    async def warm(self) -> None:
        """Loads what the first edit would wait for."""
        ...

    async def close(self) -> None: ...


class LocalBackend:
    """The engine in this process. It is loaded by the first edit that needs it."""

    def __init__(self, model: str) -> None:
        self._engine = Engine.load(model)
        # One thread: passes of two edits at once would only take turns at the same cores.
        self._pool = ThreadPoolExecutor(1, "fastedit")

    async def events(self, request: EditRequest) -> AsyncGenerator[Event]:
        loop = asyncio.get_running_loop()
        events = asyncio.Queue[Event | BaseException]()
        stopped, hangup = threading.Event(), Hangup()

        def put(item: Event | BaseException) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed, nobody waits any more
                loop.call_soon_threadsafe(events.put_nowait, item)

        def work() -> None:
            try:
                stream = cast(Generator[Event], self._engine.stream(request, hangup))
                with contextlib.closing(stream):
                    while not stopped.is_set() and (event := next(stream, None)) is not None:
                        put(event)
            except BaseException as error:
                put(error)

        self._pool.submit(work)
        try:
            while True:
                item = await events.get()
                if isinstance(item, BaseException):
                    raise item
                yield item
                if isinstance(item, Resulted):
                    return
        finally:
            stopped.set()
            hangup()

    async def warm(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._pool, self._engine.warm)

    async def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
