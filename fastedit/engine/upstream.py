"""A model behind an OpenAI-compatible server, asked over HTTP. Knows chat messages; does not know what an edit is."""

from __future__ import annotations

import json
import os
import re
import weakref
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import httpx2

from fastedit.edit.request import Sampling
from fastedit.edit.result import Receipt
from fastedit.errors import ModelUnavailable, TooLong, UsageError

KEY = "FASTEDIT_UPSTREAM_KEY"
_TIMEOUT = httpx2.Timeout(120.0, connect=10.0)
# Fields that not every server takes; where they are refused the question is asked again without them.
_OPTIONAL = ("prediction", "stream_options")


@lru_cache(maxsize=4)
def connect(address: str) -> Upstream:
    """The server at an address such as `http://127.0.0.1:8000/v1`, with `#MODEL` behind it where it has several."""
    return Upstream(address, os.environ.get(KEY))


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the answer's text. `finish` is there with the last one: "stop", "length" or the server's own word."""

    text: str
    finish: str | None = None


class Upstream:
    """One server and one of its models. May be used by many threads."""

    def __init__(self, address: str, key: str | None) -> None:
        url, _, model = address.partition("#")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        try:
            url = url.rstrip("/") + ("" if httpx2.URL(url).path.strip("/") else "/v1")
            self._http = httpx2.Client(base_url=url, headers=headers, timeout=_TIMEOUT)
        except httpx2.InvalidURL as error:
            raise ModelUnavailable(f"{address}: {error}; correct the address") from None
        weakref.finalize(self, self._http.close)  # nobody else knows when its last user has gone
        # Errors reach clients, who must not learn a password in the address.
        self._url, self._model = re.sub(r"(?<=//)[^/]*@", "", url), model
        self._refused = frozenset[str]()

    def model(self) -> str:
        """The model's name; asks the server where the address names none. Raises ModelUnavailable."""
        if not self._model:
            try:
                answer = self._http.get("models")
                self._check(answer)
                self._model = str(answer.json()["data"][0]["id"])
            except (httpx2.HTTPError, UnicodeError) as error:
                raise self._unreachable(error) from None
            except (ValueError, LookupError, TypeError):
                raise ModelUnavailable(f"{self._url}: lists no models; add #MODEL to the address") from None
        return self._model

    def chat(
        self,
        messages: Sequence[dict[str, str]],
        sampling: Sampling,
        receipt: Receipt,
        *,
        prediction: str | None = None,
        max_tokens: int | None = None,
    ) -> Generator[Piece, None, None]:
        """The answer as it comes; the server's token counts are added to `receipt`.

        Closing the iterator hangs up. Raises ModelUnavailable, TooLong or UsageError.
        """
        if sampling.top_k:
            raise UsageError("an upstream server takes no top_k; use top_p or leave it out")
        body: dict[str, Any] = {"model": self.model(), "messages": list(messages), "stream": True}
        body |= {"temperature": sampling.temperature, "stream_options": {"include_usage": True}}
        if not sampling.greedy:
            body |= {"top_p": sampling.top_p, "seed": sampling.seed}
        if prediction:
            body["prediction"] = {"type": "content", "content": prediction}
        if max_tokens is not None:
            body["max_tokens"] = max_tokens
        try:
            try:
                yield from self._stream({k: v for k, v in body.items() if k not in self._refused}, receipt)
            except _Refused:
                for piece in self._stream({k: v for k, v in body.items() if k not in _OPTIONAL}, receipt):
                    self._refused = frozenset(_OPTIONAL)  # now it is known that they were the reason
                    yield piece
        except (httpx2.HTTPError, UnicodeError) as error:  # the latter by names that no host has
            raise self._unreachable(error) from None

    def _stream(self, body: dict[str, Any], receipt: Receipt) -> Iterator[Piece]:
        with self._http.stream("POST", "chat/completions", json=body) as response:
            if response.status_code in (400, 422) and not self._refused and body.keys() & set(_OPTIONAL):
                raise _Refused
            if response.status_code != 200:
                response.read()
                self._check(response)
            for data in _sent(response.iter_bytes()):
                try:
                    pieces = self._pieces(data, receipt)
                except (AttributeError, TypeError):
                    raise ModelUnavailable(
                        f"{self._url}: sent what is no part of a chat completion; nothing was changed"
                    ) from None
                yield from pieces

    def _pieces(self, data: Any, receipt: Receipt) -> list[Piece]:
        """What one event holds. Raises ModelUnavailable for an error, AttributeError or TypeError for garbage."""
        if error := data.get("error"):
            raise ModelUnavailable(f"{self._url}: {_said(error)}; nothing was changed")
        if data.get("usage"):
            _count(data["usage"], receipt)
        deltas = [
            (choice.get("delta") or {}, choice.get("finish_reason")) for choice in data.get("choices") or ()
        ]
        # Adding fails for what is no text.
        return [Piece("" + (delta.get("content") or ""), finish) for delta, finish in deltas]

    def _check(self, response: httpx2.Response) -> None:
        """Raises what an answer other than 200 means."""
        status = response.status_code
        if status == 200:
            return
        try:
            error = response.json()["error"]
        except (ValueError, LookupError, TypeError):
            error = {}
        said = _said(error)
        if isinstance(error, dict) and error.get("code") in ("context_length_exceeded", "too_long"):
            raise TooLong(f"{self._url}: {said}; narrow the region or use a model with a longer context")
        way_out = {
            401: f"set {KEY}",
            403: f"set {KEY}",
            404: "check the address and the #MODEL behind it",
            429: "try again later",
        }.get(status, "its log may say why")
        raise ModelUnavailable(f"{self._url}: answered {status} ({said}); {way_out}")

    def _unreachable(self, error: Exception) -> ModelUnavailable:
        return ModelUnavailable(
            f"{self._url}: {str(error) or type(error).__name__}; check that the server runs there"
        )


class _Refused(Exception):
    """The server may not know an optional field."""


def _said(error: Any) -> str:
    text = error.get("message") if isinstance(error, dict) else error
    return str(text or "no reason given").splitlines()[0][:300]


def _sent(chunks: Iterator[bytes]) -> Iterator[Any]:
    """Server-sent data. Split as bytes: JSON may hold characters that Python's line splitting ends lines at."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            data = line.removeprefix(b"data:").strip()
            if line.startswith(b"data:") and data != b"[DONE]":
                try:
                    yield json.loads(data)
                except (ValueError, RecursionError):
                    raise ModelUnavailable("the upstream sent what is no JSON; nothing was changed") from None


def _count(usage: dict[str, Any], receipt: Receipt) -> None:
    """Adds the server's counts. How many passes it took only the server knows."""
    details = usage.get("completion_tokens_details") or {}
    accepted = details.get("accepted_prediction_tokens") or 0
    rejected = details.get("rejected_prediction_tokens") or 0
    output = usage.get("completion_tokens") or 0
    receipt.prompt_tokens += usage.get("prompt_tokens") or 0
    receipt.output_tokens += output
    receipt.generated_tokens += max(0, output - accepted)
    if accepted or rejected:
        receipt.accepted["original"] = receipt.accepted.get("original", 0) + accepted
        receipt.drafted["original"] = receipt.drafted.get("original", 0) + accepted + rejected
