"""`POST /v1/code/apply`: the body that Relace's and Morph's clients send, in both spellings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from fastapi import APIRouter, Depends, Request, Response
from pydantic import AliasChoices, ConfigDict, Field, field_validator
from pydantic.config import JsonDict

from fastedit.engine import Event, Resulted
from fastedit.request import EditRequest
from fastedit.serve.bodies.fields import Strict, Text
from fastedit.serve.bodies.schemas import EDIT_EXAMPLE
from fastedit.serve.jobs.answers import whole
from fastedit.serve.jobs.merged import usage, whole_text
from fastedit.serve.service import Service, key_of, service_of, tenant_of
from fastedit.serve.surfaces.native import ERRORS

EXAMPLE: JsonDict = {"initial_code": EDIT_EXAMPLE["content"], "edit_snippet": EDIT_EXAMPLE["update"]}
router = APIRouter(tags=["drop-in"], responses=ERRORS)


SPELLINGS = {
    "initial_code": "initialCode",
    "edit_snippet": "editSnippet",
    "relace_metadata": "relaceMetadata",
}


def _spelled(schema: JsonDict) -> None:
    """Puts both spellings into the schema, of which pydantic knows the first alone."""
    properties, required = cast(JsonDict, schema["properties"]), cast(list[str], schema.pop("required"))
    for own, other in SPELLINGS.items():
        properties[other] = {**cast(JsonDict, properties[own]), "description": f"The same as `{own}`."}
    schema["allOf"] = [{"oneOf": [{"required": [own]}, {"required": [SPELLINGS[own]]}]} for own in required]
    schema["examples"] = [EXAMPLE]


def _in_both(own: str) -> AliasChoices:
    return AliasChoices(own, SPELLINGS[own])


class ApplyIn(Strict):
    model_config = ConfigDict(json_schema_extra=_spelled, validate_by_name=True)

    initial_code: Text = Field(validation_alias=_in_both("initial_code"))
    edit_snippet: Text = Field(validation_alias=_in_both("edit_snippet"))
    instruction: Text | None = None
    model: Text | None = None
    stream: bool = Field(
        default=False,
        description="Only whole; /v1/edits and chat completions stream.",
        json_schema_extra={"const": False},
    )
    relace_metadata: dict[str, Any] | None = Field(
        default=None,
        validation_alias=_in_both("relace_metadata"),
        description="For the caller's own records: nothing is kept of it here.",
    )

    @field_validator("stream")
    @classmethod
    def _whole(cls, value: bool) -> bool:
        if value:
            raise ValueError("is not served here; /v1/edits and /v1/chat/completions stream")
        return value


class ApplyOut(Strict):
    mergedCode: str  # the clients' spelling
    usage: dict[str, Any]


@router.post("/v1/code/apply", response_model=ApplyOut)
async def code_apply(body: ApplyIn, request: Request, service: Service = Depends(service_of)) -> Response:  # noqa: B008
    """Merge a snippet into a file. A suspect result is an error, since clients write what they get."""
    service.check_model(body.model)
    document = service.document(body.initial_code, None, "initial_code")
    service.check_length(body.edit_snippet, "edit_snippet")
    service.check_length(body.instruction, "instruction")
    edit = EditRequest(
        document,
        body.instruction,
        body.edit_snippet,
        drafter=service.drafter(),
        tenant=tenant_of(request),
        live=False,
    )

    def write(event: Event) -> Iterator[bytes]:
        if isinstance(event, Resulted):
            merged = whole_text(event.result, service.settings)
            yield json.dumps({"mergedCode": merged, "usage": usage(event.result.receipt)}).encode()

    return await whole(request, service.submit("edit", lambda: edit, write, key_of(request)))
