"""Typed operations as fields of bodies."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import PlainValidator, WithJsonSchema

from fastedit.errors import OperationRefused
from fastedit.formats.operations import addressed
from fastedit.ops import Operation, from_json, schema

_ONE: dict[str, Any] = schema()["items"]
_PATH = {"type": "string", "minLength": 1, "description": "The file that it changes."}


def _operation(value: Any) -> Operation:
    try:
        return from_json(value)
    except OperationRefused as error:
        raise ValueError(str(error)) from None


def _addressed(value: Any) -> tuple[str, Operation]:
    try:
        path, operation = addressed(value)
    except OperationRefused as error:
        raise ValueError(str(error)) from None
    if path is None:
        raise ValueError("field `path` is missing: the file that it changes")
    return path, operation


def _with_path(one: dict[str, Any]) -> dict[str, Any]:
    """The schema of an operation that names its file."""
    return one | {"properties": {"path": _PATH} | one["properties"], "required": ["path", *one["required"]]}


OperationIn = Annotated[Operation, PlainValidator(_operation), WithJsonSchema(_ONE)]
AddressedIn = Annotated[
    tuple[str, Operation],
    PlainValidator(_addressed),
    WithJsonSchema({"oneOf": [_with_path(one) for one in _ONE["oneOf"]]}),
]
