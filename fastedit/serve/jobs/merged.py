"""An edit as the text it results in, for surfaces that know neither hunks nor a status."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastedit.engine import Event, Resulted
from fastedit.result import EditResult, Receipt, Status
from fastedit.serve.bodies.errors import ApiError
from fastedit.serve.settings import ServerSettings
from fastedit.source.document import Document


class Merged:
    """The new text as a whole, once it is certain.

    Clients write whatever they receive: a piece that was sent before the last check could not be taken back.
    """

    def __init__(self, settings: ServerSettings, most: int | None = None) -> None:
        """`most` are the tokens that the edit may take."""
        self._settings, self._most = settings, most
        self.receipt: Receipt | None = None
        self.finish = "stop"

    def push(self, event: Event) -> Iterator[str]:
        """The text at the end; then `receipt` is there. Raises what `whole_text` raises, and ApiError 400 for an edit
        beyond its limit: a file that is cut off is worse than none."""
        if isinstance(event, Resulted):
            text = whole_text(event.result, self._settings)
            self.receipt = receipt = event.result.receipt
            if self._most is not None and receipt.output_tokens > self._most:
                raise ApiError(
                    400,
                    "too_long",
                    f"the edit took {receipt.output_tokens} tokens, the request allows {self._most}; raise max_tokens",
                    param="max_tokens",
                )
            if text:
                yield text


def whole_text(result: EditResult, settings: ServerSettings) -> str:
    """The new file. Raises ApiError 422 for a suspect result and for one that leaves places as they are: clients of
    these surfaces write what they get."""
    doubts = list(result.reasons) if result.status is Status.SUSPECT else []
    doubts += (f"left as it is: {place}" for place in result.left)
    if doubts and settings.suspect == "refuse":
        reasons = "; ".join(doubts)
        message = f"the result is suspect: {reasons}; POST /v1/edits delivers it with its hunks and reasons"
        raise ApiError(422, "suspect", message)
    return marked(result.document, result.text)


def marked(document: Document, text: str) -> str:
    """The text with the file's byte order mark, which documents keep apart."""
    return document.bom.decode("utf-8") + text


def usage(receipt: Receipt) -> dict[str, Any]:
    """Token counts under OpenAI's names. The prediction is what the original drafted."""
    accepted = receipt.accepted.get("original", 0)
    return {
        "prompt_tokens": receipt.prompt_tokens,
        "completion_tokens": receipt.output_tokens,
        "total_tokens": receipt.prompt_tokens + receipt.output_tokens,
        "completion_tokens_details": {
            "accepted_prediction_tokens": accepted,
            "rejected_prediction_tokens": receipt.drafted.get("original", 0) - accepted,
        },
    }
