"""`POST /responses`: OpenAI's newer API. It knows neither a seed nor a prediction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fastedit.connect.base import Api, Piece, Question, ServerEvent, count, given
from fastedit.result import Receipt

_TEXT = (
    "response.output_text.delta",
    "response.refusal.delta",
    "response.function_call_arguments.delta",
)


_ANNOUNCED = (
    "response.created",
    "response.queued",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
)


class Responses(Api):
    path = "responses"
    optional: Sequence[str] = ("tools", "store", "top_p", "temperature", "max_output_tokens")

    def body(self, model: str, question: Question) -> dict[str, Any]:
        sampling, most = question.sampling, question.max_tokens
        functions = [
            {"type": "function", "strict": False} | tool.under("parameters") for tool in question.tools
        ]
        return given(
            model=model,
            input=list(question.messages),
            stream=True,
            store=False,
            temperature=sampling.temperature,
            top_p=None if sampling.greedy else sampling.top_p,
            tools=functions,
            max_output_tokens=None if most is None else max(16, most),  # the least that OpenAI takes
        )

    def says(self, event: ServerEvent) -> bool:
        return event.get("type") not in _ANNOUNCED

    def read(self, events: Iterator[ServerEvent], receipt: Receipt) -> Iterator[Piece]:
        for event in events:
            kind = event.get("type", "")
            if kind in _TEXT:
                yield Piece("" + event["delta"])
            elif kind == "response.output_item.added" and event["item"]["type"] == "function_call":
                yield Piece("\n")
            elif kind in ("response.completed", "response.incomplete"):
                yield Piece("", _finish(event["response"], receipt))
            else:
                yield Piece("")


def _finish(response: dict[str, Any], receipt: Receipt) -> str:
    usage = response.get("usage") or {}
    count(receipt, usage.get("input_tokens") or 0, usage.get("output_tokens") or 0)
    why = (response.get("incomplete_details") or {}).get("reason")
    return "length" if why == "max_output_tokens" else str(why or "stop")
