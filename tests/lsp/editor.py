"""An editor as the server sees one: pygls' client over stdio, buffers that it keeps itself, edits that it applies."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fastedit_lsp.positions import EditedLines, LineIndex
from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

COMMAND = ["-c", "from fastedit.cli import main; main()", "lsp"]
PATIENCE = 120.0
ALL = types.ClientCapabilities(
    general=types.GeneralClientCapabilities(position_encodings=["utf-16"]),
    window=types.WindowClientCapabilities(work_done_progress=True),
    workspace=types.WorkspaceClientCapabilities(
        apply_edit=True,
        workspace_edit=types.WorkspaceEditClientCapabilities(
            document_changes=True,
            resource_operations=[*types.ResourceOperationKind],
            change_annotation_support=types.ChangeAnnotationsSupportOptions(),
        ),
    ),
)


def plain(value: Any) -> Any:
    """JSON as it was sent; pygls hands results of methods that it does not know over as named tuples."""
    if hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


class _Protocol(LanguageServerProtocol):
    """Leaves code actions as JSON: lsprotocol takes one that has a command for a command."""

    def get_result_type(self, method: str) -> type[Any] | None:
        known = method != types.TEXT_DOCUMENT_CODE_ACTION
        return types.METHOD_TO_TYPES.get(method, (None, None))[1] if known else None


class Editor:
    """Use it in a `with` block. Everything the server sends is kept in `progress`, `messages`, `log` and `applied`."""

    def __init__(self, *args: str, options: Any = None, capabilities: types.ClientCapabilities = ALL):
        self._args, self._options, self._capabilities = args, options, capabilities
        self._runner = asyncio.Runner()
        self.encoding = "utf-16"
        self.forget()
        self.client = LanguageClient("test", "1", protocol_cls=_Protocol)
        self.client.feature(types.PROGRESS)(lambda p: self.progress.append((p.token, p.value)))
        self.client.feature(types.WINDOW_LOG_MESSAGE)(lambda p: self.log.append(p.message))
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(lambda p: self.messages.append(p.message))
        self.client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda p: None)
        self.client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)(lambda p: self.asked(p))
        self.client.feature(types.WORKSPACE_APPLY_EDIT)(partial(self._apply))

    def forget(self) -> None:
        """Starts over, with the same server."""
        self.buffers: dict[str, tuple[int, str]] = {}
        self.progress: list[tuple[Any, Any]] = []
        self.messages: list[str] = []
        self.log: list[str] = []
        self.questions: list[types.ShowMessageRequestParams] = []
        self.applied: list[types.ApplyWorkspaceEditParams] = []
        self.answer: str | None = None
        self.before_applying: Callable[[], None] = lambda: None
        self.asked = self._answered

    def __enter__(self) -> Editor:
        self._run(self.client.start_io(sys.executable, *COMMAND, *self._args))
        params = types.InitializeParams(self._capabilities, initialization_options=self._options)
        self.initialized = self._run(self.client.initialize_async(params))
        self.encoding = self.initialized.capabilities.position_encoding or "utf-16"
        self.client.initialized(types.InitializedParams())
        return self

    def __exit__(self, *_: object) -> None:
        if self.client._server.returncode is None:
            self.leave()
        self._run(self.client.stop())
        self._runner.close()

    def leave(self) -> None:
        """Says goodbye as an editor does; the server then ends."""
        self._run(self.client.shutdown_async(None))
        self.client.exit(None)

    def _run(self, awaitable):
        async def limited():
            return await asyncio.wait_for(awaitable, PATIENCE)

        return self._runner.run(limited())

    def open(self, uri: str, text: str, language: str = "python") -> None:
        self.buffers[uri] = (1, text)
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def close(self, uri: str) -> None:
        del self.buffers[uri]
        identifier = types.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))

    def type(self, uri: str, start: int, stop: int, text: str) -> None:
        """Replaces the characters `start:stop`, as a person does, and tells the server."""
        before = self.text(uri)
        index = LineIndex(before, self.encoding)
        range_ = types.Range(index.position(start), index.position(stop))
        self._changed(uri, before[:start] + text + before[stop:], range_, text)

    def _changed(self, uri: str, whole: str, range_: types.Range, text: str) -> None:
        version = self.buffers[uri][0]
        self.buffers[uri] = (version + 1, whole)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version + 1, uri),
                [types.TextDocumentContentChangePartial(range_, text)],
            )
        )

    def text(self, uri: str) -> str:
        return self.buffers[uri][1]

    def start(self, uri: str, **wish: Any) -> asyncio.Future:
        """`fastedit/edit` on its way."""
        return self.send("fastedit/edit", self._wish(uri, wish))

    def send(self, method: str, params: Any) -> asyncio.Future:
        """A request on its way."""
        return self._run(self._send(method, params))

    def edit(self, uri: str, **wish: Any) -> Any:
        return self.wait(self.start(uri, **wish))

    def command(self, name: str, uri: str, **wish: Any) -> Any:
        return self.execute({"command": name, "arguments": [self._wish(uri, wish)]})

    def execute(self, command: dict[str, Any]) -> Any:
        params = types.ExecuteCommandParams(command["command"], command["arguments"])
        return self._run(self.client.workspace_execute_command_async(params))

    def actions(self, uri: str, start: types.Position, end: types.Position) -> list[Any]:
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(uri), types.Range(start, end), types.CodeActionContext([])
        )
        return plain(self._run(self.client.text_document_code_action_async(params)))

    def wait(self, future: asyncio.Future) -> Any:
        return plain(self._run(future))

    def wait_for(self, condition: Callable[[], object]) -> None:
        async def until() -> None:
            while not condition():
                await asyncio.sleep(0.005)

        self._run(until())

    def cancel(self, future: asyncio.Future) -> None:
        self.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(future.message_id))

    def streamed(self, token: str, kind: str) -> list[Any]:
        return [value for at, value in self.progress if at == token and value.get("kind") == kind]

    def apply(self, edit: types.WorkspaceEdit) -> bool:
        """Applies an edit as the protocol says; False for another version."""
        for change in edit.document_changes or []:
            if isinstance(change, types.TextDocumentEdit):
                if not self._apply_text(change):
                    return False
            else:
                self._apply_to_disk(change)
        return True

    def _apply_text(self, change: types.TextDocumentEdit) -> bool:
        """All edits refer to the text before. A file that is not open is opened."""
        uri, wanted = change.text_document.uri, change.text_document.version
        if uri not in self.buffers and uri.startswith("file:"):
            with open(to_fs_path(uri), newline="") as file:
                self.open(uri, file.read())
        version, text = self.buffers[uri]
        if wanted is not None and wanted != version:
            return False
        lines = EditedLines(text, self.encoding)
        for edit in reversed(change.edits):
            lines.replace(edit.range, edit.new_text)
            self._changed(uri, lines.text, edit.range, edit.new_text)
        return True

    def _apply_to_disk(self, change: types.CreateFile | types.RenameFile | types.DeleteFile) -> None:
        if isinstance(change, types.CreateFile):
            path = Path(to_fs_path(change.uri))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(exist_ok=False)
        elif isinstance(change, types.DeleteFile):
            Path(to_fs_path(change.uri)).unlink()
            if change.uri in self.buffers:
                self.close(change.uri)
        else:
            assert not Path(to_fs_path(change.new_uri)).exists()
            Path(to_fs_path(change.old_uri)).rename(to_fs_path(change.new_uri))
            if change.old_uri in self.buffers:
                text = self.text(change.old_uri)
                self.close(change.old_uri)
                self.open(change.new_uri, text)

    def folders(self, added: Sequence[Path] = (), removed: Sequence[Path] = ()) -> None:
        """Opens and closes folders of the workspace."""
        event = types.WorkspaceFoldersChangeEvent(
            *(
                [types.WorkspaceFolder(path.as_uri(), path.name) for path in paths]
                for paths in (added, removed)
            )
        )
        self.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))

    def _wish(self, uri: str, wish: dict[str, Any]) -> dict[str, Any]:
        version = wish.pop("version", self.buffers[uri][0] if uri in self.buffers else None)
        return {"textDocument": {"uri": uri, "version": version}, **wish}

    async def _send(self, method: str, params: Any) -> asyncio.Future:
        message_id = f"{method}-{len(self.progress)}-{id(params)}"
        future = self.client.protocol.send_request_async(method, params, message_id)
        future.message_id = message_id
        return future

    def _answered(self, params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        self.questions.append(params)
        return next((a for a in params.actions or [] if a.title == self.answer), None)

    def _apply(self, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        self.before_applying()
        self.applied.append(params)
        return types.ApplyWorkspaceEditResult(self.apply(params.edit))
