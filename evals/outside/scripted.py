"""A server on this machine that answers as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextmanager
def scripted(answer: str) -> Iterator[tuple[str, list[Any]]]:
    """The address of a server that answers every question so, and the questions that it was asked."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            pieces = [answer[at : at + 40] for at in range(0, len(answer), 40)]
            deltas = [{"delta": {"content": piece}, "finish_reason": None} for piece in pieces]
            for choice in (*deltas, {"delta": {}, "finish_reason": "stop"}):
                self.wfile.write(f"data: {json.dumps({'choices': [choice]})}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1#scripted", asked
        finally:
            server.shutdown()
            thread.join()
