"""A model's server on a real socket that speaks all three APIs, and every fault that such servers have."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.waiting import ended, started


@dataclass(frozen=True)
class Asked:
    path: str
    body: dict[str, Any]
    headers: dict[str, str]


class Fake(ThreadingHTTPServer):
    """Answers each question with `says` in pieces of seven characters, unless a fault is next."""

    daemon_threads, block_on_close = True, False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.says: str | Callable[[dict[str, Any]], str] = "hello, world"
        self.finish: str | None = "stop"
        self.faults: list[Fault] = []
        self.always: Fault | None = None
        self.lists: Fault | None = None  # in place of its models
        self.refused: tuple[str, ...] = ()  # fields that it does not take
        self.calls = False  # whether what it says are the arguments of a tool call, where it is offered tools
        self.asked: list[Asked] = []
        self.hung_up = threading.Event()
        self.stalled = threading.Event()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def url(self) -> str:
        return f"{self.root}/v1#m"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [asked.body for asked in self.asked]


@contextmanager
def running() -> Iterator[Fake]:
    # What is remembered of a server is not of the next one with the same port.
    with TemporaryDirectory() as state, pytest.MonkeyPatch.context() as patch, Fake() as fake:
        patch.setenv("FASTEDIT_STATE", state)
        thread = started(lambda: fake.serve_forever(poll_interval=0.01))
        yield fake
        fake.shutdown()
        assert ended(thread)


class Handler(BaseHTTPRequestHandler):
    server: Fake

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.server.lists:
            self.server.lists(self)
        else:
            self.json(200, {"data": [{"id": "big-model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fake = self.server
        fake.asked.append(Asked(self.path, body, {k.lower(): v for k, v in self.headers.items()}))
        unknown = next((name for name in fake.refused if name in body), None)
        try:
            if fault := fake.faults.pop(0) if fake.faults else fake.always:
                fault(self)
            elif unknown:
                self.json(400, {"error": {"message": f"Unsupported parameter: '{unknown}'"}})
            else:
                self.events(body)
        except (BrokenPipeError, ConnectionResetError):
            fake.hung_up.set()

    def events(self, body: dict[str, Any]) -> None:
        text = self.server.says if isinstance(self.server.says, str) else self.server.says(body)
        bits = [text[at : at + 7] for at in range(0, len(text), 7)]
        self.head()
        called = self.server.calls and "tools" in body
        for event in WRITTEN[self.path.partition("/v1/")[2]](bits, self.server.finish, called):
            self.send(event)

    def head(self, kind: str = "text/event-stream", status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def send(self, event: dict[str, Any] | str) -> None:
        data = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
        name = f"event: {event['type']}\n" if isinstance(event, dict) and "type" in event else ""
        self.wfile.write(f"{name}data: {data}\n\n".encode())

    def json(self, status: int, body: object, **headers: str) -> None:
        self.head("application/json", status, **headers)
        self.wfile.write(json.dumps(body).encode())

    def wait(self) -> None:
        """Says nothing until the client hangs up."""
        self.server.stalled.set()
        if not self.connection.recv(1):
            self.server.hung_up.set()


Fault = Callable[[Handler], None]


def refuses(
    status: int, message: str = "no", code: str = "", param: str | None = None, **headers: str
) -> Fault:
    error = {"message": message, "code": code, "param": param}
    return lambda handler: handler.json(status, {"error": error}, **headers)


def busy(status: int = 429) -> Fault:
    return refuses(status, "busy", Retry_After="0")


def page(status: int = 200) -> Fault:
    def answer(handler: Handler) -> None:
        handler.head("text/html", status, Retry_After="0")
        handler.wfile.write(b"<!doctype html><title>Welcome</title>")

    return answer


def says(body: object) -> Fault:
    """JSON with status 200, whatever is in it."""
    return lambda handler: handler.json(200, body)


def sends(*events: dict[str, Any] | str) -> Fault:
    """These events and the end."""

    def answer(handler: Handler) -> None:
        handler.head()
        for event in events:
            handler.send(event)

    return answer


def silent(handler: Handler) -> None:
    handler.wait()


def headers_only(handler: Handler) -> None:
    handler.head()
    handler.wait()


def stalls(handler: Handler) -> None:
    handler.head()
    handler.send(chunk("begun"))
    handler.wait()


def keeps_alive(handler: Handler) -> None:
    """Comments and pings, and never a word of an answer."""
    handler.head()
    handler.server.stalled.set()
    pause = threading.Event()
    for bit in repeat(b': wait\n\ndata: {"type": "ping"}\n\n'):
        handler.wfile.write(bit)
        pause.wait(0.01)


def endless(handler: Handler) -> None:
    handler.head()
    for event in repeat(chunk("x" * 100_000)):
        handler.send(event)


def hangs_up(handler: Handler) -> None:
    """No answer at all."""


def breaks(handler: Handler) -> None:
    """Fewer bytes than were promised."""
    handler.head(Content_Length="1000")
    handler.send(chunk("begun"))


def chunk(text: str, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


def call_chunk(arguments: str, first: bool) -> dict[str, Any]:
    call: dict[str, Any] = {"index": 0, "function": {"arguments": arguments}}
    if first:
        call |= {"id": "c", "type": "function"}
        call["function"]["name"] = "apply_operations"
    return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]}


def _chat_completions(bits: list[str], finish: str | None, called: bool) -> Iterator[dict[str, Any] | str]:
    if called:
        yield chunk("I call.")
        yield from (call_chunk(bit, number == 0) for number, bit in enumerate(bits))
    else:
        yield from map(chunk, bits)
    if finish:
        yield chunk("", "tool_calls" if called and finish == "stop" else finish)
        details = {"accepted_prediction_tokens": 5, "rejected_prediction_tokens": 2}
        counts = {"prompt_tokens": 30, "completion_tokens": 9, "total_tokens": 39}
        yield {"choices": [], "usage": counts | {"completion_tokens_details": details}}
        yield "[DONE]"


def _responses(bits: list[str], finish: str | None, called: bool) -> Iterator[dict[str, Any]]:
    yield {"type": "response.created", "response": {"id": "r", "status": "in_progress", "output": []}}
    kind = "response.output_text.delta"
    if called:
        yield {"type": kind, "delta": "I call."}
        kind = "response.function_call_arguments.delta"
        item = {"type": "function_call", "name": "apply_operations", "call_id": "c", "arguments": ""}
        yield {"type": "response.output_item.added", "output_index": 1, "item": item}
    for bit in bits:
        yield {"type": kind, "delta": bit}
    if finish:
        usage = {"input_tokens": 30, "output_tokens": 9, "total_tokens": 39}
        whole = finish == "stop"
        response = {"id": "r", "status": "completed" if whole else "incomplete", "output": [], "usage": usage}
        if not whole:
            response["incomplete_details"] = {"reason": "max_output_tokens"}
        yield {"type": f"response.{response['status']}", "response": response}


def _messages(bits: list[str], finish: str | None, called: bool) -> Iterator[dict[str, Any]]:
    usage = {"input_tokens": 10, "cache_read_input_tokens": 20, "output_tokens": 1}
    yield {
        "type": "message_start",
        "message": {"id": "m", "role": "assistant", "content": [], "usage": usage},
    }
    yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    yield {"type": "ping"}
    kind, name = "text_delta", "text"
    if called:
        yield {"type": "content_block_delta", "index": 0, "delta": {"type": kind, name: "I call."}}
        yield {"type": "content_block_stop", "index": 0}
        block = {"type": "tool_use", "id": "c", "name": "apply_operations", "input": {}}
        yield {"type": "content_block_start", "index": 1, "content_block": block}
        kind, name = "input_json_delta", "partial_json"
    for bit in bits:
        yield {"type": "content_block_delta", "index": int(called), "delta": {"type": kind, name: bit}}
    yield {"type": "content_block_stop", "index": int(called)}
    if finish:
        reason = {"stop": "tool_use" if called else "end_turn", "length": "max_tokens"}[finish]
        yield {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 9}}
        yield {"type": "message_stop"}


def _completions(bits: list[str], finish: str | None, called: bool) -> Iterator[dict[str, Any] | str]:
    for bit in bits:
        yield {"choices": [{"index": 0, "text": bit, "finish_reason": None}]}
    if finish:
        yield {"choices": [{"index": 0, "text": "", "finish_reason": finish}]}
        yield {"choices": [], "usage": {"prompt_tokens": 30, "completion_tokens": 9, "total_tokens": 39}}
        yield "[DONE]"


WRITTEN = {
    "chat/completions": _chat_completions,
    "completions": _completions,
    "responses": _responses,
    "messages": _messages,
}


def answering(*responses: bytes) -> str:
    """The address of a server behind which each connection gets these bytes and is closed."""
    listener = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        for response in responses:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(response)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):  # what is left unread would reset the connection
                    pass
        listener.close()

    started(answer)
    return f"http://127.0.0.1:{listener.getsockname()[1]}/v1#m"
