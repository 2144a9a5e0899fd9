"""Standard input of the MCP server: a message that cannot be read gets an error, where the SDK only logs it."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared._context_streams import ContextReceiveStream, ContextSendStream, create_context_streams
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

_INVALID = "the message is not a JSON-RPC 2.0 request; send one object a line, as batches are not supported"

Read = ContextReceiveStream[SessionMessage | Exception]
Write = ContextSendStream[SessionMessage]


@asynccontextmanager
async def answering_stdio() -> AsyncIterator[tuple[Read, Write]]:
    """`stdio_server`, but for messages that cannot be read: they are answered here and go no further."""
    # Lines of bytes: as text, the SDK would put U+FFFD for what is not UTF-8, and that would be written to files.
    lines: Any = anyio.wrap_file(sys.stdin.buffer)
    async with stdio_server(lines) as (incoming, outgoing), anyio.create_task_group() as tasks:
        forward, readable = create_context_streams[SessionMessage | Exception](0)
        tasks.start_soon(_answer, incoming, forward, outgoing)
        yield readable, outgoing
        tasks.cancel_scope.cancel()


async def _answer(
    incoming: Read, forward: ContextSendStream[SessionMessage | Exception], outgoing: Write
) -> None:
    async with forward:
        async for item in incoming:
            if not isinstance(item, Exception):
                await forward.send(item)
            elif (refusal := refused(item)) is not None:
                await outgoing.send(SessionMessage(refusal))


def refused(error: Exception) -> JSONRPCError | None:
    """The answer to a message whose reading failed; None for a blank line. Its id is the request's where there is one:
    a client waits for that."""
    found = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    unread = next((fault for fault in found if fault["type"] == "json_invalid"), None)
    if unread is not None:
        line = bytes(unread["input"]).decode(errors="replace")
        if not line.strip():
            return None
        said = f"the message is not JSON that can be read: {unread['ctx']['error']}; send one object a line, in UTF-8"
        return _error(PARSE_ERROR, said, _members(line))
    # No message has all the fields of each kind of message, so one fault shows the whole of it.
    whole = next((fault["input"] for fault in found if fault["type"] in ("missing", "model_type")), None)
    return _error(INVALID_REQUEST, _INVALID, whole if isinstance(whole, dict) else {})


def _error(code: int, said: str, members: Mapping[str, Any]) -> JSONRPCError:
    identity = members.get("id") if "method" in members else None
    known = type(identity) is int or (isinstance(identity, str) and identity.isprintable())
    return JSONRPCError(
        jsonrpc="2.0", id=identity if known else None, error=ErrorData(code=code, message=said)
    )


def _members(line: str) -> dict[str, object]:
    """The members of an object that the SDK does not take, as it holds half a character."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
