"""How an editor reaches the server, and what the server does when the editor is gone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time
from subprocess import PIPE

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient
from typer.testing import CliRunner

from fastedit.cli.app import app
from tests.engine.test_engine import SOURCE
from tests.lsp.editor import ALL, COMMAND, PATIENCE, Editor

AT_A_TERMINAL = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"


@contextlib.contextmanager
def listening(*args: str):
    """A server on a free port of this machine, and the port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, *COMMAND, *args, "--port", str(port)], stderr=PIPE)
    try:
        yield process, port
    finally:
        process.kill()
        process.communicate()


def _message(**fields: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **fields}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


async def connected(connect) -> types.InitializeResult:
    """What the server says of itself, asked as soon as it listens."""
    client = LanguageClient("test", "1")
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            await connect(client)
            break
        except OSError:
            assert time.monotonic() < deadline, "the server never listened"
            await asyncio.sleep(0.1)
    answer = await client.initialize_async(types.InitializeParams(ALL))
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # closes its connection, which the server waits for
    return answer


@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_the_server_listens_on_a_port_for_editors_that_connect(transport):
    with listening(f"--{transport}") as (process, port):
        start = LanguageClient.start_tcp if transport == "tcp" else LanguageClient.start_ws
        answer = asyncio.run(connected(lambda client: start(client, "127.0.0.1", port)))
        assert answer.server_info.name == "fastedit"
        assert process.wait(PATIENCE) == 0
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.parametrize(("asks", "code"), [(True, 0), (False, 1)])
def test_a_client_that_leaves_without_asking_for_shutdown_is_told_by_the_exit_code(asks, code):
    begin = {"processId": None, "rootUri": None, "capabilities": {}}
    sent = [_message(id=1, method="initialize", params=begin), _message(method="exit")]
    sent[1:1] = [_message(id=2, method="shutdown")] * asks
    ended = subprocess.run(
        [sys.executable, *COMMAND], input=b"".join(sent), capture_output=True, timeout=PATIENCE, check=False
    )
    assert ended.returncode == code
    assert b"Traceback" not in ended.stderr


def test_a_port_that_is_taken_is_one_line():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = CliRunner().invoke(app, ["lsp", "--tcp", "--port", str(port)])
    assert run.exit_code == 2
    assert f"cannot listen on 127.0.0.1:{port}: " in run.output


def test_a_second_client_leaves_the_first_its_answers():
    with listening("--tcp") as (process, port):

        async def join(client: LanguageClient) -> None:
            await LanguageClient.start_tcp(client, "127.0.0.1", port)
            with socket.create_connection(("127.0.0.1", port)) as second:
                assert await asyncio.to_thread(second.recv, 1) == b""

        assert asyncio.run(connected(join)).server_info.name == "fastedit"
        assert process.wait(PATIENCE) is not None


def test_requests_out_of_order_are_refused_and_each_is_answered():
    begin = {"processId": None, "rootUri": None, "capabilities": {}}
    sent = [
        _message(id=1, method="fastedit/edit", params={}),
        _message(id=2, method="initialize", params=begin),
        _message(id=3, method="initialize", params=begin),
        _message(id=4, method="shutdown"),
        _message(id=5, method="fastedit/edit", params={}),
        _message(method="exit"),
    ]
    command = [sys.executable, *COMMAND]
    ended = subprocess.run(command, input=b"".join(sent), capture_output=True, timeout=PATIENCE, check=False)
    codes = [
        json.loads(part).get("error", {}).get("code")
        for part in re.findall(rb"\{.*?\}(?=Content|$)", ended.stdout)
    ]
    assert codes == [-32002, None, -32600, None, -32600]
    assert b"Traceback" not in ended.stderr


def test_a_server_whose_editor_is_gone_ends_even_while_an_edit_runs(copier):
    with Editor("--model", copier.model) as editor:
        editor.open("file:///work/a.py", SOURCE * 8)
        editor.start("file:///work/a.py", instruction="rename merged to joined", policy="model")
        server = editor.client._server
        server.stdin.close()
        editor.wait_for(lambda: server.returncode is not None)


def test_ctrl_c_ends_a_server_that_waits_for_its_editor():
    initialize = _message(id=1, method="initialize", params={"capabilities": {}})
    with subprocess.Popen(
        [sys.executable, "-c", f"{AT_A_TERMINAL}; {COMMAND[1]}", "lsp"], stdin=PIPE, stdout=PIPE
    ) as process:
        process.stdin.write(initialize)
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"Content-Length")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == -signal.SIGINT


def test_a_server_that_loaded_a_model_ends_with_exit_code_0(copier):
    with Editor("--model", copier.model) as editor:
        editor.wait(editor.send("fastedit/warm", {}))
        server = editor.client._server
        editor.leave()
        editor.wait_for(lambda: server.returncode is not None)
        assert server.returncode == 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--tcp", "--ws"], "exclude each other"),
        (["--server", "localhost:8765"], "is not an http:// or https:// address"),
        (["--server", "http://[localhost"], "is not an http:// or https:// address"),
    ],
)
def test_options_that_contradict_themselves_are_refused(args, said):
    run = CliRunner().invoke(app, ["lsp", *args])
    assert run.exit_code == 2
    assert said in run.output


def test_a_wish_that_is_refused_leaves_no_traceback_in_the_log():
    sent = [
        _message(id=1, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}}),
        _message(id=2, method="fastedit/edit", params={}),
        _message(id=3, method="workspace/executeCommand", params={"command": "none"}),
        _message(id=4, method="shutdown"),
        _message(method="exit"),
    ]
    command = [sys.executable, *COMMAND]
    ended = subprocess.run(command, input=b"".join(sent), capture_output=True, timeout=PATIENCE, check=True)
    assert ended.stdout.count(b'"error"') == 2
    assert b"Traceback" not in ended.stderr
