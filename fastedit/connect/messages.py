"""`POST /messages`: Anthropic's API. System text stands apart from the messages, and every answer has a limit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from fastedit.connect.base import Api, Piece, Question, ServerEvent, count, given
from fastedit.result import Receipt

_VERSION = "2023-06-01"
_MAX_TOKENS = 32_000  # where the question names no limit; a model that writes less says how much
_FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
}


class Messages(Api):
    path = "messages"
    optional: Sequence[str] = ("tools", "top_p", "temperature", "max_tokens")

    def headers(self, key: str | None) -> dict[str, str]:
        return {"anthropic-version": _VERSION} | ({"x-api-key": key} if key else {})

    def body(self, model: str, question: Question) -> dict[str, Any]:
        sampling, messages = question.sampling, question.messages
        return given(
            model=model,
            stream=True,
            max_tokens=question.max_tokens or _MAX_TOKENS,
            system="\n\n".join(m["content"] for m in messages if m["role"] == "system") or None,
            messages=[message for message in messages if message["role"] != "system"],
            tools=[tool.under("input_schema") for tool in question.tools],
            temperature=min(sampling.temperature, 1.0),  # the most that it takes
            top_p=None if sampling.greedy or sampling.top_p >= 1 else sampling.top_p,
        )

    def without(self, body: dict[str, Any], field: str, said: str) -> dict[str, Any]:
        """A refused `max_tokens` becomes the most that the server names; it cannot be left out."""
        if field != "max_tokens":
            return super().without(body, field, said)
        named = re.search(r"> (\d+)", said)
        return body | {"max_tokens": min(body["max_tokens"], int(named[1]) if named else 4096)}

    def says(self, event: ServerEvent) -> bool:
        return event.get("type") not in ("message_start", "content_block_start")

    def read(self, events: Iterator[ServerEvent], receipt: Receipt) -> Iterator[Piece]:
        prompt = 0
        for event in events:
            match event.get("type"):
                case "message_start":
                    prompt = _prompt_tokens(event["message"].get("usage") or {})
                case "content_block_start" if event["content_block"]["type"] == "tool_use":
                    yield Piece("\n")
                case "content_block_delta":
                    delta = event["delta"]
                    yield Piece("" + delta.get("text", "") + delta.get("partial_json", ""))
                case "message_delta":
                    reason = event["delta"].get("stop_reason")
                    count(receipt, prompt, (event.get("usage") or {}).get("output_tokens") or 0)
                    yield Piece("", _FINISH.get(reason, reason))


def _prompt_tokens(usage: dict[str, Any]) -> int:
    """Tokens that the server's cache held are counted apart."""
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(usage.get(name) or 0 for name in names)
