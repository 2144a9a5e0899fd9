"""`/health`, `/ready`, `/metrics`: for whoever runs the server."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import JSONResponse, PlainTextResponse

from fastedit.serve.service import Service, State, service_of

router = APIRouter(tags=["running"])


@router.get("/health")
async def health() -> dict[str, str]:
    """Whether the process is alive."""
    return {"status": "alive"}


@router.get("/ready", responses={503: {"description": "Loading, failed or draining."}})
async def ready(service: Service = Depends(service_of)) -> Response:  # noqa: B008
    """Whether it takes work: the model is loaded and warm, and no shutdown has begun."""
    return JSONResponse({"status": service.state}, 200 if service.state is State.READY else 503)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(service: Service = Depends(service_of)) -> Response:  # noqa: B008
    """For Prometheus."""
    return Response(service.metrics.text(), media_type=CONTENT_TYPE_LATEST)
