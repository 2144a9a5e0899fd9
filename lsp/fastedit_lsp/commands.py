"""Commands for editors without a client of ours: they end in `workspace/applyEdit`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from fastedit.errors import FileUnreadable, StaleFile, UsageError
from fastedit.ops import Candidate
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks
from fastedit.source.rebase import rebase
from fastedit_lsp.buffers import Buffer
from fastedit_lsp.history import Applied
from fastedit_lsp.hunks import inverse
from fastedit_lsp.progress import work_done
from fastedit_lsp.requests import BufferRequest
from fastedit_lsp.session import BufferOutcome, choose, run
from fastedit_lsp.wire import workspace_edit

if TYPE_CHECKING:
    from fastedit_lsp.server import FasteditServer

APPLY, APPLY_SELECTION, UNDO = "fastedit.apply", "fastedit.applySelection", "fastedit.undo"
ANYWAY = "Apply anyway"
_TRIES = 3  # a person who types may be faster than an edit's way to the editor
_PATIENCE_S = 2.0  # some editors tell of typing only after a pause


async def apply(
    server: FasteditServer, arguments: Sequence[Any], token: types.ProgressToken | None
) -> dict[str, Any]:
    """Runs the edit request in the first argument and puts the result into the buffer."""
    asked = BufferRequest.parse(arguments[0] if arguments else None)
    async with work_done(server, token, asked.title) as show:
        outcome = await run(server, asked, lambda event, base: show(event))
    server.held.pop(asked.uri, None)
    if not outcome.changes:
        result = outcome.result
        reasons = "; ".join(result.reasons or result.notes) or "the text already is as it should be"
        say(server, f"FastEdit: nothing changed: {reasons}")
    else:
        if not outcome.deliverable:  # from now on, as the person may not see the question
            server.held[asked.uri] = outcome
        taken = outcome if outcome.deliverable else await _taken(server, outcome)
        if taken is not None:
            await _deliver(server, taken)
            server.held.pop(asked.uri, None)
            tell(server, taken.result.notes, taken.result.left)
            return {"status": str(taken.result.status), "applied": True}
    return {"status": str(outcome.result.status), "applied": False}


async def apply_selection(
    server: FasteditServer, arguments: Sequence[Any], token: types.ProgressToken | None
) -> dict[str, Any]:
    """Like `apply`, but the request must say which lines."""
    if BufferRequest.parse(arguments[0] if arguments else None).lines is None:
        raise UsageError(f"{APPLY_SELECTION} needs a range; {APPLY} works on the whole buffer")
    return await apply(server, arguments, token)


async def undo(
    server: FasteditServer, arguments: Sequence[Any], token: types.ProgressToken | None
) -> dict[str, Any]:
    """Takes the newest edit of a buffer back in one step, around what was typed since."""
    uri = BufferRequest.parse(arguments[0] if arguments else None).uri
    applied = server.history.newest(uri)
    current = server.buffers.get(uri)
    hunks, conflicts = rebase(applied.back, applied.text, current.document, adjoining=True)
    if conflicts:
        raise StaleFile(
            f"{current.path}: line {conflicts[0].start + 1} changed after the edit; "
            "undo in the editor, or change it back first"
        )
    if hunks:
        await _put(server, current, hunks, "undo")
    else:
        say(server, "FastEdit: the buffer already is as it was before the edit; nothing was changed")
    server.history.drop(uri, applied)
    return {"applied": bool(hunks)}


async def _taken(server: FasteditServer, outcome: BufferOutcome) -> BufferOutcome | None:
    """What the person takes of a suspect result: it, another reading of the update, or nothing."""
    while True:
        readings = {f"Take {other.title}": other.number for other in outcome.others if other.number}
        reasons = "; ".join(outcome.result.reasons)
        said = f"FastEdit: {outcome.base.path}: suspect, nothing was changed: {reasons}"
        answer = await answered(
            server, said, (ANYWAY, *readings), "the code actions of the file take it or another reading"
        )
        if answer == ANYWAY:
            return outcome
        if answer not in readings:
            return None
        outcome = await choose(server, outcome, readings[answer])
        if outcome.deliverable:
            return outcome


async def answered(server: FasteditServer, text: str, titles: Sequence[str], otherwise: str) -> str | None:
    """What the person chooses; None for nothing. An editor that cannot ask has `otherwise` said, the other way."""
    items = [types.MessageActionItem(title) for title in (*titles, "Discard")]
    try:
        answer = await server.window_show_message_request_async(
            types.ShowMessageRequestParams(types.MessageType.Warning, text, items)
        )
    except JsonRpcException:  # as Helix does, which knows no such request
        said = types.ShowMessageParams(types.MessageType.Warning, f"{text}; {otherwise}")
        server.window_show_message(said)
        return None
    return None if answer is None else answer.title


async def _deliver(server: FasteditServer, outcome: BufferOutcome) -> None:
    drops = outcome.result.drops_final_newline
    for attempt in range(_TRIES):
        current = server.buffers.get(outcome.base.uri)
        if current.version is None and outcome.base.version is not None:
            raise FileUnreadable(f"{current.path}: was closed while the edit ran; open it and apply again")
        hunks, conflicts = outcome.onto(current)
        if conflicts:
            raise StaleFile(
                f"{current.path}: line {conflicts[0].start + 1} changed while the edit ran; "
                "nothing was changed, apply it again"
            )
        try:
            await _put(server, current, hunks, outcome.asked.title, drops_final_newline=drops)
        except StaleFile:
            if attempt + 1 == _TRIES or not await _moved_on(server, current):
                raise
            continue
        before = current.document
        made = apply_hunks(before, hunks, drops_final_newline=drops)
        back = inverse(hunks, before.lines, dropped_final_newline=drops)
        server.history.add(current.uri, Applied(Document.from_text(made, current.path), back))
        return


async def _moved_on(server: FasteditServer, before: Buffer) -> bool:
    """Whether the client tells of another version soon."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _PATIENCE_S
    while loop.time() < deadline:
        current = server.buffers.find(before.uri)
        if current is None or current.version != before.version:
            return current is not None
        await asyncio.sleep(0.05)
    return False


async def _put(
    server: FasteditServer,
    current: Buffer,
    hunks: Sequence[Hunk],
    label: str,
    *,
    drops_final_newline: bool = False,
) -> None:
    """Raises StaleFile where the client does not take the edit."""
    capabilities = server.client_capabilities
    edit = workspace_edit(current, hunks, label, capabilities, drops_final_newline=drops_final_newline)
    answer = await sent(server, edit, label)
    if not answer.applied:
        reason = answer.failure_reason or "it changed meanwhile"
        raise StaleFile(f"{current.path}: the editor did not take the edit ({reason}); apply it again")


async def sent(
    server: FasteditServer, edit: types.WorkspaceEdit, label: str
) -> types.ApplyWorkspaceEditResult:
    """The client's answer to an edit."""
    params = types.ApplyWorkspaceEditParams(edit, f"FastEdit: {label}")
    try:
        return await server.workspace_apply_edit_async(params)
    except JsonRpcException as error:  # Emacs says so instead of `applied: false`
        return types.ApplyWorkspaceEditResult(False, str(error))


def tell(server: FasteditServer, notes: Sequence[str], left: Sequence[Candidate], file: str = "") -> None:
    """Says what a person should know beside an edit, and which places may be meant too and stay as they are."""
    alone = [f"left alone: {'; '.join(map(str, left))}"] if left else []
    for line in (*notes, *alone):
        say(server, f"FastEdit: {file}{line}")


def say(server: FasteditServer, text: str) -> None:
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))


COMMANDS = {APPLY: apply, APPLY_SELECTION: apply_selection, UNDO: undo}
