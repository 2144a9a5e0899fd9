"""Ordinary chat with the loaded model: the same passes, drafts and receipt as an edit, but no file and no checks."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field

from fastedit.connect import Hangup, Question, Tool, connect
from fastedit.engine.models.folder import is_address, resolved
from fastedit.engine.models.local import loaded
from fastedit.errors import UsageError
from fastedit.model.settings import DEFAULT, ModelSettings
from fastedit.result import Receipt
from fastedit.sampling import Sampling


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """`messages` are pairs of role and text. `prediction` is what the answer will probably say; it is drafted from.
    `time_limit` is in seconds: how long a server may take for the whole answer. `tools` are offered to servers; a call
    is answered as the JSON of its arguments. `stop` ends the answer of one that only goes on with a text."""

    messages: tuple[tuple[str, str], ...]
    prediction: str | None = None
    sampling: Sampling = field(default_factory=Sampling)
    max_tokens: int | None = None
    time_limit: float | None = None
    tools: tuple[Tool, ...] = ()
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wrote:
    """More of the answer's text; empty while nothing new can be told, so that the caller may leave off."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The last event. `finish` is "stop", or "length" where the answer was cut off at its limit."""

    receipt: Receipt
    finish: str


def chat(
    model: str, request: ChatRequest, settings: ModelSettings = DEFAULT, hangup: Hangup | None = None
) -> Generator[Wrote | Answered, None, None]:
    """Answers with the model of this name, run as `settings` say. Closing the iterator cancels; where a server answers,
    so does `hangup`, from any thread.

    Raises UsageError for a model that knows no chat, TooLong or ModelUnavailable.
    """
    started = time.perf_counter()
    receipt = Receipt(resolved(model), "model", settings.exactness, settings.weights)
    finish = "stop"
    remote = is_address(model)
    pieces = (
        _upstream(model, request, receipt, hangup) if remote else _local(model, request, receipt, settings)
    )
    for piece in pieces:
        if isinstance(piece, Wrote):
            yield piece
        else:
            finish = piece
    receipt.total_ms = 1000.0 * (time.perf_counter() - started)
    yield Answered(receipt, finish)


def _upstream(
    model: str, request: ChatRequest, receipt: Receipt, hangup: Hangup | None
) -> Iterator[Wrote | str]:
    question = Question(
        [{"role": role, "content": text} for role, text in request.messages],
        request.sampling,
        request.tools,
        request.prediction,
        request.max_tokens,
        request.stop,
    )
    answer = connect(model).chat(question, receipt, time_limit=request.time_limit, hangup=hangup)
    with closing(answer) as pieces:
        for piece in pieces:
            yield Wrote(piece.text)
            if piece.finish:
                yield piece.finish


def _local(
    model: str, request: ChatRequest, receipt: Receipt, settings: ModelSettings
) -> Iterator[Wrote | str]:
    ready = loaded(model, settings)
    from fastedit.prompt.text import TextFormat

    if not isinstance(ready.format, TextFormat):
        raise UsageError(f"the model {model} only applies edits; send an edit, or serve a chat model")
    prompt = ready.format.chat(
        request.messages, request.prediction or "", request.max_tokens, ready.target.context
    )
    text = ready.format.text_stream()
    with closing(ready.session(prompt, request.sampling)) as session:
        while session.finished is None:
            yield Wrote(text(session.step().tokens))
        session.record(receipt)
        yield "stop" if session.finished == "stop" else "length"
