"""A model behind an address: the same place, checks and hunks as with a local one, whatever the server answers."""

from __future__ import annotations

import gc
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from fastedit import Document, EditRequest, Engine, Sampling, Status
from fastedit.edit.hunks import apply_hunks
from fastedit.engine import HunkReady, Progressed
from fastedit.engine import upstream as remote
from fastedit.errors import ModelUnavailable, TooLong, UsageError

SOURCE = "def load(path):\r\n    return open(path).read()  # \u2028\r\n\r\n\r\nprint(1)"


class Upstream(ThreadingHTTPServer):
    """A server that renames as it is told, answers in a given form, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = "<updated-code>\n{code}\n</updated-code>"
        self.finish, self.status, self.error = "stop", 200, {"message": "no"}
        self.takes_prediction = True
        self.last: dict = {"delta": {}}
        self.asked: list[dict] = []
        self.keys: list[str | None] = []
        self.hung_up = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Upstream

    def log_message(self, *args) -> None:
        pass

    def do_GET(self) -> None:
        self._send(200, {"data": [{"id": "big-model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        self.server.keys.append(self.headers["Authorization"])
        if "prediction" in body and not self.server.takes_prediction:
            self._send(400, {"error": {"message": "unknown field prediction"}})
        elif self.server.status != 200:
            self._send(self.server.status, {"error": self.server.error})
        else:
            code = body["messages"][1]["content"].split("<code>\n")[1].split("\n</code>")[0]
            self._stream(self.server.answer.replace("{code}", code.replace("load", "read")))

    def _stream(self, text: str) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            for at in range(0, len(text), 7):
                self._event({"choices": [{"delta": {"content": text[at : at + 7]}, "finish_reason": None}]})
            if self.server.finish:
                self._event({"choices": [self.server.last | {"finish_reason": self.server.finish}]})
                details = {"accepted_prediction_tokens": 5, "rejected_prediction_tokens": 2}
                usage = {"prompt_tokens": 30, "completion_tokens": 9, "completion_tokens_details": details}
                self._event({"choices": [], "usage": usage})
                self.wfile.write(b"data: [DONE]\n\n")
        except (BrokenPipeError, ConnectionResetError):
            self.server.hung_up.set()

    def _event(self, data: dict) -> None:
        self.wfile.write(f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode())

    def _send(self, status: int, body: dict) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


def answering(*responses: bytes) -> str:
    """The address of a model behind which each connection gets these bytes and is closed."""
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

    threading.Thread(target=answer, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}/v1#m"


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with Upstream() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def rename(**wish) -> EditRequest:
    return EditRequest(Document.from_text(SOURCE), instruction="rename load to read", **wish)


def test_the_answer_becomes_hunks_and_all_other_bytes_stay(upstream):
    engine = Engine.load(upstream.url)
    events = list(engine.stream(rename()))
    result = events[-1].result
    assert result.status is Status.OK
    assert result.text == SOURCE.replace("load", "read")
    hunks = tuple(event.hunk for event in events if isinstance(event, HunkReady))
    assert apply_hunks(result.document, hunks) == result.text
    assert any(isinstance(event, Progressed) for event in events)
    assert result.receipt.model == upstream.url
    assert result.receipt.output_tokens == 9
    assert result.receipt.accepted == {"original": 5}
    assert result.receipt.drafted == {"original": 7}


def test_the_server_is_asked_for_its_model_with_the_original_as_prediction(upstream):
    Engine.load(upstream.url).apply(rename(sampling=Sampling(temperature=0.5, top_p=0.9, seed=7)))
    (body,) = upstream.asked
    assert body["model"] == "big-model"
    assert body["prediction"]["content"].startswith("<updated-code>\ndef load(path):\n")
    assert (body["temperature"], body["top_p"], body["seed"]) == (0.5, 0.9, 7)
    Engine.load(f"{upstream.url}/v1#other").apply(rename(speculation=False))
    assert upstream.asked[1]["model"] == "other"
    assert "prediction" not in upstream.asked[1]


def test_a_server_that_knows_no_prediction_is_asked_without(upstream):
    upstream.takes_prediction = False
    engine = Engine.load(upstream.url)
    assert engine.apply(rename()).status is Status.OK
    assert engine.apply(rename()).status is Status.OK
    assert ["prediction" in body for body in upstream.asked] == [True, False, False]


@pytest.mark.parametrize(
    "answer",
    [
        "<think>hm, <updated-code> it is</think>\nHere:\n<updated-code>\n{code}\n</updated-code>\nDone.",
        "<updated-code>\n```python\n{code}\n```\n</updated-code>",
        "<updated-code>{code}\n</updated-code>",
    ],
)
def test_what_a_model_says_around_the_code_is_left_out(upstream, answer):
    upstream.answer = answer
    assert Engine.load(upstream.url).apply(rename()).text == SOURCE.replace("load", "read")


@pytest.mark.parametrize(
    ("answer", "finish", "said"),
    [
        ("I would rather not.", "stop", "ended before <updated-code>"),
        ("<updated-code>\n{code}\n", "stop", "ended before </updated-code>"),
        ("<updated-code>\n{code}\n", "length", "cut off"),
        ("<updated-code>\n{code}\n", None, "broke off"),
        ("<updated-code>\n</updated-code>", "stop", "changes at line 1"),
    ],
)
def test_an_answer_that_is_not_whole_is_suspect(upstream, answer, finish, said):
    upstream.answer, upstream.finish = answer, finish
    result = Engine.load(upstream.url).apply(rename())
    assert result.status is Status.SUSPECT
    assert said in "; ".join(result.reasons)


@pytest.mark.parametrize(
    ("status", "error", "kind", "said"),
    [
        (401, {"message": "who?"}, ModelUnavailable, "FASTEDIT_UPSTREAM_KEY"),
        (404, {"message": "no model"}, ModelUnavailable, "#MODEL"),
        (429, {"message": "slow down"}, ModelUnavailable, "later"),
        (500, {}, ModelUnavailable, "answered 500"),
        (400, {"message": "9 > 8", "code": "context_length_exceeded"}, TooLong, "9 > 8"),
    ],
)
def test_a_server_that_refuses_is_named_with_the_way_out(upstream, status, error, kind, said):
    upstream.status, upstream.error = status, error
    with pytest.raises(kind, match=said):
        Engine.load(upstream.url).apply(rename())


def test_a_server_that_is_not_there_is_named():
    with pytest.raises(ModelUnavailable, match="check that the server runs"):
        Engine.load("http://127.0.0.1:9/v1#m").apply(rename())


def test_a_password_in_the_address_is_not_told():
    with pytest.raises(ModelUnavailable, match="check that the server runs") as error:
        Engine.load("http://me:secret@127.0.0.1:9/v1#m").apply(rename())
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    "sent",
    [
        b"data: 5",
        b"data: \xff",
        b"data: " + b"[" * 100_000,
        b'data: {"choices": 5}',
        b'data: {"choices": [null]}',
        b'data: {"choices": [{"delta": {"content": ["x"]}}]}',
        b'data: {"usage": {"prompt_tokens": "x"}}',
    ],
)
def test_garbage_from_a_server_is_one_line_that_says_so(sent):
    with pytest.raises(ModelUnavailable, match="nothing was changed"):
        Engine.load(answering(b"HTTP/1.1 200 OK\r\n\r\n" + sent + b"\n\n")).apply(rename())


def test_a_server_may_end_with_a_delta_that_is_null(upstream):
    upstream.last = {"delta": None}
    assert Engine.load(upstream.url).apply(rename()).status is Status.OK


def test_a_server_that_refuses_and_then_dies_is_named():
    url = answering(b"HTTP/1.1 400 No\r\nContent-Length: 2\r\n\r\nno", b"")
    with pytest.raises(ModelUnavailable, match="check that the server runs"):
        Engine.load(url).apply(rename())


def test_a_request_refused_for_another_reason_costs_later_ones_no_prediction(upstream):
    engine = Engine.load(upstream.url)
    upstream.status, upstream.error = 400, {"message": "9 > 8", "code": "context_length_exceeded"}
    with pytest.raises(TooLong):
        engine.apply(rename())
    upstream.status = 200
    assert engine.apply(rename()).status is Status.OK
    assert ["prediction" in body for body in upstream.asked] == [True, False, True]


def test_the_key_comes_from_the_environment(upstream, monkeypatch):
    monkeypatch.setenv("FASTEDIT_UPSTREAM_KEY", "secret")
    Engine.load(upstream.url).apply(rename())
    assert upstream.keys == ["Bearer secret"]


def test_a_closed_stream_hangs_up(upstream):
    upstream.answer = "<updated-code>\n" + "x = 1\n" * 200_000
    events = Engine.load(upstream.url).stream(rename())
    next(event for event in events if isinstance(event, Progressed))
    events.close()
    assert upstream.hung_up.wait(30)


def test_what_a_server_cannot_do_is_a_usage_error(upstream):
    with pytest.raises(UsageError, match="top_k"):
        Engine.load(upstream.url).apply(rename(sampling=Sampling(temperature=1.0, top_k=5)))
    with pytest.raises(UsageError, match="verify"):
        Engine.load(upstream.url).verify(rename())


def test_asking_a_server_never_imports_torch(upstream):
    code = (
        "import sys; from fastedit import *;"
        f"r = Engine.load({upstream.url!r}).apply(EditRequest(Document.from_text({SOURCE!r}), 'rename load to read'));"
        "print(r.status, 'torch' in sys.modules, 'transformers' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "ok False False\n"


def test_connections_are_closed_with_the_last_user_of_a_server():
    server = remote.Upstream("http://127.0.0.1:9/v1#m", None)
    http = server._http
    del server
    gc.collect()
    assert http.is_closed
