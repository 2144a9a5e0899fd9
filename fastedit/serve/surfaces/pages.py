"""The status page with its numbers, the playground, and the API's page; nothing on them comes from another host."""

from __future__ import annotations

import secrets
import time
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from pydantic import Field
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from fastedit import __version__
from fastedit.engine.models.folder import is_address
from fastedit.serve.bodies.fields import Strict
from fastedit.serve.service import Service, service_of
from fastedit.serve.surfaces.native import ERRORS
from fastedit.serve.telemetry.history import Interval
from fastedit.serve.telemetry.metrics import ListedRun

FOLDER = Path(__file__).parents[1] / "static"
router = APIRouter(tags=["running"])
static = StaticFiles(directory=FOLDER)


class DraftsOut(Strict):
    """Tokens of one drafter."""

    drafted: int
    accepted: int


class StatusOut(Strict):
    """Counts since the start; `recent` are the newest runs, newest first."""

    state: str
    version: str
    model: str
    drafters: list[str] = Field(description="By the names that requests give; the first is the default.")
    uptime_s: float
    workers: int
    live: int
    waiting: int
    edits: dict[str, int]
    tokens: dict[str, int]
    drafts: dict[str, DraftsOut]
    passes: int
    rewritten_chars: int
    recent: list[ListedRun]
    history: list[Interval] = Field(
        description="The intervals of the last hour in which anything happened, oldest first."
    )


@router.get("/v1/status", responses={422: ERRORS[422]})
async def status(
    since: Annotated[float, Query(ge=0, allow_inf_nan=False, description="Leave out older intervals.")] = 0.0,
    service: Service = Depends(service_of),  # noqa: B008
) -> StatusOut:
    """The numbers of the status page."""
    counted, pool = service.metrics.totals(), service.pool
    return StatusOut(
        state=service.state,
        version=__version__,
        model=service.model,
        drafters=[] if is_address(service.backend.model) else list(service.settings.drafters),
        uptime_s=round(time.time() - service.started, 3),
        workers=pool.workers,
        live=pool.live,
        waiting=pool.waiting,
        recent=service.metrics.newest(),
        history=service.metrics.history.since(since),
        **counted,
    )


@router.get("/", include_in_schema=False)
async def status_page() -> Response:
    return _page("status")


@router.get("/playground", include_in_schema=False)
async def playground() -> Response:
    return _page("playground")


@router.get("/docs", include_in_schema=False)
async def docs() -> Response:
    return _page("docs")


def _page(name: str) -> Response:
    """Nothing that a file holds may run or load anything. The nonce, new in each answer, lets the page's own editor add
    its style sheet."""
    nonce = secrets.token_urlsafe(16)
    text = (FOLDER / f"{name}.html").read_text("utf-8").replace("{nonce}", nonce)
    policy = f"default-src 'self'; style-src 'self' 'nonce-{nonce}'"
    return HTMLResponse(
        text, headers={"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff"}
    )
