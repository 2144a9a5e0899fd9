"""What passes between a caller and a model behind an address, and what a protocol has to know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastedit.result import Receipt
from fastedit.sampling import Sampling

ServerEvent = dict[str, Any]  # what one server-sent event holds


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the answer's text, empty while the model thinks; of a tool call, of the JSON of its arguments, which
    begins on a line of its own. The last one has `finish`: "stop", "length" or the
    server's own word."""

    text: str
    finish: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """What a model may call in place of an answer in words. `schema` is the JSON schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]

    def under(self, name: str) -> dict[str, Any]:
        """As a request has it, the schema under this name."""
        return {"name": self.name, "description": self.description, name: self.schema}


@dataclass(frozen=True, slots=True)
class Question:
    """One request, before a protocol writes it down. `messages` have `role` and `content`, and say all there is to know
    where the server takes no tools. `stop` is what ends an answer, for models that only go on with a text."""

    messages: Sequence[Mapping[str, str]]
    sampling: Sampling
    tools: Sequence[Tool] = ()
    prediction: str | None = None
    max_tokens: int | None = None
    stop: Sequence[str] = ()


class Api(ABC):
    """One server API."""

    path: str
    """Where questions go, below the address."""

    optional: Sequence[str]
    """Fields that a question can do without, the one missed least first."""

    def headers(self, key: str | None) -> dict[str, str]:
        """What each request carries."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    @abstractmethod
    def body(self, model: str, question: Question) -> dict[str, Any]:
        """The question, to be answered as a stream of events."""

    def without(self, body: dict[str, Any], field: str, said: str) -> dict[str, Any]:
        """The question after the server refused `field`, saying `said`."""
        return {name: value for name, value in body.items() if name != field}

    def says(self, event: ServerEvent) -> bool:
        """Whether an event is more than the announcement of an answer. Raises AttributeError or TypeError like
        `read`."""
        return True

    @abstractmethod
    def read(self, events: Iterator[ServerEvent], receipt: Receipt) -> Iterator[Piece]:
        """The answer that events tell; the server's token counts are added to `receipt`.

        Raises AttributeError, LookupError or TypeError for what is no event of the API.
        """


def given(**fields: Any) -> dict[str, Any]:
    """A request's fields, without those that are None or empty."""
    return {name: value for name, value in fields.items() if value is not None and value != []}


def count(receipt: Receipt, prompt: int, output: int, accepted: int = 0, rejected: int = 0) -> None:
    """Adds a server's counts. `accepted` and `rejected` are tokens of the prediction; passes it does not tell. Raises
    TypeError for what counts nothing."""
    if not all(isinstance(told, int) and told >= 0 for told in (prompt, output, accepted, rejected)):
        raise TypeError("a count is a whole number from 0")
    receipt.prompt_tokens += prompt
    receipt.output_tokens += output
    receipt.generated_tokens += max(0, output - accepted)
    if accepted or rejected:
        receipt.accepted["original"] = receipt.accepted.get("original", 0) + accepted
        receipt.drafted["original"] = receipt.drafted.get("original", 0) + accepted + rejected
