"""Typed operations in an editor: those of a buffer's language, those that suit a definition, and renaming."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from fastedit.errors import FasteditError, OperationRefused, TargetUnresolved
from fastedit.ops import Operation, Outcome, carry_out, from_json, operation_named, operations
from fastedit.ops.base import arguments
from fastedit.ops.codec import operation_schema
from fastedit.ops.names.references import symbol_at
from fastedit.ops.names.resolve import resolve_symbol
from fastedit.ops.source import Source
from fastedit.source.definitions import Definition, definitions
from fastedit.source.language import language_in, notation_in
from fastedit.source.syntax import parse
from fastedit_lsp.buffers import Buffer
from fastedit_lsp.commands import tell
from fastedit_lsp.positions import characters, units
from fastedit_lsp.requests import BufferRequest
from fastedit_lsp.wire import workspace_edit

if TYPE_CHECKING:
    from fastedit_lsp.server import FasteditServer

LIST = "fastedit.operations"
TARGETS = ("target", "function")  # the fields that name a definition
_MOST = 200_000  # characters of a buffer that is read whenever the cursor moves
_WORD = re.compile(r"(?<![\w$])(?!\d)[\w$]+")


async def list_operations(
    server: FasteditServer, arguments: Sequence[Any], token: types.ProgressToken | None
) -> dict[str, Any]:
    """The operations that exist in a buffer's language as JSON schemas, and what fields may name at the cursor."""
    asked = BufferRequest.parse(arguments[0] if arguments else None)
    buffer = server.buffers.get(asked.uri)
    language = notation_in(buffer.document)
    listed = [operation_schema(operation) for operation in operations() if language in operation.languages]
    return {
        "operations": listed,
        "suggested": {} if asked.cursor is None else _suggested(buffer, asked.cursor),
    }


def _suggested(buffer: Buffer, at: types.Position) -> dict[str, str]:
    """By field: the definition around the cursor, and for a target the word there unless it begins a definition."""
    around = [found for found in _definitions(buffer) if found.start <= at.line < found.stop]
    found = dict.fromkeys(TARGETS, _named(around[-1])) if around else {}
    word = _word(buffer, at)
    if word is not None and not (around and around[-1].header == at.line):
        found["target"] = f"{word[0]}@{at.line + 1}"
    return found


def suited(buffer: Buffer, line: int, *, asks: bool) -> Iterator[tuple[str, dict[str, str], bool]]:
    """A title and the JSON of each operation that suits the definition which begins on a line, and whether more fields
    are to be asked for. Those are left out unless the client `asks`.
    """
    begun = [found for found in _definitions(buffer) if found.header == line]
    if len(begun) != 1:
        return
    language, target = language_in(buffer.document), _named(begun[0])
    for operation in operations():
        first, *more = arguments(operation)
        offered = first.name in TARGETS and operation.on in ("", _on(begun[0]))
        if language not in operation.languages or not offered or (more and not asks):
            continue
        said = {"op": operation.name, first.name: target}
        title = f"{operation.name.replace('-', ' ').capitalize()} `{begun[0].dotted}`"
        if more:
            yield f"{title}…", said, True
        elif _is_possible(buffer, from_json(said)):
            yield title, said, False


async def prepare_rename(
    server: FasteditServer, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder:
    """Where the name at the cursor stands. An error where it cannot be renamed says why, with what it may mean."""
    buffer = server.buffers.get(params.text_document.uri)
    await _renamed(server, buffer, params.position, None)
    word, start = _name(buffer, params.position)
    row, line = params.position.line, buffer.document.lines[params.position.line]
    first, last = (units(line[:at], buffer.encoding) for at in (start, start + len(word)))
    return types.PrepareRenamePlaceholder(
        types.Range(types.Position(row, first), types.Position(row, last)), word
    )


async def rename(server: FasteditServer, params: types.RenameParams) -> types.WorkspaceEdit:
    """Renames what the name at the cursor means, in this file. Places that it may mean too stay, and are told."""
    buffer = server.buffers.get(params.text_document.uri)
    outcome = await _renamed(server, buffer, params.position, params.new_name)
    tell(server, outcome.notes, outcome.left)
    label = f"rename to {params.new_name} in this file"
    return workspace_edit(buffer, outcome.hunks, label, server.client_capabilities)


async def _renamed(server: FasteditServer, buffer: Buffer, at: types.Position, new: str | None) -> Outcome:
    """Raises OperationRefused where the name at the cursor has no one meaning, or cannot be renamed."""
    outcome = await asyncio.to_thread(_carried_out, buffer, at, new)
    if server.buffers.now(buffer) != buffer:
        raise JsonRpcContentModified(f"{buffer.path}: was edited meanwhile; rename again")
    return outcome


def _carried_out(buffer: Buffer, at: types.Position, new: str | None) -> Outcome:
    """Renames what stands at a position; without `new` to a name that the text does not have.

    Raises OperationRefused.
    """
    document = buffer.document
    word, start = _name(buffer, at)
    if new is None:
        new = f"{word}_"
        while new in document.text:
            new += "_"
    language, target = notation_in(document), word
    if language in operation_named("rename").languages:
        target = _meant(Source(document.lines, language), word, at.line, start)
    return carry_out(document, [from_json({"op": "rename", "target": target, "new": new})])


def _meant(source: Source, word: str, row: int, start: int) -> str:
    """The target that what a word at a character means is renamed by. Raises TargetUnresolved."""
    symbol = symbol_at(source, word, source.start(row) + len(source.lines[row][:start].encode()))
    if symbol is None:
        resolve_symbol(source, f"{word}@{row + 1}")
    else:
        target = f"{'.'.join(symbol.path)}@{source.row(symbol.binding.start) + 1}"
        if resolve_symbol(source, target).binding.start == symbol.binding.start:
            return target
    raise TargetUnresolved(f"{word}: what it means here is not known; rename it where it is defined")


def _name(buffer: Buffer, at: types.Position) -> tuple[str, int]:
    """The name at a position and the character that it begins at. Raises OperationRefused without one."""
    found = _word(buffer, at)
    if found is None:
        raise OperationRefused(f"{buffer.path}: no name stands on line {at.line + 1} at the cursor")
    return found


def _word(buffer: Buffer, at: types.Position) -> tuple[str, int] | None:
    lines = buffer.document.lines
    if at.line >= len(lines):
        return None
    line = lines[at.line]
    place = characters(line, at.character, buffer.encoding)
    found = next((word for word in _WORD.finditer(line) if word.start() <= place <= word.end()), None)
    return None if found is None else (found[0], found.start())


def _definitions(buffer: Buffer) -> tuple[Definition, ...]:
    if len(buffer.text) > _MOST:
        return ()
    syntax = parse(buffer.document.lines, language_in(buffer.document))
    return () if syntax is None else definitions(syntax)


def _on(definition: Definition) -> str:
    """What an operation that takes the definition is on."""
    return "function" if definition.kind in ("function", "method", "macro") else "class"


def _named(definition: Definition) -> str:
    return f"{definition.dotted}@{definition.header + 1}"


def _is_possible(buffer: Buffer, operation: Operation) -> bool:
    try:
        carry_out(buffer.document, [operation])
    except FasteditError:
        return False
    return True
