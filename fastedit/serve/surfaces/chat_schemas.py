"""OpenAI's chat completion bodies, as far as they are served.

A field that would have to change the answer is taken at its default only. What only helps a provider to route, bill or
keep the request is taken and left alone: clients send it to whatever answers them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, Tag
from pydantic.config import JsonDict

from fastedit.serve.bodies.fields import LIST, TEXT, Strict, Text, by_shape

_CODE = "import json\n\n\ndef load(path):\n    return json.load(open(path))\n"
_UPDATE = "# ... existing code ...\ndef load(path):\n    return json.loads(path.read_text())\n"
EXAMPLE: JsonDict = {
    "model": "auto",
    "messages": [{"role": "user", "content": f"<code>{_CODE}</code>\n<update>{_UPDATE}</update>"}],
}

NoItems = Annotated[list[Any], Field(max_length=0)]


class TextPart(Strict):
    type: Literal["text"]
    text: Text


Content = Annotated[Annotated[Text, Tag(TEXT)] | Annotated[list[TextPart], Tag(LIST)], by_shape]
Stop = Annotated[Annotated[Text, Tag(TEXT)] | Annotated[list[Text], Field(max_length=4), Tag(LIST)], by_shape]


class ChatMessage(Strict):
    role: Literal["system", "developer", "user", "assistant"]
    content: Content
    name: Text | None = None
    # What answers carry that are sent back as they came.
    refusal: None = None
    audio: None = None
    function_call: None = None
    tool_calls: None = None
    annotations: NoItems | None = None

    @property
    def text(self) -> str:
        return text_of(self.content)


class PredictionIn(Strict):
    """What the answer will probably say; drafted from, token by token."""

    type: Literal["content"]
    content: Content


class StreamOptions(Strict):
    include_usage: bool = False
    include_obfuscation: bool = Field(default=False, description="Nothing is padded here.")


class ResponseFormat(Strict):
    type: Literal["text"]


Zero = Annotated[float, Field(ge=0, le=0)]


class ChatIn(Strict):
    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    model: Text
    messages: list[ChatMessage] = Field(min_length=1)
    prediction: PredictionIn | None = None
    stream: bool = False
    stream_options: StreamOptions | None = None
    temperature: float | None = Field(default=None, ge=0, le=2, allow_inf_nan=False)
    top_p: float | None = Field(default=None, gt=0, le=1)
    seed: int | None = Field(default=None, ge=0, lt=1 << 63)
    max_tokens: int | None = Field(default=None, ge=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    n: int | None = Field(default=None, ge=1, le=1)
    presence_penalty: Zero | None = None
    frequency_penalty: Zero | None = None
    logit_bias: Annotated[dict[str, float], Field(max_length=0)] | None = None
    logprobs: Literal[False] | None = None
    modalities: list[Literal["text"]] | None = None
    response_format: ResponseFormat | None = None
    stop: Stop | None = Field(
        default=None, description="Ends a conversation's answer; an edited file is always whole."
    )
    tools: list[dict[str, Any]] | None = Field(
        default=None, description="None is called: the answer is text."
    )
    tool_choice: Literal["auto", "none"] | None = None
    parallel_tool_calls: bool | None = None
    reasoning_effort: Text | None = None
    verbosity: Text | None = None
    user: Text | None = Field(default=None, description="For the caller's own records: nothing is kept here.")
    metadata: dict[str, Any] | None = None
    store: bool | None = None
    service_tier: Text | None = None
    safety_identifier: Text | None = None
    prompt_cache_key: Text | None = None
    prompt_cache_retention: Text | None = None

    @property
    def stops(self) -> list[str]:
        return [text for text in ([self.stop] if isinstance(self.stop, str) else self.stop or []) if text]

    @property
    def token_limit(self) -> int | None:
        return self.max_completion_tokens or self.max_tokens


class ChatOut(Strict):
    """A chat completion; `choices` and `usage` are as OpenAI documents them."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[dict[str, Any]]
    usage: dict[str, Any]


def text_of(content: Content) -> str:
    return content if isinstance(content, str) else "".join(part.text for part in content)
