"""What a server says in place of an answer, and the way out of it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import time
from typing import Any

from fastedit.connect.names import Endpoint
from fastedit.errors import NARROWER, FasteditError, TooLong, WayOut

# Statuses that pass, and what an event in mid-answer calls the same.
_PASSING = {0, 408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
_STATUS_OF = {
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "overloaded_error": 529,
    "server_is_overloaded": 503,
    "api_error": 500,
    "server_error": 500,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
}
_QUOTA = re.compile(r"insufficient_quota|billing|credit balance|exceeded your current quota", re.I)
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|\btoo_long\b|maximum context|context (length|size|window)|"
    r"prompt is too long|input is too long|too many (input )?tokens",
    re.I,
)

_LACKING = re.compile(r"\bparam(eter)?s?\b|unsupported|not support", re.I)
_EXTRAS = ("prediction", "stream_options")
_SPELLED = {"tools": r"(?i)\btool(s|_choice)?\b|\bfunction call"}  # what servers call the same


@dataclass(eq=False)
class Refusal(Exception):
    """`status` is 0 for a connection that broke. `code` and `said` are the server's words, `field` is the one that it
    names, `after` the seconds that it asks to wait."""

    status: int
    said: str
    code: str = ""
    field: str = ""
    after: float | None = None

    @classmethod
    def of(cls, error: Any, status: int = 0, headers: Mapping[str, str] | None = None) -> Refusal:
        """From what stands under `error` in JSON: an object, a text or nothing."""
        fields = error if isinstance(error, dict) else {"message": error}
        words = [str(fields.get(name) or "") for name in ("code", "type")]
        status = status or next((_STATUS_OF[word] for word in words if word in _STATUS_OF), 200)
        said = next(iter(str(fields.get("message") or "").splitlines()), "")[:300].rstrip(". ")
        code = " ".join(words).strip()
        said = said or code or "no reason given"
        return cls(status, said, code, str(fields.get("param")), _wait(headers or {}))

    @property
    def out_of_quota(self) -> bool:
        return self.status == 402 or bool(_QUOTA.search(f"{self.code} {self.said}"))

    @property
    def too_long(self) -> bool:
        return self.status in (200, 400, 413, 422) and bool(_TOO_LONG.search(f"{self.code} {self.said}"))

    @property
    def passes(self) -> bool:
        """Whether the same question may be answered a little later."""
        return self.status in _PASSING and not (self.out_of_quota or self.too_long or self._lacks)

    @property
    def _lacks(self) -> bool:
        """Whether the server, llama.cpp's for one, calls what it was not built or started for its own error."""
        return self.status in (500, 501) and bool(_LACKING.search(self.said))

    def disliked(self, fields: list[str]) -> list[str]:
        """Those of these fields without which the server may take the question: the first that it names, else what
        only makes an answer faster or tells its cost; none where it dislikes something else."""
        blames = self.status in (200, 400, 404, 422) or self._lacks
        if self.too_long or self.out_of_quota or not blames:
            return []
        named = self.field if self.field in fields else next(filter(self._names, fields), None)
        if named:
            return [named]
        return [] if self.status == 404 else [name for name in fields if name in _EXTRAS]

    def _names(self, field: str) -> bool:
        return bool(re.search(_SPELLED.get(field, rf"\b{field}\b"), self.said))

    def error(self, target: Endpoint) -> FasteditError:
        """One line for people."""
        said = self.said.replace(target.key, "***") if target.key else self.said
        if self.too_long:
            return TooLong(
                f"{target.shown}: {said}; nothing was changed: limit the edit, or use a model with a longer context",
                ways_out=(*NARROWER, WayOut.MODEL),
            )
        answered = {0: "hung up", 200: "answered with an error"}.get(self.status, f"answered {self.status}")
        return target.failure(f"{answered} ({said})", self._way_out(target))

    def _way_out(self, target: Endpoint) -> str:
        if self.out_of_quota:
            return "add credit there, or use another key or model"
        if "chat template" in self.said:
            return f"for a base model write completions:{target.shown}#{target.model}"
        if self.after:
            return f"it asks to wait {self.after:.0f} s, try again then"
        match self.status:
            case 401 | 403:
                return f"{'check' if target.key else 'set'} {target.key_name}"
            case 404:
                return f"check the address and the model's name{target.model and f', {target.model}'}"
            case 429:
                return "try again later"
            case status if 300 <= status < 400:
                return "use the address that it points to"
        return "try again later, its log may say why" if self.passes else "its log may say why"


def refusal_in(event: dict[str, Any]) -> Refusal | None:
    """The error that an event tells, if it does."""
    response = event.get("response")  # of a failed one, in the responses API
    if error := event.get("error") or (isinstance(response, dict) and response.get("error")):
        return Refusal.of(error)
    return Refusal.of(event) if event.get("type") == "error" else None


def unreached(error: Exception) -> str:
    """Why a server was not reached, as the system says it: the client may only say that all its attempts failed."""
    cause: BaseException = error
    while below := cause.__cause__ or cause.__context__:
        # There is an attempt for each address that a name stands for.
        cause = below.exceptions[0] if isinstance(below, BaseExceptionGroup) else below
    if isinstance(cause, ConnectionError) and cause.errno:
        return os.strerror(cause.errno).lower()
    return re.sub(r"^\[Errno -?\d+\] ", "", str(error)) or type(error).__name__


def error_in(body: bytes) -> Any:
    """What stands under `error` in a body of JSON, None where there is nothing of the kind."""
    try:
        found = json.loads(body)
        return found.get("error") or found.get("message") or found.get("detail")
    except (ValueError, AttributeError, RecursionError):
        return None


def _wait(headers: Mapping[str, str]) -> float | None:
    """`Retry-After` in seconds: a number or a date."""
    given = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", given):
        return float(given)
    try:
        return max(0.0, parsedate_to_datetime(given).timestamp() - time())
    except (ValueError, TypeError):
        return None
