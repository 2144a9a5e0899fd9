"""An edit as the text it results in, for surfaces that know neither hunks nor a status."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastedit.engine import Event, HunkReady, Resulted
from fastedit.result import EditResult, Receipt, Status
from fastedit.serve.errors import ApiError
from fastedit.serve.settings import Settings
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, splice


class Merged:
    """The new text in pieces, each as soon as it is final.

    What follows a hunk may still change the end of the hunk's last line, so that line waits for the next hunk.
    """

    def __init__(self, document: Document, settings: Settings) -> None:
        self._document, self._settings = document, settings
        self._hunks: list[Hunk] = []
        self._sent = 0  # characters
        self.receipt: Receipt | None = None
        self.finish = "stop"

    def push(self, event: Event) -> Iterator[str]:
        """What the event adds to the text; at last `receipt` is there. Raises what `whole_text` raises."""
        if isinstance(event, HunkReady):
            self._hunks.append(event.hunk)
            # Each piece costs a walk over the whole file: of very many hunks not every one gets its own.
            if len(self._hunks) % max(1, len(self._hunks) // 16):
                return
            shift = sum(len(hunk.lines) - (hunk.stop - hunk.start) for hunk in self._hunks)
            lines = splice(self._document, self._hunks)[: max(0, event.hunk.stop + shift - 1)]
            yield from self._piece(marked(self._document, "".join(line.text for line in lines)))
        elif isinstance(event, Resulted):
            yield from self._piece(whole_text(event.result, self._settings))
            self.receipt = event.result.receipt

    def _piece(self, text: str) -> Iterator[str]:
        if len(text) > self._sent:
            yield text[self._sent :]
            self._sent = len(text)


def whole_text(result: EditResult, settings: Settings) -> str:
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
