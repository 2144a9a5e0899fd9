from __future__ import annotations

import asyncio

import pytest
import uvicorn
from uvicorn.server import ServerState

from fastedit.serve.heads import timed

SECONDS = 0.1
ANSWERED = b"HTTP/1.1 204 No Content"


async def slow(scope, receive, send) -> None:
    await asyncio.sleep(2 * SECONDS)
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


async def answer(*pieces: bytes) -> bytes:
    """What a server says until it closes the connection."""
    config = uvicorn.Config(slow, http=timed(SECONDS), lifespan="off", log_config=None, timeout_keep_alive=1)
    config.load()
    state = ServerState()

    def connected() -> asyncio.Protocol:
        return config.http_protocol_class(config=config, server_state=state, app_state={})

    server = await asyncio.get_running_loop().create_server(connected, "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        said = b""
        for piece in pieces:
            writer.write(piece)
            said += await reader.read(1 << 16)
        writer.close()
    return said


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: a\r\nX: "])
def test_a_connection_on_which_no_head_arrives_is_closed(begun):
    assert asyncio.run(asyncio.wait_for(answer(begun), 10)) == b""


def test_a_second_head_that_does_not_arrive_is_not_waited_for_either():
    whole = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    said = asyncio.run(asyncio.wait_for(answer(whole, b"GET / HTTP/1.1\r\n"), 10))
    assert said.startswith(ANSWERED)
    assert said.count(ANSWERED) == 1


def test_an_answer_may_take_longer_than_a_head():
    assert asyncio.run(asyncio.wait_for(answer(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"), 10)).startswith(
        ANSWERED
    )
