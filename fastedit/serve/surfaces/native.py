"""`POST /v1/edits` and `POST /v1/edits:rebase`: fastedit's own API."""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import Generator, Iterator
from dataclasses import asdict, replace
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel

from fastedit.check import parse_ignored
from fastedit.connect import Hangup
from fastedit.engine import Event, HunkReady, Located, Progressed, Resulted
from fastedit.readings import options_of
from fastedit.request import EditRequest, LineRange
from fastedit.result import EditResult, Status
from fastedit.sampling import Sampling
from fastedit.serve.bodies.errors import ApiError, stale
from fastedit.serve.bodies.operation_fields import operations_in
from fastedit.serve.bodies.reports import placed
from fastedit.serve.bodies.schemas import (
    AlternativeOut,
    EditIn,
    EditOut,
    EditSummary,
    ErrorOut,
    Hashes,
    Numbering,
    PlainHunk,
    RebaseIn,
    RebaseOut,
    numbered,
)
from fastedit.serve.jobs.answers import streamed, whole
from fastedit.serve.jobs.merged import marked
from fastedit.serve.service import Service, key_of, service_of, tenant_of
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks
from fastedit.source.rebase import rebase

PROGRESS_S = 0.1  # between two progress events

STATUSES = {
    400: "The request is malformed or contradicts itself.",
    401: "No key, or a wrong one.",
    403: "Sent to another host than this machine, which a server without keys alone serves.",
    404: "No such model.",
    408: "Past the deadline.",
    409: "`base_sha256` is not the hash of the text, or a line that the edit changes changed since `base`.",
    413: "The body or the file is too large.",
    422: "A field is wrong, or the update or an operation cannot be read or points nowhere.",
    429: "Too many requests; see Retry-After.",
    500: "A fault of the server.",
    502: "What the model wrote is not an edit of the file.",
    503: "Shutting down, or the model's server fails; see Retry-After.",
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorOut, "description": text} for status, text in STATUSES.items()
}
router = APIRouter(tags=["edits"], responses=ERRORS)


@router.post(
    "/v1/edits",
    response_model=EditOut,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def edit(body: EditIn, request: Request, service: Service = Depends(service_of)) -> Response:  # noqa: B008
    """Apply one edit. With `Accept: text/event-stream` its hunks stream as they are written: events `located`, `hunk`,
    `progress`, then `result` or `error`."""
    service.check_model(body.model)
    service.check_exactness(body.exactness)
    service.check_sampling(body.sampling.acceptance)
    document = service.document(body.content, body.path)
    service.check_length(body.update, "update")
    service.check_length(body.instruction, "instruction")
    if body.base_sha256 not in (None, document.sha256):
        raise stale(document.sha256)
    seconds = body.deadline_ms / 1000 if body.deadline_ms else None
    writer = _EditWriter(service.model)
    live = "text/event-stream" in request.headers.get("accept", "")
    base = None if body.base is None else service.document(body.base, None, "base")
    edit = _request(body, document, base, service.drafter(body.drafter), tenant_of(request, body.tenant))
    edit = replace(edit, live=live)

    def make() -> EditRequest:
        return replace(edit, operations=operations_in(body.operations))

    job = service.submit("edit", make, writer.events if live else writer.whole, key_of(request), seconds)
    return await (streamed(request, job, failed) if live else whole(request, job))


@router.post("/v1/edits:rebase", response_model=RebaseOut)
async def rebase_hunks(body: RebaseIn, request: Request, service: Service = Depends(service_of)) -> Response:  # noqa: B008
    """Carry hunks over to a file that changed meanwhile. Where both sides touch a place it is a conflict."""

    def steps(hangup: Hangup) -> Generator[list[bytes], None, None]:
        yield [_rebased(body, service).model_dump_json().encode()]

    # Long files take seconds, in which the event loop must serve others.
    return await whole(request, service.pool.submit(steps, service.settings.deadline_s, key_of(request)))


def _rebased(body: RebaseIn, service: Service) -> RebaseOut:
    base = service.document(body.base, None, "base")
    current = service.document(body.current, None, "current")
    if body.base_sha256 not in (None, base.sha256):
        raise stale(base.sha256)
    try:
        hunks = [Hunk(hunk.old.start, hunk.old.stop, tuple(hunk.lines)) for hunk in body.hunks]
        apply_hunks(base, hunks)
    except ValueError as error:
        raise ApiError(422, "bad_hunks", f"{error}; send hunks of `base`, sorted", param="hunks") from None
    moved, conflicts = rebase(hunks, base, current)
    text = apply_hunks(current, moved)
    after = hashlib.sha256(current.encode(text)).hexdigest()
    return RebaseOut(
        hunks=numbered(moved),
        conflicts=list(map(PlainHunk.of, conflicts)),
        content=marked(current, text),
        sha256=Hashes(before=current.sha256, after=after),
    )


def _request(
    body: EditIn, document: Document, base: Document | None, drafter: str, tenant: str
) -> EditRequest:
    """The request without its operations. Raises ApiError where it asks for nothing or for lines that are not there."""
    if not body.operations and not any((text or "").strip() for text in (body.instruction, body.update)):
        raise ApiError(400, "usage", "nothing to do: give an instruction, an update or operations")
    lines, count = body.scope.lines, len((base or document).lines)
    if lines and not lines.start < lines.stop <= count:
        said = f"scope.lines: {lines.start} to {lines.stop} is not a span of the file's {count} lines"
        raise ApiError(400, "usage", f"{said}; lines count from 0, and stop is excluded", param="scope.lines")
    return EditRequest(
        document,
        body.instruction,
        body.update,
        body.scope.symbol,
        LineRange(lines.start, lines.stop) if lines else None,
        body.policy,
        Sampling(**body.sampling.model_dump()),
        body.speculation,
        drafter,
        tenant,
        body.choice,
        body.time_limit,
        body.format,
        language=body.language,
        plan=body.plan,
        ignore=parse_ignored(body.ignore),
        base=base,
    )


class _EditWriter:
    """One edit's events as bytes of an answer."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._id = f"edit-{uuid.uuid4().hex}"
        self._numbers, self._told = Numbering(), 0.0

    def whole(self, event: Event) -> Iterator[bytes]:
        if isinstance(event, Resulted):
            result = event.result
            out = EditOut(
                **self._outcome(result),
                hunks=numbered(result.hunks),
                content=marked(result.document, result.text),
            )
            yield out.model_dump_json().encode()

    def events(self, event: Event) -> Iterator[bytes]:
        match event:
            case Located(regions, reasons):
                spans = list(map(asdict, regions))
                yield sse("located", {"id": self._id, "regions": spans, "reasons": list(reasons)})
            case HunkReady(hunk):
                yield sse("hunk", self._numbers.next(hunk))
            case Progressed(progress):
                if time.monotonic() - self._told >= PROGRESS_S:
                    self._told = time.monotonic()
                    yield sse("progress", asdict(progress))
            case Resulted(result):
                yield sse("result", EditSummary(**self._outcome(result)))

    def _outcome(self, result: EditResult) -> dict[str, Any]:
        return {
            "id": self._id,
            "model": self._model,
            "status": Status(result.status).value,
            "reasons": list(result.reasons),
            "sha256": Hashes(before=result.document.sha256, after=result.sha256),
            "receipt": result.receipt.as_dict() | {"model": self._shown(result.receipt.model)},
            "alternatives": [AlternativeOut.of(option) for option in options_of(result)],
            "notes": list(result.notes),
            "left": placed(result.left),
            "drops_final_newline": result.drops_final_newline,
        }

    def _shown(self, name: str) -> str:
        """Clients know the model by another name than the engine, which has a path or an address."""
        return name if name == "none" else self._model


def sse(name: str, data: BaseModel | dict[str, Any]) -> bytes:
    text = data.model_dump_json() if isinstance(data, BaseModel) else json.dumps(data)
    return f"event: {name}\ndata: {text}\n\n".encode()


def failed(error: ApiError) -> bytes:
    return sse("error", error.body())
