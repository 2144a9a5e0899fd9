"""`POST /chat/completions`: OpenAI, vLLM, SGLang, llama.cpp, Ollama and most others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fastedit.connect.base import Api, Piece, Question, ServerEvent, count, given
from fastedit.result import Receipt

# What servers call the end of a whole answer: TGI by the token or the text that ends it, Gemini in capitals.
_STOPPED = ("eos_token", "stop_sequence", "eos", "STOP")


class ChatCompletions(Api):
    path = "chat/completions"
    optional: Sequence[str] = (
        "tools",
        "prediction",
        "stream_options",
        "seed",
        "top_p",
        "temperature",
        "stop",
        "max_tokens",
        "max_completion_tokens",
    )

    def body(self, model: str, question: Question) -> dict[str, Any]:
        sampling, prediction = question.sampling, question.prediction
        return given(
            model=model,
            messages=list(question.messages),
            stream=True,
            stream_options={"include_usage": True},
            temperature=sampling.temperature,
            top_p=None if sampling.greedy else sampling.top_p,
            seed=None if sampling.greedy else sampling.seed,
            prediction={"type": "content", "content": prediction} if prediction else None,
            tools=[{"type": "function", "function": tool.under("parameters")} for tool in question.tools],
            stop=list(question.stop),
            max_tokens=question.max_tokens,
        )

    def without(self, body: dict[str, Any], field: str, said: str) -> dict[str, Any]:
        """OpenAI's newer models know `max_tokens` by another name."""
        plain = super().without(body, field, said)
        return plain | {"max_completion_tokens": body[field]} if field == "max_tokens" else plain

    def says(self, event: ServerEvent) -> bool:
        """Most servers tell the role in a chunk of its own."""
        for choice in event.get("choices") or ():
            told = choice.get("delta") or choice.get("message") or {}
            if choice.get("finish_reason") or any(value for name, value in told.items() if name != "role"):
                return True
        return "choices" not in event

    def read(self, events: Iterator[ServerEvent], receipt: Receipt) -> Iterator[Piece]:
        begun = set[int]()
        for event in events:
            if usage := event.get("usage"):
                _count(usage, receipt)
            for choice in event.get("choices") or ():
                # A server that does not stream sends the whole message at once.
                delta = choice.get("delta") or choice.get("message") or {}
                # Adding fails for what is no text.
                text = "" + (delta.get("content") or "") + _called(delta.get("tool_calls") or (), begun)
                finish = choice.get("finish_reason")
                yield Piece(text, "stop" if finish in _STOPPED else finish)


def _called(calls: Sequence[dict[str, Any]], begun: set[int]) -> str:
    """More of the arguments of tool calls; `begun` are the numbers of those whose beginning was seen."""
    text = ""
    for at, call in enumerate(calls):
        number = call.get("index", at)
        text += ("" if number in begun else "\n") + (call["function"].get("arguments") or "")
        begun.add(number)
    return text


def _count(usage: dict[str, Any], receipt: Receipt) -> None:
    details = usage.get("completion_tokens_details") or {}
    count(
        receipt,
        usage.get("prompt_tokens") or 0,
        usage.get("completion_tokens") or 0,
        details.get("accepted_prediction_tokens") or 0,
        details.get("rejected_prediction_tokens") or 0,
    )
