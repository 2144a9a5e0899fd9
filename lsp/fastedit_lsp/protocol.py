"""pygls' protocol with buffers of our own, errors with our codes, and commands that get their progress token."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from typing import TYPE_CHECKING, Any

import attrs
import cattrs
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from fastedit.errors import FasteditError, UsageError, WayOut
from fastedit_lsp.buffers import UNSAID

if TYPE_CHECKING:
    from fastedit_lsp.server import FasteditServer

EDIT, WARM = "fastedit/edit", "fastedit/warm"


@attrs.define
class EditMessage:
    """`fastedit/edit`, whose parameters stay plain JSON until `BufferRequest` checks them."""

    id: int | str
    method: str
    jsonrpc: str
    params: Any = None


# Language and plan are none of an editor's fields.
_FIELDS = {
    WayOut.INSTRUCTION: "instruction",
    WayOut.UPDATE: "update",
    WayOut.SYMBOL: "symbol",
    WayOut.LINES: "range",
    WayOut.POLICY: "policy",
    WayOut.MODEL: "model",
    WayOut.CONNECT: "model",
    WayOut.CHANGE: "fastedit.applyChange",
}


class RequestFailed(JsonRpcException):
    """A FasteditError on its way to the client: one line, and its code in `data`."""

    CODE = types.LSPErrorCodes.RequestFailed.value

    @classmethod
    def of(cls, exc: FasteditError) -> JsonRpcException:
        data = {"code": exc.code}
        if isinstance(exc, UsageError):
            return JsonRpcInvalidParams(exc.worded(_FIELDS), data=data)
        return cls(exc.worded(_FIELDS), data=data)


def answering(
    server: FasteditServer, handler: Callable[..., Awaitable[Any]]
) -> Callable[..., Awaitable[Any]]:
    """A handler of requests to this server, whose errors go to the client as they are to be told."""

    async def answer(*arguments: Any) -> Any:
        try:
            return await handler(server, *arguments)
        except FasteditError as error:
            raise RequestFailed.of(error) from None

    return answer


def converter() -> cattrs.Converter:
    converter: cattrs.Converter = default_converter()  # type: ignore[no-untyped-call]
    converter.register_structure_hook(EditMessage, lambda message, _: EditMessage(**message))
    # Some clients leave the version of a change out; that of the text would stay behind without a word.
    converter.register_structure_hook(
        types.VersionedTextDocumentIdentifier,
        lambda said, _: types.VersionedTextDocumentIdentifier(said.get("version", UNSAID), said["uri"]),
    )
    return converter


class FasteditProtocol(LanguageServerProtocol):
    _server: FasteditServer

    def set_writer(self, writer: Any, include_headers: bool = True) -> None:
        """Over TCP or a web socket a second client may come; pygls would leave the first without answers."""
        if self.writer is not None:
            raise ConnectionRefusedError("there is a client already; start another server")
        super().set_writer(writer, include_headers)

    def handle_message(self, message: Any) -> None:
        """pygls answers requests out of order with a traceback, or never."""
        method, asked = getattr(message, "method", None), getattr(message, "id", None) is not None
        begun = hasattr(self, "client_capabilities")
        refusal: JsonRpcException | None = None
        if self._shutdown:
            refusal = JsonRpcInvalidRequest("the server was shut down; start another")
        elif method == types.INITIALIZE and begun:
            refusal = JsonRpcInvalidRequest("the server is initialized already")
        elif method != types.INITIALIZE and not begun:
            refusal = JsonRpcServerNotInitialized("the server waits for `initialize`")
        if refusal is not None and asked and method is not None:
            self._send_response(message.id, None, refusal.to_response_error())
        else:
            super().handle_message(message)

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        self._server.exit_code = 0 if self._shutdown else 1
        if isinstance(self.writer, asyncio.StreamWriter):
            self.writer.close()  # nothing more can be read then, which ends the server
        else:
            yield from super().lsp_exit(*args)

    def get_message_type(self, method: str) -> type[Any] | None:  # type: ignore[override]  # there it is cached
        return EditMessage if method == EDIT else super().get_message_type(method)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self._server.buffers.opened(params.text_document)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self._server.buffers.changed(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._server.buffers.closed(params.text_document.uri)
        self._server.history.forget(params.text_document.uri)
        self._server.held.pop(params.text_document.uri, None)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # a task, so that it can be cancelled
        self, params: types.ExecuteCommandParams
    ) -> Any:
        command = self.fm.commands.get(params.command)
        if command is None:
            raise JsonRpcInvalidParams(
                f"no command {params.command!r}; there are {', '.join(self.fm.commands)}"
            )
        return await command(params.arguments or [], params.work_done_token)
