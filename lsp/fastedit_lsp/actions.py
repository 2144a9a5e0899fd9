"""Code actions: edit requests that stand in the file, as a comment or as a selected sketch, readings of an update, and
operations on the definition that begins at the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lsprotocol import types

from fastedit.formats.files.whole import NAME as WHOLE
from fastedit.formats.registry import FORMATS
from fastedit.request import LineRange
from fastedit.source.markers import looks_like_marker
from fastedit_lsp.buffers import Buffer
from fastedit_lsp.commands import ANYWAY, APPLY
from fastedit_lsp.operations import suited
from fastedit_lsp.requests import selected_lines
from fastedit_lsp.session import BufferOutcome

ASK = "fastedit.operation"  # the client's own command
KIND = types.CodeActionKind.RefactorRewrite
# No two parts may take the same blanks: on a line full of them a search that tries every split would never end.
_REQUEST = re.compile(r"\s*(?:#+|//+|--+|;+|%+|(<!--|/\*+|\(\*))\s*fastedit:(.*)", re.I)
_CLOSERS = {"<": re.compile("-->"), "/": re.compile(r"(?<!\*)\*+/"), "(": re.compile(r"\*\)")}


def code_actions(
    buffer: Buffer,
    held: BufferOutcome | None,
    params: types.CodeActionParams,
    capabilities: types.ClientCapabilities,
    *,
    asks: bool = False,
) -> list[types.CodeAction]:
    """What the lines of the selection ask for, until the text changes the readings of an update held back, and
    operations; where the client `asks`, also those that have more fields."""
    only = params.context.only
    if only and not any(kind == KIND or KIND.startswith(f"{kind}.") for kind in only):
        return []
    selected = selected_lines(params.range, buffer)
    actions = list(_found(buffer, selected))
    if held is not None and held.base == buffer:
        actions += _readings(buffer, held)
    supported = capabilities.text_document.code_action if capabilities.text_document else None
    if supported is not None and supported.tag_support is not None:
        for action in actions:
            action.tags = [types.CodeActionTag.LlmGenerated]
    if len(selected) == 1:
        actions += _operations(buffer, selected.start, asks)
    return actions


def comment_instruction(line: str) -> str | None:
    """The instruction in a comment such as `# fastedit: rename load to read`, which has its line for itself."""
    match = _REQUEST.fullmatch(line)
    if match is None:
        return None
    said = match[2]
    if match[1] is not None and (end := _CLOSERS[match[1][0]].search(said)):
        said, behind = said[: end.start()], said[end.end() :]
        if behind.strip():
            return None
    return said.strip() or None


def _found(buffer: Buffer, selected: LineRange) -> Iterator[types.CodeAction]:
    lines = buffer.document.lines[selected.start : selected.stop]
    for i, line in enumerate(lines, selected.start):
        instruction = comment_instruction(line)
        if instruction is not None:
            yield _action(
                buffer,
                f"Apply edit from comment: {instruction}",
                LineRange(i, i + 1),
                instruction=instruction,
            )
    others = [line for line in lines if line.strip() and not looks_like_marker(line)]
    if (others and any(looks_like_marker(line) for line in lines)) or _has_edit(lines):
        sketch = "".join(f"{line}\n" for line in lines)
        yield _action(buffer, "Apply update from selection", selected, update=sketch)


def _has_edit(lines: Sequence[str]) -> bool:
    """Whether lines hold an edit with marks of its own, such as a diff; a code fence alone may be text of the file."""
    return any(format.find(lines) for name, format in FORMATS.items() if name != WHOLE)


def _readings(buffer: Buffer, held: BufferOutcome) -> Iterator[types.CodeAction]:
    """What the person can take of a suspect result, as the question has it that not every editor shows."""
    document = _identifier(buffer)
    yield _command(ANYWAY, held.asked.again(textDocument=document, force=True))
    for other in held.others:
        if other.number is not None:
            yield _command(
                f"Take {other.title}", held.asked.again(textDocument=document, choice=other.number)
            )


def _operations(buffer: Buffer, line: int, asks: bool) -> Iterator[types.CodeAction]:
    for title, said, more in suited(buffer, line, asks=asks):
        if more:
            yield _command(title, {"textDocument": _identifier(buffer), **said}, ASK)
        else:
            yield _command(title, {"textDocument": _identifier(buffer), "operations": [said]})


def _action(buffer: Buffer, title: str, remove: LineRange, **asked: str) -> types.CodeAction:
    place = {"start": remove.start, "stop": remove.stop}
    return _command(title, {"textDocument": _identifier(buffer), "remove": place, **asked})


def _identifier(buffer: Buffer) -> dict[str, Any]:
    return {"uri": buffer.uri, "version": buffer.version}


def _command(title: str, asked: dict[str, Any], command: str = APPLY) -> types.CodeAction:
    title = f"FastEdit: {title}"
    return types.CodeAction(title, kind=KIND, command=types.Command(title, command, arguments=[asked]))
