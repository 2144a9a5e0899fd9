"""`POST /completions`: a text that a model without a chat template goes on with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fastedit.connect.base import Event, Piece, Question, drop
from fastedit.connect.chat_completions import count_usage
from fastedit.edit.result import Receipt


class Completions:
    path = "completions"
    optional: Sequence[str] = ("stream_options", "stop", "seed", "top_p", "temperature", "max_tokens")

    def headers(self, key: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, model: str, question: Question) -> dict[str, Any]:
        """One message is the text itself; several are written as a talk."""
        sampling, messages = question.sampling, question.messages
        talk = "".join(f"{each['role']}: {each['content']}\n\n" for each in messages) + "assistant:"
        body: dict[str, Any] = {
            "model": model,
            "prompt": messages[0]["content"] if len(messages) == 1 else talk,
        }
        body |= {
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": sampling.temperature,
        }
        if not sampling.greedy:
            body |= {"top_p": sampling.top_p, "seed": sampling.seed}
        if question.stop:
            body["stop"] = list(question.stop)
        if question.max_tokens is not None:
            body["max_tokens"] = question.max_tokens
        return body

    def without(self, body: dict[str, Any], field: str, said: str) -> dict[str, Any]:
        return drop(body, field)

    def read(self, events: Iterator[Event], receipt: Receipt) -> Iterator[Piece]:
        for event in events:
            if usage := event.get("usage"):
                count_usage(usage, receipt)
            for choice in event.get("choices") or ():
                yield Piece("" + (choice.get("text") or ""), choice.get("finish_reason"))
