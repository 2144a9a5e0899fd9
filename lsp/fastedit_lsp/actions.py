"""Code actions: wishes that stand in the file, as a comment or as a selected sketch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from fastedit.edit.markers import looks_like_marker
from fastedit.edit.request import LineRange
from fastedit_lsp.buffers import Buffer
from fastedit_lsp.commands import APPLY
from fastedit_lsp.wish import selected_lines

KIND = types.CodeActionKind.RefactorRewrite
# No two parts may take the same blanks: on a line full of them a search that tries every split would never end.
_WISH = re.compile(r"\s*(?:#+|//+|--+|;+|%+|<!--|/\*+|\(\*)\s*fastedit:(.*)", re.I)
_CLOSER = re.compile(r"(?:-->|(?<!\*)\*+/|\*\))$")


def code_actions(
    buffer: Buffer, params: types.CodeActionParams, capabilities: types.ClientCapabilities
) -> list[types.CodeAction]:
    """What the lines of the selection ask for."""
    only = params.context.only
    if only and not any(kind == KIND or KIND.startswith(f"{kind}.") for kind in only):
        return []
    actions = list(_found(buffer, selected_lines(params.range, buffer)))
    supported = capabilities.text_document.code_action if capabilities.text_document else None
    if supported is not None and supported.tag_support is not None:
        for action in actions:
            action.tags = [types.CodeActionTag.LlmGenerated]
    return actions


def comment_wish(line: str) -> str | None:
    """The instruction in a comment such as `# fastedit: rename load to read`."""
    match = _WISH.fullmatch(line)
    return _CLOSER.sub("", match[1].strip()).strip() or None if match else None


def _found(buffer: Buffer, selected: LineRange) -> Iterator[types.CodeAction]:
    lines = buffer.document.lines[selected.start : selected.stop]
    for i, line in enumerate(lines, selected.start):
        instruction = comment_wish(line)
        if instruction is not None:
            yield _action(
                buffer,
                f"Apply edit from comment: {instruction}",
                LineRange(i, i + 1),
                instruction=instruction,
            )
    others = [line for line in lines if line.strip() and not looks_like_marker(line)]
    if others and any(looks_like_marker(line) for line in lines):
        sketch = "".join(f"{line}\n" for line in lines)
        yield _action(buffer, "Apply update from selection", selected, update=sketch)


def _action(buffer: Buffer, title: str, remove: LineRange, **wish: str) -> types.CodeAction:
    arguments: dict[str, Any] = {
        "textDocument": {"uri": buffer.uri, "version": buffer.version},
        "remove": {"start": remove.start, "stop": remove.stop},
        **wish,
    }
    return types.CodeAction(
        f"FastEdit: {title}",
        kind=KIND,
        command=types.Command(f"FastEdit: {title}", APPLY, arguments=[arguments]),
    )
