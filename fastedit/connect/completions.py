"""`POST /completions`: a text that a model without a chat template goes on with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastedit.connect.base import Piece, Question, ServerEvent
from fastedit.connect.chat_completions import ChatCompletions
from fastedit.result import Receipt


class Completions(ChatCompletions):
    path = "completions"

    def body(self, model: str, question: Question) -> dict[str, Any]:
        """One message is the text itself; several are written as a talk."""
        body = super().body(model, question)
        messages = body.pop("messages")
        talk = "".join(f"{each['role']}: {each['content']}\n\n" for each in messages) + "assistant:"
        body["prompt"] = messages[0]["content"] if len(messages) == 1 else talk
        return body

    def read(self, events: Iterator[ServerEvent], receipt: Receipt) -> Iterator[Piece]:
        return super().read(map(_as_chat, events), receipt)


def _as_chat(event: ServerEvent) -> ServerEvent:
    """The event with each text where a chat's stands."""
    choices = [choice | {"delta": {"content": choice.get("text")}} for choice in event.get("choices") or ()]
    return event | {"choices": choices}
