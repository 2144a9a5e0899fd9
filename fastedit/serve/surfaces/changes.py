"""`POST /v1/changes`: an agent's edit of many files, which the client holds."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace

from fastapi import APIRouter, Depends, Request, Response

from fastedit.check import parse_ignored
from fastedit.engine.changes.change import ChangeEvent, ChangeRequest, ChangeResult, FileChange, HunkPlaced
from fastedit.errors import FileUnreadable
from fastedit.files.paths import relative_parts
from fastedit.formats.base import Edit
from fastedit.formats.tools.operations import NAME, by_file
from fastedit.serve.bodies.errors import ApiError, stale
from fastedit.serve.bodies.operation_fields import addressed_in
from fastedit.serve.jobs.answers import streamed, whole
from fastedit.serve.jobs.held import HeldChange
from fastedit.serve.service import Service, key_of, service_of, tenant_of
from fastedit.serve.surfaces.change_schemas import ChangeIn, ChangeOut, FileOut, HunkPlacedOut
from fastedit.serve.surfaces.native import ERRORS, failed, sse
from fastedit.source.document import Document

router = APIRouter(tags=["edits"], responses=ERRORS)


@router.post(
    "/v1/changes",
    response_model=ChangeOut,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def change(body: ChangeIn, request: Request, service: Service = Depends(service_of)) -> Response:  # noqa: B008
    """Apply an edit of many files: what becomes of each is told, nothing is written. With `Accept: text/event-stream`
    each hunk comes as soon as it has a place and each file as soon as it is finished: events `hunk` and `file`, then
    `result`, which is the whole answer, or `error`."""
    service.check_model(body.model)
    files = _files(body, service)
    service.check_length(body.message, "message")
    service.check_length(body.instruction, "instruction")
    live = "text/event-stream" in request.headers.get("accept", "")
    asked = ChangeRequest(
        None,
        _default_path(body, files),
        body.format,
        body.instruction,
        body.partial,
        body.policy,
        service.drafter(body.drafter),
        tenant_of(request, body.tenant),
        () if body.root is None else (body.root,),
        preview=live,
        ignore=parse_ignored(body.ignore),
        paths=tuple(name for name, file in zip(files, body.files, strict=True) if not file.context),
        context=tuple(name for name, file in zip(files, body.files, strict=True) if file.context),
        plan=body.plan,
        choices={
            name: str(file.choice)
            for name, file in zip(files, body.files, strict=True)
            if file.choice is not None
        },
    )

    def make() -> HeldChange:
        return HeldChange(replace(asked, message=_edit(body)), files)

    seconds = body.deadline_ms / 1000 if body.deadline_ms else None
    writer = _ChangeWriter(service.model)
    job = service.submit("change", make, writer.events if live else writer.whole, key_of(request), seconds)
    return await (streamed(request, job, failed) if live else whole(request, job))


def _edit(body: ChangeIn) -> str | Edit | None:
    """The message, or what the operations come to; None for an instruction alone. Raises ApiError unless there is one
    of them, and for a file of context beside a message, which could not change it."""
    if (
        body.message is None
        and not body.operations
        and body.format is None
        and (body.instruction or "").strip()
    ):
        return None
    shown = next((index for index, file in enumerate(body.files) if file.context), None)
    if shown is not None:
        said = (
            f"files.{shown}.context: only an instruction without a message has files to be read; leave it out"
        )
        raise ApiError(422, "invalid_field", said, param=f"files.{shown}.context")
    if body.message is not None and not body.operations:
        return body.message
    if body.message is not None or body.format is not None or not body.operations:
        said = (
            "message, operations or instruction: send a message, operations or an instruction alone, and a format with "
            "the message only"
        )
        raise ApiError(422, "invalid_field", said, param="message")
    return Edit((NAME,), by_file(addressed_in(body.operations)))


def _files(body: ChangeIn, service: Service) -> dict[str, Document]:
    """The body's files by name. Raises ApiError for one that is stale, too long, or named wrongly or twice."""
    files: dict[str, Document] = {}
    for index, file in enumerate(body.files):
        name = _name(file.path, f"files.{index}.path")
        if name in files:
            said = f"files.{index}.path: {name} is there twice; send each file once"
            raise ApiError(422, "invalid_field", said, param=f"files.{index}.path")
        document = service.document(file.content, name, f"files.{index}.content", file.language)
        if file.base_sha256 not in (None, document.sha256):
            raise stale(document.sha256, f"files.{index}.base_sha256")
        files[name] = document
    return files


def _default_path(body: ChangeIn, files: dict[str, Document]) -> str | None:
    if body.path is not None:
        return _name(body.path, "path")
    return next(iter(files)) if len(files) == 1 else None


def _name(path: str, param: str) -> str:
    try:
        return "/".join(relative_parts(path))
    except FileUnreadable as error:
        raise ApiError(422, "invalid_field", f"{param}: {error}", param=param) from None


class _ChangeWriter:
    """One change's events as bytes of an answer."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._id = f"change-{uuid.uuid4().hex}"

    def whole(self, event: ChangeEvent) -> Iterator[bytes]:
        if isinstance(event, ChangeResult):
            yield ChangeOut.of(event, self._id, self._model).model_dump_json().encode()

    def events(self, event: ChangeEvent) -> Iterator[bytes]:
        match event:
            case HunkPlaced():
                yield sse("hunk", HunkPlacedOut.of(event))
            case FileChange():
                yield sse("file", FileOut.of(event))
            case ChangeResult():
                yield sse("result", ChangeOut.of(event, self._id, self._model))
