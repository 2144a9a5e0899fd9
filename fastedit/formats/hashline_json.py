"""Hashline edits as JSON, the arguments of an edit tool: a path and operations on anchored lines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import count

from fastedit.formats.base import Delete, FileOperation, Found, Hunk, Modify, Rename, unreadable
from fastedit.formats.hashline_anchor import NAME
from fastedit.formats.hashline_operation import is_operation, read_operation
from fastedit.formats.hashline_span import coalesced
from fastedit.formats.json_values import JsonText, decoded, json_texts, tool_calls
from fastedit.formats.tool_arguments import PATH, Arguments


def find(lines: Sequence[str]) -> list[Found]:
    return [Found(text.lines, partial(_read, text)) for text in json_texts(lines, _is_edit)]


def _read(text: JsonText) -> tuple[FileOperation, ...]:
    """All calls of a text as one edit: their line numbers refer to the same state of the files."""
    hunks: dict[str | None, list[tuple[int, Hunk]]] = {}
    changes: list[FileOperation] = []
    numbers = count(1)
    for call in tool_calls(text.value):
        edits, problem = _edits(call.arguments)
        if problem := text.problem or call.problem or problem:
            raise unreadable(NAME, None, problem, "send the whole edit again")
        whole = _path(call.arguments)
        changes += _file_changes(call.arguments, whole, None)
        for edit, number in zip(edits, numbers, strict=False):
            path = _path(edit) or whole
            change = _file_changes(edit, path, number) if edit is not call.arguments else []
            changes += change
            if not change or is_operation(edit):
                hunks.setdefault(path, []).append((number, read_operation(edit, number)))
    for deleted in (each.path for each in changes if isinstance(each, Delete)):
        if deleted in hunks:
            raise unreadable(NAME, None, f"it both edits and deletes {deleted}", "send one of the two")
    return text.placed([*(Modify(path, coalesced(each)) for path, each in hunks.items()), *changes])


def _is_edit(text: JsonText) -> bool:
    return any(is_operation(edit) for call in tool_calls(text.value) for edit in _edits(call.arguments)[0])


def _edits(arguments: object) -> tuple[list[object], str | None]:
    """The operations of one call, and what is wrong with them where they are JSON in a string."""
    edits: object = arguments
    problem = None
    if isinstance(arguments, dict) and "edits" in arguments:
        edits = arguments["edits"]
        if isinstance(edits, str):
            edits, problem = decoded(edits)
    return edits if isinstance(edits, list) else [edits], problem


def _file_changes(value: object, path: str | None, number: int | None) -> list[FileOperation]:
    match value, path:
        case {"delete": True}, str():
            return [Delete(path)]
        case {"move": str(to)} | {"rename": str(to)}, str():
            return [Rename(path, to)]
        case {"delete": True} | {"move": str()} | {"rename": str()}, None:
            problem = "it deletes or moves a file without its path"
            raise unreadable(NAME, number, problem, 'name the file in "path"')
    return []


def _path(value: object) -> str | None:
    path = Arguments(value, None, None).first(PATH) if isinstance(value, dict) else None
    return path if isinstance(path, str) else None
