"""The process: socket, signals, log."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
import time
import traceback
from types import FrameType

import uvicorn

from fastedit.errors import ModelUnavailable, UsageError
from fastedit.serve.app import create_app
from fastedit.serve.bodies.errors import cut_short
from fastedit.serve.heads import timed
from fastedit.serve.service import Service, State
from fastedit.serve.settings import ServerSettings

_TICK_S = 0.05
_LAST_BYTES_S = 5  # for clients that are slow to read the end of their answer


def run(settings: ServerSettings) -> None:
    """Serves until SIGTERM or Ctrl-C, then lets running edits end.

    Raises UsageError where the address cannot be had, ModelUnavailable where the model cannot be loaded.
    """
    listener = _listen(settings)
    logging.basicConfig(level=settings.log_level.upper(), handlers=[_handler()], force=True)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
    # Logs the address of every request to a model's server, in which there may be a password.
    logging.getLogger("httpx2").setLevel(max(logging.WARNING, logging.root.level))
    app = create_app(settings)
    service: Service = app.state.service
    config = uvicorn.Config(
        app,
        http=timed(settings.deadline_s),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_LAST_BYTES_S,
    )
    server = DrainingServer(config, service)
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"fastedit: listening on http://{shown}:{port}", file=sys.stderr, flush=True)
    server.run(sockets=[listener])
    if service.failure is not None:
        raise ModelUnavailable(str(service.failure))


class DrainingServer(uvicorn.Server):
    """On the first signal new work is answered 503 while what runs goes on; on the second what runs is too."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service
        self._give_up_at = float("inf")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        again = self._service.state is State.DRAINING
        self._service.state = State.DRAINING
        self._give_up_at = time.monotonic() + (0 if again else self._service.settings.drain_s)

    async def on_tick(self, counter: int) -> bool:
        pool = self._service.pool
        if time.monotonic() > self._give_up_at:
            pool.break_off(cut_short())
        drained = self._service.state is State.DRAINING and not pool.live
        if drained or self._service.failure is not None or time.monotonic() > self._give_up_at:
            # What was answered last may still be on its way out.
            await asyncio.sleep(_TICK_S)
            self.should_exit = True
        return await super().on_tick(counter)


def _listen(settings: ServerSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # The protocol is named because asyncio switches Nagle's algorithm off only where it is; with it on, every answer
    # waits 40 ms for the client's delayed acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise UsageError(
            f"cannot listen on {settings.host}:{settings.port}: {error.strerror or error}; choose another --port"
        ) from None
    return listener


class _JsonLines(logging.Formatter):
    """One JSON object a line. Of a fault it gives kind and place; its message could quote somebody's code."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"time": round(record.created, 3), "level": record.levelname.lower(), "logger": record.name}
        line["event"] = record.getMessage() if record.exc_info is None else "exception"
        line |= getattr(record, "fields", {})
        fault = getattr(record, "fault", None) or (record.exc_info and record.exc_info[1])
        if fault:
            frames = traceback.extract_tb(fault.__traceback__)[-8:]
            line["fault"] = type(fault).__name__
            line["at"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(line)


def _handler() -> logging.Handler:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    return handler
