"""The app put together: surfaces, probes, and errors in one shape."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator, Sequence
from http import HTTPStatus
from threading import Thread
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from fastedit import __version__
from fastedit.errors import FasteditError
from fastedit.serve.bodies.errors import ApiError
from fastedit.serve.bodies.fields import worded
from fastedit.serve.gate import Gate
from fastedit.serve.jobs.answers import explained
from fastedit.serve.jobs.backend import Backend, Local
from fastedit.serve.service import Service
from fastedit.serve.settings import ServerSettings
from fastedit.serve.surfaces import changes, chat, code_apply, models, native, operations, pages, probes

_JSON_TYPE = re.compile(r"application/(?:\S+\+)?json\b", re.IGNORECASE)


def create_app(settings: ServerSettings, backend: Backend | None = None) -> FastAPI:
    """The app for one backend, by default an engine of this process. It is warmed while the app already answers its
    probes."""
    service = Service(settings, backend or Local(settings.engine(), settings.drafters.values()))

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # A daemon: the process ends without waiting for a model that takes minutes, or a server that never answers.
        Thread(target=service.warm, daemon=True, name="warm").start()
        yield
        service.pool.close()
        service.tracing.close()

    app = FastAPI(
        title="fastedit",
        version=__version__,
        summary="Applies code edits fast; the file is its own draft, a language model verifies it.",
        lifespan=lifespan,
        docs_url=None,  # FastAPI's page comes from another host
        redoc_url=None,
    )
    app.state.service = service
    for surface in (native, changes, operations, code_apply, chat, models, pages, probes):
        app.include_router(surface.router)
    for kind in (ApiError, FasteditError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _answer)
    app.mount("/static", pages.static)
    app.add_middleware(Gate, service=service)
    if settings.cors_origins:  # around the gate: a browser asks for leave without a key, and reads errors too
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
            expose_headers=["Retry-After", "X-Request-Id"],
        )
    return app


async def _answer(request: Request, error: Exception) -> Response:
    if isinstance(error, RequestValidationError):
        return _invalid(error.errors(), request.headers)
    if isinstance(error, HTTPException) and not isinstance(error, ApiError):
        return _from_framework(error, request.headers).response()
    return explained(error, request.url.path).response()


def _from_framework(error: HTTPException, headers: Headers) -> ApiError:
    """What FastAPI itself refuses."""
    if error.status_code == 400:
        encoding = headers.get("content-encoding", "identity")
        if encoding != "identity":
            said = f"Content-Encoding: {encoding} is not supported; send the body as it is"
        elif isinstance(error.__cause__, UnicodeDecodeError):
            said = "the body is not UTF-8; send JSON in UTF-8"
        elif isinstance(error.__cause__, ValueError):  # Python reads no whole number of thousands of digits
            said = "the body holds a number that is too long; send a shorter one"
        else:
            said = "the body is nested too deeply; send flatter JSON"
        return ApiError(400, "invalid_json", said)
    said = f"{error.detail.lower()}; /docs lists the paths and their methods"
    answer = ApiError(error.status_code, HTTPStatus(error.status_code).name.lower(), said)
    answer.headers = error.headers
    return answer


def _invalid(errors: Sequence[Any], headers: Headers) -> Response:
    """The first thing wrong with a body, never with the value itself."""
    first = errors[0]
    where, wrong = worded(first)
    if first["type"] == "json_invalid":
        said = first.get("ctx", {}).get("error", "").removesuffix(" at")
        return ApiError(400, "invalid_json", f"the body is not JSON: {said} at character {where}").response()
    if first["type"] == "refused_field":
        return ApiError(422, "unknown_field", f"{where} {wrong}", param=where).response()
    if not where and first["type"] != "value_error":
        kind = headers.get("content-type", "")
        said = "the body must be a JSON object"
        if _JSON_TYPE.match(kind) is None:
            said = f"Content-Type is {kind or 'missing'}; send JSON with Content-Type: application/json"
        return ApiError(422, "invalid_field", said).response()
    message = f"{where or 'the body'}: {wrong}"
    return ApiError(422, "invalid_field", message, param=where or None).response()
