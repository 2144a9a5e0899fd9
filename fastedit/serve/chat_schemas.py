"""OpenAI's chat completion bodies, as far as they are served. A field that would have no effect is refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from fastedit.serve.fields import Strict, Text

_CODE = "import json\n\n\ndef load(path):\n    return json.load(open(path))\n"
_UPDATE = "# ... existing code ...\ndef load(path):\n    return json.loads(path.read_text())\n"
EXAMPLE: JsonDict = {
    "model": "auto",
    "messages": [{"role": "user", "content": f"<code>{_CODE}</code>\n<update>{_UPDATE}</update>"}],
}


class TextPart(Strict):
    type: Literal["text"]
    text: Text


Content = Text | list[TextPart]


class Message(Strict):
    role: Literal["system", "developer", "user", "assistant"]
    content: Content
    name: Text | None = None

    @property
    def text(self) -> str:
        return text_of(self.content)


class PredictionIn(Strict):
    """What the answer will probably say; drafted from, token by token."""

    type: Literal["content"]
    content: Content


class StreamOptions(Strict):
    include_usage: bool = False


Zero = Annotated[float, Field(ge=0, le=0)]


class ChatIn(Strict):
    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    model: Text
    messages: list[Message] = Field(min_length=1)
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
    user: Text | None = Field(default=None, description="For the caller's own records: nothing is kept here.")

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
