"""The status page with its numbers, the playground, and the API's page; nothing on them comes from another host."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Depends, Response
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

from fastedit.serve.fields import Strict
from fastedit.serve.service import Service, service_of

FOLDER = Path(__file__).parent / "static"
# What a file holds is shown on these pages: nothing in it may run.
_HEADERS = {"Content-Security-Policy": "default-src 'self'", "X-Content-Type-Options": "nosniff"}
router = APIRouter(tags=["running"])
static = StaticFiles(directory=FOLDER)


class Drafts(Strict):
    drafted: int
    accepted: int


class StatusOut(Strict):
    """Counts since the start; `recent` are the newest receipts, newest first, without any code."""

    state: str
    model: str
    uptime_s: float
    workers: int
    live: int
    waiting: int
    edits: dict[str, int]
    tokens: dict[str, int]
    drafts: dict[str, Drafts]
    passes: int
    rewritten_chars: int
    recent: list[dict[str, Any]]


@router.get("/v1/status")
async def status(service: Service = Depends(service_of)) -> StatusOut:  # noqa: B008
    """The numbers of the status page."""
    counted, pool = service.metrics.totals(), service.pool
    return StatusOut(
        state=service.state,
        model=service.model,
        uptime_s=round(time.time() - service.started, 3),
        workers=pool.workers,
        live=pool.live,
        waiting=pool.waiting,
        recent=list(reversed(service.metrics.recent)),
        **counted,
    )


@router.get("/", include_in_schema=False)
async def status_page() -> Response:
    return FileResponse(FOLDER / "status.html", headers=_HEADERS)


@router.get("/playground", include_in_schema=False)
async def playground() -> Response:
    return FileResponse(FOLDER / "playground.html", headers=_HEADERS)


@router.get("/docs", include_in_schema=False)
async def docs() -> Response:
    return FileResponse(FOLDER / "docs.html", headers=_HEADERS)
