"""WorkspaceEdit and TextEdit of the Language Server Protocol."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from urllib.parse import unquote

from fastedit.formats.base import (
    CreateFile,
    DeleteFile,
    FileOperation,
    Format,
    ModifyFile,
    RenameFile,
    TextRange,
    unreadable,
)
from fastedit.formats.tools.json_values import JsonText, json_find

NAME = "workspace_edit"
# What a request, an answer or a code action holds an edit under.
_WRAPPERS = ("params", "result", "edit")
_KINDS = ("create", "rename", "delete")

_SCHEME = re.compile(r"([A-Za-z][\w+.-]+):")
_NO_HOST = re.compile(r"^//(?:localhost)?(?=/)")
_DRIVE = re.compile(r"/[A-Za-z]:")


def _is_wanted(text: JsonText) -> bool:
    changes = _changes(text.value)
    return any(_is_text_edit(edit) for _, edits in changes for edit in edits) or any(
        isinstance(change, dict) and change.get("kind") in _KINDS for change, _ in changes
    )


def _changes(value: object) -> list[tuple[object, list[object]]]:
    """What a value changes: a document or a resource operation, and the text edits of the document."""
    for key in _WRAPPERS:
        if isinstance(value, dict) and isinstance(value.get(key), dict):
            value = value[key]
    if isinstance(value, list):
        return [(None, value)]
    if not isinstance(value, dict):
        return []
    if isinstance(value.get("documentChanges"), list):
        return [_document_change(change) for change in value["documentChanges"]]
    if isinstance(value.get("changes"), dict):
        return [({"uri": uri}, _list(edits)) for uri, edits in value["changes"].items()]
    return [_document_change(value)]


def _document_change(change: object) -> tuple[object, list[object]]:
    if isinstance(change, dict) and isinstance(change.get("textDocument"), dict):
        return change["textDocument"], _list(change.get("edits"))
    return change, []


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _is_text_edit(value: object) -> bool:
    return isinstance(value, dict) and "range" in value and ("newText" in value or "snippet" in value)


def _operations(text: JsonText) -> Iterable[FileOperation]:
    for change, edits in _changes(text.value):
        if isinstance(change, dict) and change.get("kind") in _KINDS:
            yield _resource_operation(change)
        elif edits:
            path = _path(change.get("uri")) if isinstance(change, dict) else None
            yield ModifyFile(path, _hunks(edits))
        elif not (isinstance(change, dict) and "uri" in change):
            raise unreadable(
                NAME, None, "a change has neither textDocument nor kind", "send it as the protocol has it"
            )


def _resource_operation(change: dict[str, object]) -> FileOperation:
    options = change.get("options")
    overwrite = isinstance(options, dict) and options.get("overwrite") is True
    if change["kind"] == "create":
        return CreateFile(_path(change.get("uri")), "", overwrite)
    if change["kind"] == "rename":
        return RenameFile(_path(change.get("oldUri")), _path(change.get("newUri")), overwrite)
    return DeleteFile(_path(change.get("uri")))


def _hunks(edits: Sequence[object]) -> tuple[TextRange, ...]:
    hunks = [_hunk(edit, number) for number, edit in enumerate(edits, 1)]
    # Stable, as in the protocol: insertions at one position keep their order.
    by_start = sorted(enumerate(hunks, 1), key=lambda numbered: numbered[1].start)
    for (first, one), (second, other) in pairwise(by_start):
        if other.start < one.stop:
            place = f"line {other.start[0]}, character {other.start[1]}"
            problem = f"its range overlaps that of hunk {first} at {place}"
            raise unreadable(NAME, second, problem, "send ranges that do not overlap")
    return tuple(hunks)


def _hunk(edit: object, number: int) -> TextRange:
    if not isinstance(edit, dict):
        raise unreadable(NAME, number, "it is not a TextEdit", "send range and newText")
    if "snippet" in edit or edit.get("insertTextFormat") == 2:
        raise unreadable(NAME, number, "it is a snippet", "send plain text as newText")
    if not isinstance(edit.get("newText"), str):
        raise unreadable(NAME, number, "newText is not a string", "send the new text as a string")
    span = edit.get("range")
    span = span if isinstance(span, dict) else {}
    start, stop = _position(span.get("start"), number), _position(span.get("end"), number)
    if start > stop:
        raise unreadable(NAME, number, "its range ends before it starts", "send start before end")
    return TextRange(start, stop, edit["newText"])


def _position(position: object, number: int) -> tuple[int, int]:
    position = position if isinstance(position, dict) else {}
    line, character = position.get("line"), position.get("character")
    if type(line) is not int or type(character) is not int or line < 0 or character < 0:
        raise unreadable(
            NAME,
            number,
            "its range has no line and character",
            "send start and end as whole numbers from 0 up",
        )
    return line, character


def _path(uri: object) -> str:
    """The path of a `file:` URI. A path without a scheme stays as it is."""
    if not isinstance(uri, str) or not uri:
        raise unreadable(NAME, None, "a change has no URI", "send the file's URI")
    scheme = _SCHEME.match(uri)
    if scheme is None:
        return uri
    if scheme[1].lower() != "file":
        raise unreadable(NAME, None, f"{uri} is not a file", "send a file: URI")
    try:
        path = unquote(uri[scheme.end() :], errors="strict")
    except UnicodeDecodeError:
        raise unreadable(NAME, None, f"{uri} is not UTF-8", "encode the path as UTF-8 in the URI") from None
    path = _NO_HOST.sub("", path)
    return path[1:] if _DRIVE.match(path) else path


FORMAT = Format(NAME, (json_find(NAME, _is_wanted, _operations),))
