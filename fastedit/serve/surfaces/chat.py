"""`POST /v1/chat/completions`: edits in the one-message format, files given as a prediction, and ordinary chat."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Depends, Request, Response

from fastedit.engine.models.chat import Answered, ChatRequest, Wrote
from fastedit.engine.models.folder import only_edits
from fastedit.plan.answer import AGAIN
from fastedit.request import EditRequest
from fastedit.result import Receipt
from fastedit.sampling import Sampling
from fastedit.serve.bodies.errors import ApiError
from fastedit.serve.jobs.answers import streamed, whole
from fastedit.serve.jobs.merged import Merged, usage
from fastedit.serve.service import Service, key_of, service_of, tenant_of
from fastedit.serve.surfaces.apply_message import parse_apply_message
from fastedit.serve.surfaces.chat_schemas import ChatIn, ChatOut, text_of
from fastedit.serve.surfaces.native import ERRORS
from fastedit.serve.surfaces.stops import Stops
from fastedit.source.document import Document

router = APIRouter(tags=["drop-in"], responses=ERRORS)


@router.post(
    "/v1/chat/completions",
    response_model=ChatOut,
    responses={200: {"content": {"text/event-stream": {}}}},
)
@router.post("/v1/apply/chat/completions", include_in_schema=False)  # where Relace's clients look for it
async def chat(body: ChatIn, request: Request, service: Service = Depends(service_of)) -> Response:  # noqa: B008
    """Answer the last message: `<code>..</code><update>..</update>` with the whole new file."""
    service.check_model(body.model)
    if body.stream_options is not None and not body.stream:
        raise ApiError(422, "invalid_field", "stream_options: only with stream", param="stream_options")
    sampling = Sampling(body.temperature or 0.0, body.top_p or 1.0, seed=body.seed or 0)
    edit = _edit(body, sampling, service)
    if edit is not None:
        asked = replace(edit, drafter=service.drafter(), tenant=tenant_of(request), live=False)
        answer = ChatAnswer(service.model, body, Merged(service.settings, body.token_limit))
        job = service.submit("edit", lambda: asked, answer.written, key_of(request))
    else:
        talk = _conversation(body, sampling)
        answer = ChatAnswer(service.model, body, TalkText(body.stops))
        job = service.submit("chat", lambda: talk, answer.written, key_of(request))
    return await (streamed(request, job, _failed) if body.stream else whole(request, job))


def _edit(body: ChatIn, sampling: Sampling, service: Service) -> EditRequest | None:
    """The edit that the messages ask for, None for a conversation. Raises ApiError 400 where there can be none."""
    last = body.messages[-1]
    message = parse_apply_message(last.text) if last.role == "user" else None
    if message is not None:
        document = service.document(message.code, None, "messages")
        service.check_length(message.update, "messages")
        service.check_length(message.instruction, "messages")
        return EditRequest(document, message.instruction, message.update, sampling=sampling)
    if not only_edits(service.backend.model):
        return None
    if body.prediction is not None:
        document = service.document(text_of(body.prediction.content), None, "prediction")
        return EditRequest(document, _instruction(body, document), sampling=sampling)
    raise ApiError(
        400,
        "not_an_edit",
        f"the model {service.model} only applies edits: send <code>..</code><update>..</update>, "
        "or an instruction with the file as `prediction`",
        param="messages",
    )


def _conversation(body: ChatIn, sampling: Sampling) -> ChatRequest:
    messages = tuple((message.role, message.text) for message in body.messages)
    prediction = text_of(body.prediction.content) if body.prediction is not None else None
    return ChatRequest(messages, prediction, sampling, body.token_limit)


def _instruction(body: ChatIn, document: Document) -> str:
    """What the user says besides repeating the file."""
    said = (message.text.replace(document.text, "") for message in body.messages if message.role == "user")
    return "\n".join(text for text in map(str.strip, said) if text)


class TalkText:
    """A conversation's text, up to the first of `stops`. `receipt` and `finish` are there with its end. Raises ApiError
    502 where the model calls a tool, as a conversation offers none."""

    def __init__(self, stops: Sequence[str] = ()) -> None:
        self._stops = Stops(stops)
        self.receipt: Receipt | None = None
        self.finish = "stop"

    def push(self, event: Wrote | Answered) -> Iterator[str]:
        if isinstance(event, Wrote):
            text = self._stops.push(event.text)
        else:
            text = self._stops.rest()
            self.receipt, self.finish = event.receipt, "stop" if self._stops.reached else event.finish
            if self.finish == "tool_calls":
                raise ApiError(
                    502, "unreadable_answer", f"the model called a tool, and none was offered; {AGAIN}"
                )
        if text:
            yield text


class ChatAnswer:
    """One answer's bytes."""

    def __init__(self, model: str, body: ChatIn, source: Merged | TalkText) -> None:
        self._head = {
            "id": f"chatcmpl-{uuid.uuid4().hex}",
            "created": int(time.time()),
            "model": model,
        }
        self._source = source
        self.written = self.chunks if body.stream else self.whole
        self._usage = body.stream_options is not None and body.stream_options.include_usage
        self._pieces: list[str] = []

    def whole(self, event: Any) -> Iterator[bytes]:
        self._pieces += self._source.push(event)
        if self._source.receipt is not None:
            message = {"role": "assistant", "content": "".join(self._pieces), "refusal": None}
            choice = {"index": 0, "message": message, "finish_reason": self._source.finish, "logprobs": None}
            used = usage(self._source.receipt)
            answer = {"object": "chat.completion", "choices": [choice], "usage": used}
            yield json.dumps(self._head | answer).encode()

    def chunks(self, event: Any) -> Iterator[bytes]:
        for piece in self._source.push(event):
            if not self._pieces:
                yield self._chunk({"role": "assistant", "content": ""})
            self._pieces.append(piece)
            yield self._chunk({"content": piece})
        if self._source.receipt is not None:
            yield self._chunk({}, self._source.finish)
            if self._usage:
                yield self._data({"choices": [], "usage": usage(self._source.receipt)})
            yield b"data: [DONE]\n\n"

    def _chunk(self, delta: dict[str, str], finish: str | None = None) -> bytes:
        return self._data(
            {"choices": [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}]}
        )

    def _data(self, fields: dict[str, Any]) -> bytes:
        return f"data: {json.dumps(self._head | {'object': 'chat.completion.chunk'} | fields)}\n\n".encode()


def _failed(error: ApiError) -> bytes:
    return f"data: {json.dumps(error.body())}\n\n".encode()
