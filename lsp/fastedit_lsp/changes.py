"""`fastedit.applyChange`: whatever an agent wrote, in any format, over the files of the workspace."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from fastedit.engine.changes.change import ChangeRequest, ChangeResult
from fastedit.engine.changes.files import is_file
from fastedit.errors import FasteditError, StaleFile, UnreadableEdit
from fastedit.formats.base import Edit, ModifyFile, WriteFile
from fastedit.formats.message import read_message
from fastedit.result import Status
from fastedit_lsp.bridge import work_out
from fastedit_lsp.commands import ANYWAY, answered, apply, say, sent, tell
from fastedit_lsp.progress import work_done
from fastedit_lsp.reports import log_unplaced
from fastedit_lsp.requests import ChangeMessage
from fastedit_lsp.several import WAY_OUT, document_changes, in_words
from fastedit_lsp.wire import confirms
from fastedit_lsp.workspace import WorkspaceFiles

if TYPE_CHECKING:
    from fastedit_lsp.server import FasteditServer

CHANGE = "fastedit.applyChange"
_APPLY = "Apply"
_LABEL = "apply the change"


async def apply_change(
    server: FasteditServer, arguments: Sequence[Any], token: types.ProgressToken | None
) -> dict[str, Any]:
    """Applies the message in the first argument: to one file as `fastedit.apply` does, to several as one edit.

    `review` in the answer is the file that a client with a review of its own is to ask `fastedit/edit` for.
    """
    asked = ChangeMessage.parse(arguments[0] if arguments else None)
    files = WorkspaceFiles(server.buffers, server.folders, asked.uri)
    edit = await asyncio.to_thread(
        read_message, asked.text, path=files.front, is_file=partial(is_file, files)
    )
    uri = _only_file(edit, files)
    if uri is None:
        return await _apply_to_several(server, edit, files, token) | {"review": None}
    if asked.review:
        return {"status": None, "applied": False, "review": uri}
    one = {"textDocument": {"uri": uri}, "update": asked.text}
    return await apply(server, [one], token) | {"review": None}


def _only_file(edit: Edit, files: WorkspaceFiles) -> str | None:
    """The existing file whose text is all that changes; None for any other change."""
    if any(operation.path is None for operation in edit.operations) and files.front is None:
        raise UnreadableEdit("the edit names no file; open the file that it is for and apply it again")
    if len(edit.operations) != 1 or not isinstance(edit.operations[0], ModifyFile | WriteFile):
        return None
    return files.existing(edit.operations[0].path)


async def _apply_to_several(
    server: FasteditServer, edit: Edit, files: WorkspaceFiles, token: types.ProgressToken | None
) -> dict[str, Any]:
    request = ChangeRequest(edit, files.front, policy=server.settings.policy, roots=files.roots)
    async with work_done(server, token, _LABEL) as show:
        result = await work_out(server.backend, request, files, show)
    _refuse(server, result)
    if result.status is Status.UNCHANGED:
        say(server, "FastEdit: nothing changed: the files already are as they should be")
        return {"status": str(result.status), "applied": False}
    made = document_changes(result, files, server.client_capabilities, _LABEL)
    applied = await _agreed(server, result) and await _deliver(server, files, made)
    if applied:
        _tell_executables(server, result)
        for note in result.notes:
            say(server, f"FastEdit: {note}")
        for file in result.files:
            tell(server, file.notes, file.left, f"{file.name}: ")
    return {"status": str(result.status), "applied": applied}


def _refuse(server: FasteditServer, result: ChangeResult) -> None:
    """Raises the first file's error with the words of all, where a file cannot be changed."""
    refused = [file for file in result.files if file.problem]
    for file in refused:
        log_unplaced(server, file.name, file.reports)
    if refused:
        kind = type(refused[0].error) if refused[0].error else FasteditError
        problems = "; ".join(f"{file.name}: {file.problem}" for file in refused)
        raise kind(f"nothing was changed: {problems}")


async def _agreed(server: FasteditServer, result: ChangeResult) -> bool:
    """Asks for what the checks hold back, and where the editor itself does not ask."""
    if result.status is Status.SUSPECT:
        text, yes = f"suspect, nothing was changed: {'; '.join(result.reasons)}", ANYWAY
    elif confirms(server.client_capabilities):
        return True
    else:
        text, yes = f"{in_words(result)}?", _APPLY
    return await answered(server, f"FastEdit: {text}", (yes,), f"this editor cannot ask: {WAY_OUT}") == yes


async def _deliver(server: FasteditServer, files: WorkspaceFiles, edit: types.WorkspaceEdit) -> bool:
    """Whether the editor took the edit. Raises StaleFile."""
    for before in files.read_so_far:
        now = server.buffers.get(before.uri)
        if (now.version, now.text) != (before.version, before.text):
            raise StaleFile(
                f"{before.path}: was edited meanwhile; nothing was changed, apply the change again"
            )
    answer = await sent(server, edit, _LABEL)
    if not answer.applied and answer.failure_reason:
        raise StaleFile(
            f"the editor did not take the whole change ({answer.failure_reason}); "
            "undo what it took and apply it again"
        )
    if not answer.applied:
        # A preview has nothing ticked that needs confirmation.
        ticked = (
            "; in a preview, tick the files that you want" if confirms(server.client_capabilities) else ""
        )
        say(server, f"FastEdit: the change was not applied{ticked}")
    return answer.applied


def _tell_executables(server: FasteditServer, result: ChangeResult) -> None:
    """An editor makes files, but not executable ones."""
    names = [file.name for file in result.files if file.path is None and file.executable]
    if names:
        say(server, f"FastEdit: to be executable; run chmod +x {' '.join(names)}")
