"""Operations as JSON: the schema, and the way in and out. All of it follows from the dataclasses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fastedit.errors import OperationRefused
from fastedit.ops.base import Argument, Operation, arguments, numbered
from fastedit.ops.registry import NAMES, operation_named, operations

_TYPES = {str: "string", bool: "boolean"}


def schema() -> dict[str, Any]:
    """The JSON schema of a list of operations."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "array",
        "minItems": 1,
        "items": {"oneOf": [operation_schema(operation) for operation in operations()]},
    }


def operation_schema(operation: type[Operation]) -> dict[str, Any]:
    found = arguments(operation)
    return {
        "type": "object",
        "title": operation.__name__,
        "description": summary(operation),
        "properties": {"op": {"const": operation.name}} | {item.name: _property(item) for item in found},
        "required": ["op", *(item.name for item in found if item.required)],
        "additionalProperties": False,
    }


def summary(operation: type[Operation]) -> str:
    """What the operation does, in one line."""
    return (operation.__doc__ or "").strip().split("\n")[0]


def signature(operation: type[Operation]) -> str:
    """The operation with its fields, the values of those that take few, and what it does, in one line; a field with `?`
    is optional."""
    named = ", ".join(
        f"{item.name}{'' if item.required else '?'} {'|'.join(item.choices)}".rstrip()
        for item in arguments(operation)
    )
    return f"{operation.name}({named}): {summary(operation)}"


def _property(item: Argument) -> dict[str, Any]:
    made: dict[str, Any] = {"description": item.doc}
    if item.kind in _TYPES:
        kind = _TYPES[item.kind]
        made = {"type": [kind, "null"] if item.optional else kind, **made}
    if item.choices:
        made["enum"] = list(item.choices)
    if item.kind is str and not item.choices:
        made["minLength"] = 1
    if not item.required:
        made["default"] = item.default
    return made


def parse_operations(text: str) -> tuple[Operation, ...]:
    """The operations that a JSON object, or a list of them, says. Raises OperationRefused."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OperationRefused(f"the operations are not JSON: {error}") from None
    found = value if isinstance(value, list) else [value]
    if not found:
        raise OperationRefused("the list of operations is empty; give at least one")
    return all_from_json(found)


def all_from_json(items: Sequence[Any]) -> tuple[Operation, ...]:
    """Raises OperationRefused, which says which of several operations is wrong."""
    made: list[Operation] = []
    for number, item in enumerate(items, 1):
        with numbered(number, len(items)):
            made.append(from_json(item))
    return tuple(made)


def from_json(value: Any) -> Operation:
    """One operation. Raises OperationRefused, which names the operation and the field."""
    if not isinstance(value, dict):
        raise OperationRefused(f'an operation is an object such as {{"op": "rename", ...}}, not {value!r}')
    if not isinstance(value.get("op"), str):
        raise OperationRefused(f"field `op` must name the operation; there are {', '.join(NAMES)}")
    operation = operation_named(value["op"])
    return from_fields(operation, {name: given for name, given in value.items() if name != "op"})


def from_fields(operation: type[Operation], values: dict[str, Any]) -> Operation:
    """Raises OperationRefused for a field that is unknown, missing or has a value that it does not take."""
    known = {item.name: item for item in arguments(operation)}
    for name in values:
        if name not in known:
            raise OperationRefused(f"{operation.name}: no field `{name}`; there are {', '.join(known)}")
    for name, item in known.items():
        if item.required and name not in values:
            takes = f"{item.takes}, " if item.choices else ""
            raise OperationRefused(f"{operation.name}: field `{name}` is missing: {takes}{item.doc}")
    return operation(**values)


def to_json(operation: Operation) -> dict[str, Any]:
    """The operation with those fields that do not have their default."""
    given = ((item, getattr(operation, item.name)) for item in arguments(type(operation)))
    return {"op": operation.name} | {
        item.name: value for item, value in given if item.required or value != item.default
    }


def from_word(text: str) -> Any:
    """The JSON value that a word of the command line spells; a string where that would spell another, as 3.10 does."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, str | dict | list) or json.dumps(value) == text else text
