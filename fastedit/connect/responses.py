"""`POST /responses`: OpenAI's newer API. It knows neither a seed nor a prediction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fastedit.connect.base import Api, Event, Piece, Question, count
from fastedit.result import Receipt

_TEXT = (
    "response.output_text.delta",
    "response.refusal.delta",
    "response.function_call_arguments.delta",
)


class Responses(Api):
    path = "responses"
    optional: Sequence[str] = ("tools", "store", "top_p", "temperature", "max_output_tokens")

    def body(self, model: str, question: Question) -> dict[str, Any]:
        sampling = question.sampling
        body: dict[str, Any] = {"model": model, "input": list(question.messages), "stream": True}
        body |= {"store": False, "temperature": sampling.temperature}
        if not sampling.greedy:
            body["top_p"] = sampling.top_p
        if question.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.schema,
                    "strict": False,
                }
                for tool in question.tools
            ]
        if question.max_tokens is not None:
            body["max_output_tokens"] = max(16, question.max_tokens)  # the least that OpenAI takes
        return body

    def read(self, events: Iterator[Event], receipt: Receipt) -> Iterator[Piece]:
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
