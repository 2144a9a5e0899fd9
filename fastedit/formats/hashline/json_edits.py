"""Hashline edits as JSON, the arguments of an edit tool: a path and operations on anchored lines, in the spellings that
hashline tools have had."""

from __future__ import annotations

from itertools import count
from typing import Any

from fastedit.formats.base import (
    DeleteFile,
    FileOperation,
    FormatHunk,
    ModifyFile,
    RenameFile,
    Replacement,
    unreadable,
)
from fastedit.formats.hashline.anchor import ANCHOR, NAME, read_anchor
from fastedit.formats.hashline.span import coalesced, insert, replace
from fastedit.formats.tools.json_values import RESEND, JsonText, decoded, json_find, tool_calls
from fastedit.formats.tools.tool_arguments import PATH, Arguments


def _operations(text: JsonText) -> list[FileOperation]:
    """All calls of a text as one edit: their line numbers refer to the same state of the files."""
    hunks: dict[str | None, list[FormatHunk]] = {}
    changes: list[FileOperation] = []
    numbers = count(1)
    for call in tool_calls(text.value):
        edits, problem = _edits(call.arguments)
        if problem := call.problem or problem:
            raise unreadable(NAME, None, problem, RESEND)
        whole = _path(call.arguments)
        changes += _file_changes(call.arguments, whole, None)
        for edit, number in zip(edits, numbers, strict=False):
            path = _path(edit) or whole
            change = _file_changes(edit, path, number) if edit is not call.arguments else []
            changes += change
            if not change or _is_operation(edit):
                hunks.setdefault(path, []).append(_read_operation(edit, number))
    for deleted in (each.path for each in changes if isinstance(each, DeleteFile)):
        if deleted in hunks:
            raise unreadable(NAME, None, f"it both edits and deletes {deleted}", "send one of the two")
    return [*(ModifyFile(path, coalesced(each)) for path, each in hunks.items()), *changes]


def _is_wanted(text: JsonText) -> bool:
    return any(_is_operation(edit) for call in tool_calls(text.value) for edit in _edits(call.arguments)[0])


find = json_find(NAME, _is_wanted, _operations)


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
            return [DeleteFile(path)]
        case {"move": str(to)} | {"rename": str(to)}, str():
            return [RenameFile(path, to)]
        case {"delete": True} | {"move": str()} | {"rename": str()}, None:
            problem = "it deletes or moves a file without its path"
            raise unreadable(NAME, number, problem, 'name the file in "path"')
    return []


def _path(value: object) -> str | None:
    path = Arguments(value, None, None).first(PATH) if isinstance(value, dict) else None
    return path if isinstance(path, str) else None


def _is_operation(value: Any) -> bool:
    """Whether the JSON value can be nothing but a hashline operation."""
    match value:
        case {"set_line": dict()} | {"replace_lines": dict()} | {"insert_after": dict()}:
            return True
        case {"replace": {"old_text": str(), "new_text": str()}}:
            return True
        case {"loc": "append" | "prepend", "content": _}:
            return True
        case {"loc": {**place}, "content": _}:
            return bool(place.keys() & {"append", "prepend", "range"})
        case {"op": str(), "content": _, **places} | {"op": str(), "lines": _, **places}:
            return not places or any(isinstance(at, str) and ANCHOR.fullmatch(at) for at in places.values())
    return False


def _read_operation(value: Any, number: int) -> FormatHunk:
    """The hunk of one operation. Raises UnreadableEdit where it is none."""
    match value:
        case {"replace": {"old_text": str(old), "new_text": str(new), **options}}:
            return Replacement(old, new, whole_lines=False, count=None if options.get("all") else 1)
        case {"op": "replace_text", "oldText": str(old), "newText": str(new)}:
            return Replacement(old, new, whole_lines=False)
        case {"op": "insert", "after": str(above), "before": str(below), "content": new}:
            upper, lower = read_anchor(above, number), read_anchor(below, number)
            return insert(upper.line, _lines(new, number), (upper.tag, lower.tag), number)
    match _normal(value):
        case ("replace", str(first), None | str() as last, new):
            start, stop = read_anchor(first, number), read_anchor(last or first, number)
            tags = (start.tag, stop.tag)
            return replace(start.line, stop.line, _lines(new, number), tags, number, delete=True)
        case ("append", None, None, new):
            return insert(None, _lines(new, number), (), number)
        case ("prepend", None, None, new):
            return insert(0, _lines(new, number), (), number)
        case ("append" | "prepend" as side, str(at), None, new):
            anchor = read_anchor(at, number)
            upper_line = anchor.line if side == "append" else anchor.line - 1
            return insert(upper_line, _lines(new, number), (anchor.tag,), number)
    keys = ", ".join(value) if isinstance(value, dict) else type(value).__name__
    way_out = "use set_line, replace_lines or insert_after, or op with pos, end and lines"
    raise unreadable(NAME, number, f"an operation with {keys or 'no key'} is not known", way_out)


def _normal(value: Any) -> tuple[Any, Any, Any, Any]:
    """The operation, its first and last anchor and the new text, whatever their keys are called."""
    match value:
        case {"set_line": {"anchor": at, "new_text": new}}:
            return "replace", at, None, new or None
        case {"replace_lines": {"start_anchor": first, "new_text": new, **rest}}:
            return "replace", first, rest.get("end_anchor"), new or None
        case {"insert_after": {"anchor": at, "text": new} | {"anchor": at, "new_text": new}}:
            return "append", at, None, new
        case {"loc": "append" | "prepend" as side, "content": new}:
            return side, None, None, new
        case {"loc": {"append": at}, "content": new}:
            return "append", at, None, new
        case {"loc": {"prepend": at}, "content": new}:
            return "prepend", at, None, new
        case {"loc": {"range": {"pos": first, "end": last}}, "content": new}:
            return "replace", first, last, new
        case {"op": "set", "tag": at, "content": new}:
            return "replace", at, None, new
        case {"op": "replace", "first": first, "last": last, "content": new}:
            return "replace", first, last, new
        case {"op": "append", "after": at, "content": new}:
            return "append", at, None, new
        case {"op": "prepend", "before": at, "content": new}:
            return "prepend", at, None, new
        case {"op": operation, "lines": new} | {"op": operation, "content": new}:
            return operation, value.get("pos"), value.get("end"), new
    return None, None, None, None


def _lines(value: Any, number: int) -> list[str]:
    match value:
        case None:
            return []
        case "":
            problem, way_out = (
                'new text "" is a blank line or nothing',
                'write [""] for a blank line, null for nothing',
            )
        case str():
            return value.replace("\r\n", "\n").removesuffix("\n").split("\n")
        case list() if all(isinstance(each, str) for each in value):
            if not any("\n" in each for each in value):
                return [each.removesuffix("\r") for each in value]
            problem, way_out = "an element of its new lines has a line break", "give one element a line"
        case _:
            problem, way_out = "its new text is neither a string nor a list of lines", "give one of the two"
    raise unreadable(NAME, number, problem, way_out)
