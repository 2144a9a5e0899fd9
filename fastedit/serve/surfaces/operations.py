"""`GET /v1/operations`: the typed operations that there are."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import Field

from fastedit.ops import operations, schema
from fastedit.ops.codec import operation_schema, summary
from fastedit.serve.bodies.fields import Strict

router = APIRouter(tags=["edits"])


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
