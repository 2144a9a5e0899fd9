"""JSON Patch (RFC 6902)."""

from __future__ import annotations

from collections.abc import Iterable

from fastedit.formats.base import Format, ModifyFile, TypedOperation, unreadable
from fastedit.formats.tools.json_values import JsonText, json_find

NAME = "json_patch"
# Each with the member that it cannot do without.
_OPERATIONS = {
    "add": "value",
    "remove": "path",
    "replace": "value",
    "move": "from",
    "copy": "from",
    "test": "value",
}


def _is_wanted(text: JsonText) -> bool:
    return any(_is_operation(item) for item in _items(text.value))


def _items(value: object) -> list[object]:
    """The operations of a patch. One outside an array counts as a patch."""
    return value if isinstance(value, list) else [value]


def _is_operation(item: object) -> bool:
    if not isinstance(item, dict) or not isinstance(item.get("op"), str):
        return False
    needed, path = _OPERATIONS.get(item["op"]), item.get("path")
    if needed is None or not (isinstance(path, str) and (path == "" or path.startswith("/"))):
        return False
    # Typed operations have some of these names, and the path of their file.
    return needed in item or item.keys() == {"op", "path"}


def _operations(text: JsonText) -> Iterable[ModifyFile]:
    from fastedit.formats.tools.pointer import JsonPatch  # only now: most messages hold none

    changes = _items(text.value)
    for number, change in enumerate(changes, 1):
        _check(change, number)
    yield ModifyFile(None, (TypedOperation(JsonPatch(changes)),))


def _check(change: object, number: int) -> None:
    """Raises UnreadableEdit for what the standard does not have."""
    if not isinstance(change, dict):
        raise unreadable(NAME, number, "it is not an object", "send op, path and value")
    operation = change.get("op")
    if not isinstance(operation, str) or operation not in _OPERATIONS:
        raise unreadable(NAME, number, f"op is {operation!r}", f"send one of {', '.join(_OPERATIONS)}")
    path, needed = _pointer(change, "path", number), _OPERATIONS[operation]
    if needed == "from":
        source = _pointer(change, needed, number)
        if operation == "move" and path.startswith(f"{source}/"):
            raise unreadable(NAME, number, f"{source} cannot move into itself", "send a path outside of it")
    elif needed not in change:
        raise unreadable(NAME, number, f"{operation} has no {needed}", "send it, null if that is meant")


def _pointer(change: dict[str, object], key: str, number: int) -> str:
    from fastedit.ops.keys.entry import tokens

    pointer = change.get(key)
    if not isinstance(pointer, str):
        raise unreadable(NAME, number, f"{change['op']} has no {key}", "send it as a JSON Pointer")
    try:
        tokens(pointer)
    except ValueError as error:
        raise unreadable(NAME, number, f"{key} {error}", "send a JSON Pointer such as /name/0") from None
    return pointer


FORMAT = Format(NAME, (json_find(NAME, _is_wanted, _operations),))
