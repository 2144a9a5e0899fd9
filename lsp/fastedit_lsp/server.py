"""The server: what it offers, and the parts that its handlers share."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from fastedit import __version__
from fastedit.engine.events import Event
from fastedit.errors import FasteditError, InputRefused
from fastedit_lsp import changes, commands, operations
from fastedit_lsp.actions import KIND, code_actions
from fastedit_lsp.backend import EditBackend, LocalBackend
from fastedit_lsp.buffers import Buffer, Buffers
from fastedit_lsp.history import EditHistory
from fastedit_lsp.progress import work_done
from fastedit_lsp.protocol import EDIT, WARM, FasteditProtocol, RequestFailed, answering, converter
from fastedit_lsp.requests import BufferRequest, token
from fastedit_lsp.session import BufferOutcome, run
from fastedit_lsp.settings import ClientSettings
from fastedit_lsp.wire import event_json


class FasteditServer(LanguageServer):
    """Serves one client. `settings` are the command line's; the client's initialization options override them."""

    def __init__(self, settings: ClientSettings) -> None:
        super().__init__("fastedit", __version__, protocol_cls=FasteditProtocol, converter_factory=converter)
        self.settings = settings
        self.buffers = Buffers()
        self.history = EditHistory()
        # By buffer, the suspect result whose other readings are offered.
        self.held: dict[str, BufferOutcome] = {}
        self.exit_code = 0  # 1 where the client leaves without `shutdown`
        self.complaint: str | None = None  # why the client's options were not taken
        self._backend: EditBackend | None = None
        self.feature(types.INITIALIZE)(partial(_initialize, self))
        self.feature(types.INITIALIZED)(partial(_initialized, self))
        self.feature(types.SHUTDOWN)(partial(_shutdown, self))
        self.feature(EDIT)(answering(self, _edit))
        self.feature(WARM)(answering(self, _warm))
        options = types.CodeActionOptions(code_action_kinds=[KIND])
        self.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(partial(_code_actions, self))
        self.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(answering(self, operations.prepare_rename))
        self.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))(
            answering(self, operations.rename)
        )
        more = {changes.CHANGE: changes.apply_change, operations.LIST: operations.list_operations}
        for name, command in {**commands.COMMANDS, **more}.items():
            self.command(name)(answering(self, command))
        logging.getLogger("pygls.protocol.json_rpc").addFilter(_unexpected)

    @property
    def backend(self) -> EditBackend:
        """Where edits run; made when it is first asked for, with the settings of then."""
        if self._backend is None and self.settings.server_url:
            from fastedit_lsp.remote import RemoteBackend

            self._backend = RemoteBackend(self.settings)
        elif self._backend is None:
            self._backend = LocalBackend(self.settings.model)
        return self._backend

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of the workspace that are on this machine."""
        paths = [to_fs_path(uri) for uri in self.workspace.folders if uri.startswith("file:")]
        return tuple(Path(path) for path in paths or [self.workspace.root_path] if path)

    async def close(self) -> None:
        if self._backend is not None:
            await self._backend.close()


def _initialize(server: FasteditServer, params: types.InitializeParams) -> None:
    server.buffers.encoding = server.workspace.position_encoding or types.PositionEncodingKind.Utf16
    try:
        server.settings = server.settings.updated(params.initialization_options)
    except FasteditError as error:
        server.complaint = str(error)


def _initialized(server: FasteditServer, params: types.InitializedParams) -> None:
    if server.complaint is not None:
        text = f"FastEdit: {server.complaint}; the settings were ignored"
        server.window_show_message(types.ShowMessageParams(types.MessageType.Error, text))


async def _shutdown(server: FasteditServer, params: None) -> None:
    await server.close()


async def _edit(server: FasteditServer, params: dict[str, Any]) -> dict[str, Any]:
    """`fastedit/edit`: hunks go to `partialResultToken` while they become final, the outcome is the answer."""
    asked = BufferRequest.parse(params)
    stream, work = (token(params, name) for name in ("partialResultToken", "workDoneToken"))

    def send(event: Event, base: Buffer) -> None:
        show(event)
        value = event_json(event, base)
        if stream is not None and value is not None:
            server.protocol.notify(types.PROGRESS, types.ProgressParams(stream, value))

    async with work_done(server, work, asked.title, ask=False) as show:
        outcome = await run(server, asked, send)
    return outcome.as_json(server.buffers.now(outcome.base), server.client_capabilities)


async def _warm(server: FasteditServer, params: Any) -> None:
    """`fastedit/warm`: loads the model while the person still types the instruction."""
    try:
        await server.backend.warm()
    except FasteditError as error:
        server.window_log_message(types.LogMessageParams(types.MessageType.Warning, str(error)))


def _code_actions(server: FasteditServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    buffer = server.buffers.find(params.text_document.uri)
    if buffer is None:
        return []
    held = server.held.get(buffer.uri)
    try:
        return code_actions(buffer, held, params, server.client_capabilities, asks=server.settings.asks)
    except InputRefused:  # none can be carried out either in what is no text, or too long
        return []


def _unexpected(record: logging.LogRecord) -> bool:
    """An error that the client is told in one line needs no traceback in the log."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, (RequestFailed, JsonRpcInvalidParams, JsonRpcContentModified))
