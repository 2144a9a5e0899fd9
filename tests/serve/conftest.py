"""A real server on a real socket, in a thread of this process, with an untrained model that copies."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import httpx2
import pytest
import uvicorn

from fastedit.connect import Hangup
from fastedit.engine import Engine, Event, Located, Progressed
from fastedit.model.settings import Exactness, ModelSettings
from fastedit.request import EditRequest, LineRange
from fastedit.result import Progress
from fastedit.serve.app import create_app
from fastedit.serve.jobs.backend import Local
from fastedit.serve.service import Service, State
from fastedit.serve.settings import ServerSettings
from tests.engine.conftest import copier
from tests.engine.test_engine import SKETCH, SOURCE
from tests.engine.test_engine import WANTED as MERGED
from tests.waiting import ended, eventually, started

__all__ = ["LONG", "MERGED", "SKETCH", "SOURCE", "copier"]

LONG = {"content": SOURCE, "instruction": "go on for ever"}


class Endless(Engine):
    """The engine, but for one instruction that is never done: there is always time to cancel it."""

    def __init__(self, model: str, exactness: Exactness = "default") -> None:
        super().__init__(model, ModelSettings(exactness))
        self.closed = threading.Event()  # set when an endless edit has been cancelled
        self.asked: list[EditRequest] = []

    def stream(self, request: EditRequest, hangup: Hangup | None = None) -> Iterator[Event]:
        self.asked.append(request)
        if request.instruction != LONG["instruction"]:
            yield from super().stream(request, hangup)
            return
        yield Located((LineRange(0, 1),), ("whole file",))
        try:
            while True:
                time.sleep(0.005)
                yield Progressed(Progress(0.5, 1, 1, 1.0))
        finally:
            self.closed.set()


class Running:
    """A server's address, and its insides for looking at."""

    def __init__(self, url: str, service: Service, engine: Endless) -> None:
        self.url, self.service, self.engine = url, service, engine
        self.http = httpx2.Client(base_url=url, timeout=60, trust_env=False)


@contextlib.contextmanager
def serving(
    engine: Engine, backend: type[Local] = Local, wanted: State = State.READY, **settings
) -> Iterator[Running]:
    """A server in this state. `backend` is made of the engine and the drafters."""
    told = ServerSettings(**settings)
    noting = Endless(engine.model, told.exactness)
    app = create_app(told, backend(noting, told.drafters.values()))
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))
    thread = started(lambda: server.run(sockets=[listener]))
    running = Running(f"http://127.0.0.1:{listener.getsockname()[1]}", app.state.service, noting)
    try:
        assert eventually(lambda: app.state.service.state is wanted)
        yield running
    finally:
        running.http.close()
        server.should_exit = True
        assert ended(thread)
        listener.close()


@pytest.fixture(scope="session")
def server(copier: Engine) -> Iterator[Running]:
    with serving(copier) as running:
        yield running
