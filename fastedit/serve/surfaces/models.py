"""`GET /v1/models`: the one model, under its own name and those that clients of other services send."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Depends

from fastedit.serve.bodies.fields import Strict
from fastedit.serve.service import Service, service_of

router = APIRouter(tags=["drop-in"])


class ModelOut(Strict):
    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str = "fastedit"


class ModelList(Strict):
    object: Literal["list"] = "list"
    data: list[ModelOut]


@router.get("/v1/models")
async def models(service: Service = Depends(service_of)) -> ModelList:  # noqa: B008
    """The model and its aliases."""
    names = (service.model, *service.settings.aliases)
    return ModelList(data=[ModelOut(id=name, created=int(service.started)) for name in names])
