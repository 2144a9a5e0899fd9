"""Typed operations as fields of bodies.

A body may hold a hundred thousand. A worker reads them, since the event loop has others to serve.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, TypeVar

from pydantic import WithJsonSchema

from fastedit.errors import OperationRefused
from fastedit.formats.tools.operations import named
from fastedit.ops import Operation, from_json, schema
from fastedit.serve.bodies.errors import ApiError

T = TypeVar("T")
_ONE: dict[str, Any] = schema()["items"]
_PATH = {"type": "string", "minLength": 1, "description": "The file that it changes."}


def operations_in(values: Iterable[Any]) -> tuple[Operation, ...]:
    """Raises ApiError 422."""
    return tuple(_read(values, from_json))


def addressed_in(values: Iterable[Any]) -> tuple[tuple[str, Operation], ...]:
    """Each with its file. Raises ApiError 422."""
    return tuple(_read(values, named))


def _read(values: Iterable[Any], read: Callable[[Any], T]) -> Iterator[T]:
    for number, value in enumerate(values):
        try:
            yield read(value)
        except OperationRefused as error:
            where = f"operations.{number}"
            raise ApiError(422, "invalid_field", f"{where}: {error}", param=where) from None


def _with_path(one: dict[str, Any]) -> dict[str, Any]:
    """The schema of an operation that names its file."""
    return one | {"properties": {"path": _PATH} | one["properties"], "required": ["path", *one["required"]]}


OperationIn = Annotated[Any, WithJsonSchema(_ONE)]
AddressedIn = Annotated[Any, WithJsonSchema({"oneOf": [_with_path(one) for one in _ONE["oneOf"]]})]
