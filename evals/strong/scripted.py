"""A server on this machine that answers as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from time import thread_time
from typing import Any

from fastedit.plan.base import tokens_of


@dataclass(slots=True)
class Scripted:
    """Its address, the questions that it was asked, and the processor time that it took, in seconds."""

    address: str
    asked: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0


@contextmanager
def scripted(*answers: str) -> Iterator[Scripted]:
    """A server that gives the answers in turn, and the last one to all further questions."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            answer = answers[min(len(found.asked), len(answers) - 1)]
            found.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            pieces = [answer[at : at + 40] for at in range(0, len(answer), 40)]
            deltas = [{"delta": {"content": piece}, "finish_reason": None} for piece in pieces]
            for choice in (*deltas, {"delta": {}, "finish_reason": "stop"}):
                self.wfile.write(f"data: {json.dumps({'choices': [choice]})}\n\n".encode())
            usage = {"prompt_tokens": 0, "completion_tokens": tokens_of(answer)}
            self.wfile.write(
                f"data: {json.dumps({'choices': [], 'usage': usage})}\n\ndata: [DONE]\n\n".encode()
            )

    class ScriptedServer(ThreadingHTTPServer):
        daemon_threads = False  # the end waits for them, and for the time that they took

        def process_request_thread(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
            super().process_request_thread(request, client_address)
            found.seconds += thread_time()

    with ScriptedServer(("127.0.0.1", 0), Handler) as server:
        found = Scripted(f"http://127.0.0.1:{server.server_port}/v1#scripted")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield found
        finally:
            server.shutdown()
            thread.join()
