"""`fastedit serve` as a process: where it listens, what it says, how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import httpx2
import pytest
from typer.testing import CliRunner

from fastedit.cli.app import app as cli
from fastedit.serve.run import _listen
from fastedit.serve.settings import ServerSettings
from tests.connect.fake import stalls
from tests.engine.test_upstream import upstream
from tests.serve.conftest import MERGED, SKETCH, SOURCE
from tests.waiting import PATIENCE_S, eventually

__all__ = ["upstream"]

COMMAND = [sys.executable, "-c", "from fastedit.cli import main; main()", "serve"]


@pytest.fixture
def start(copier):
    """Starts a server with these arguments; gives the process and its address."""
    started: list[subprocess.Popen[str]] = []

    def run(*args: str, **environment: str) -> tuple[subprocess.Popen[str], str]:
        process = subprocess.Popen(
            [*COMMAND, "--port", "0", "--model", copier.model, *args],
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | environment,
        )
        started.append(process)
        said = process.stderr.readline()
        found = re.search(r"http://\S+", said)
        assert found, said
        return process, found[0]

    yield run
    for process in started:
        process.kill()
        process.communicate()


def ready(url: str) -> bool:
    return httpx2.get(f"{url}/ready", timeout=60, trust_env=False).status_code == 200


def test_it_serves_with_its_drafter_logs_without_code_and_ends_with_0_on_sigterm(start):
    process, url = start("--drafter", "lookup+lookahead", FASTEDIT_SERVE_DRAFTERS='{"plain": "lookup"}')
    assert eventually(lambda: ready(url))
    wish = {"content": SOURCE, "update": SKETCH, "policy": "merge"}
    answer, other = (
        httpx2.post(f"{url}/v1/edits", json=wish | {"drafter": drafter}, timeout=60, trust_env=False)
        for drafter in ("lookup+lookahead", "plain")
    )
    assert answer.json()["content"] == MERGED
    assert other.status_code == 400  # the flag's drafter is the only one
    process.send_signal(signal.SIGTERM)
    _, log = process.communicate(timeout=60)
    assert process.returncode == 0
    lines = [json.loads(line) for line in log.splitlines()]
    told = [line for line in lines if line["event"] == "request" and line["path"] == "/v1/edits"]
    assert [(line["method"], line["status"]) for line in told] == [("POST", 200), ("POST", 400)]
    assert told[0]["request"] == answer.headers["x-request-id"]
    assert "merge(base" not in log


def mid_stream(url: str) -> Iterator[str]:
    """The lines of an edit that takes a while, one token a pass; given to the caller once it is under way."""
    wish = {"content": SOURCE * 2, "instruction": "rename nothing", "policy": "model", "speculation": False}
    headers = {"Accept": "text/event-stream"}
    with httpx2.stream(
        "POST", f"{url}/v1/edits", json=wish, headers=headers, timeout=60, trust_env=False
    ) as answer:
        lines = answer.iter_lines()
        for line in lines:
            if line == "event: progress":
                break
        yield line
        yield from lines


def test_sigterm_lets_a_stream_come_to_its_end(start):
    process, url = start(FASTEDIT_SERVE_DRAIN_S="600")
    assert eventually(lambda: ready(url))
    lines = mid_stream(url)
    assert next(lines) == "event: progress"
    process.send_signal(signal.SIGTERM)
    told = list(lines)
    assert [line for line in told if line.startswith("event:")][-1] == "event: result"
    process.communicate(timeout=60)
    assert process.returncode == 0


def told_to_go_elsewhere(lines: Iterator[str]) -> bool:
    """Whether a stream ends with the error of a server that shuts down."""
    *_, event, data, _ = lines
    return event == "event: error" and json.loads(data.removeprefix("data: "))["error"]["code"] == "draining"


def test_a_stream_that_is_still_running_when_draining_times_out_ends_with_an_error_event(start, upstream):
    upstream.always = stalls
    process, url = start("--model", upstream.root, FASTEDIT_SERVE_DRAIN_S="0")
    assert eventually(lambda: ready(url))
    lines = mid_stream(url)
    assert next(lines) == "event: progress"
    process.send_signal(signal.SIGTERM)
    assert told_to_go_elsewhere(lines)
    _, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert upstream.root not in log  # there may be a password in it


def test_a_second_sigterm_ends_what_still_runs_with_an_error_and_the_process_with_0(start, upstream):
    upstream.always = stalls
    process, url = start("--model", upstream.root, FASTEDIT_SERVE_DRAIN_S="600")
    assert eventually(lambda: ready(url))
    lines = mid_stream(url)
    assert next(lines) == "event: progress"
    process.send_signal(signal.SIGTERM)
    assert eventually(lambda: not ready(url))
    process.send_signal(signal.SIGTERM)
    assert told_to_go_elsewhere(lines)
    _, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "CancelledError" not in log


@pytest.mark.slow  # it takes the seconds that the last bytes of an answer are waited for
def test_a_request_whose_body_is_still_to_come_when_the_server_ends_is_told_to_go_elsewhere(start):
    process, url = start()
    assert eventually(lambda: ready(url))
    port = int(url.rsplit(":", 1)[1])
    head = "POST /v1/edits HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(head.encode() + b"{")
        assert ready(url)  # so that the server has read the head, which came first
        process.send_signal(signal.SIGTERM)
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode()  # it may come in parts
    assert answer.startswith("HTTP/1.1 503 ")
    assert '"code":"draining"' in answer
    _, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "CancelledError" not in log


@pytest.mark.slow
def test_sigkill_breaks_a_stream_off_visibly_and_leaves_the_address_free(start):
    process, url = start()
    assert eventually(lambda: ready(url))
    lines = mid_stream(url)
    assert next(lines) == "event: progress"
    process.kill()
    process.wait()
    told: list[str] = []
    with pytest.raises(httpx2.HTTPError):
        told.extend(lines)
    assert "event: result" not in told
    with socket.create_server(("127.0.0.1", int(url.rsplit(":", 1)[1]))):
        pass  # the next server can have the address


def test_it_ends_on_sigterm_though_its_upstream_never_answers(start):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        process, _ = start("--model", f"http://127.0.0.1:{port}/v1")
        silent.settimeout(PATIENCE_S)
        connection, _ = silent.accept()
        with connection:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
    assert process.returncode == 0


def test_an_answer_never_waits_for_an_acknowledgement():
    """Asyncio switches Nagle's algorithm off only on sockets that name their protocol, as accepted ones inherit."""
    with _listen(ServerSettings(port=0)) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP


def test_a_model_that_is_not_there_ends_it_with_one_line_and_code_5(tmp_path):
    command = [*COMMAND, "--port", "0", "--model", str(tmp_path / "none")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 5
    assert "no such model" in ended.stderr.splitlines()[-1]
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--host", "0.0.0.0"], "FASTEDIT_SERVE_KEYS"),
        (["--config", "missing.toml"], "missing.toml: no such file"),
        (["--host", "192.0.2.1"], "FASTEDIT_SERVE_KEYS"),
        (["--port", "70000"], "port"),
        (["--drafter", "magic"], "drafter 'magic': there is none of that name"),
        (["--drafter", "lookup+medusa"], "write medusa=FOLDER"),
        (["--drafter", "lookahead", "--model", "http://127.0.0.1:9/v1"], "leave --drafter out"),
    ],
)
def test_wrong_settings_end_it_with_one_line_and_code_2(args, said):
    ended = CliRunner().invoke(cli, ["serve", *args])
    assert ended.exit_code == 2
    assert said in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_an_address_in_use_is_named_with_the_way_out():
    with socket.create_server(("127.0.0.1", 0)) as other:
        ended = CliRunner().invoke(cli, ["serve", "--port", str(other.getsockname()[1])])
    assert ended.exit_code == 2
    assert "choose another --port" in ended.stderr
