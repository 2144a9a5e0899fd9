"""Typed operations: as fields of bodies and of tools, and `GET /v1/operations`, which lists them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field, PlainValidator, WithJsonSchema

from fastedit.errors import OperationRefused
from fastedit.formats.operations import addressed
from fastedit.ops import Operation, from_json, operations, schema
from fastedit.ops.codec import operation_schema, summary
from fastedit.serve.fields import Strict

router = APIRouter(tags=["edits"])
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


class OperationOut(Strict):
    """One operation that there is."""

    name: str = Field(description="What `op` calls it.")
    summary: str
    languages: list[str] = Field(description="Where it exists.")
    example: str = Field(description="The words after `fastedit op`.")
    json_schema: dict[str, Any] = Field(alias="schema", description="Of the JSON of one.")


class OperationsOut(Strict):
    operations: list[OperationOut]
    json_schema: dict[str, Any] = Field(
        alias="schema", description="Of a list of any, as `operations` takes it."
    )


@router.get("/v1/operations", response_model=OperationsOut)
def list_operations() -> OperationsOut:
    """The typed operations that `/v1/edits` and `/v1/changes` carry out, with their JSON schemas."""
    listed = [
        OperationOut(
            name=operation.name,
            summary=summary(operation),
            languages=sorted(operation.languages),
            example=operation.example,
            schema=operation_schema(operation),
        )
        for operation in operations()
    ]
    return OperationsOut(operations=listed, schema=schema())
