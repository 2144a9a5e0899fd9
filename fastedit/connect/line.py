"""The HTTP connection to one server."""

from __future__ import annotations

import weakref
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx2

from fastedit.connect.answer import AnswerStream, started
from fastedit.connect.base import ServerEvent
from fastedit.connect.hangup import Hangup
from fastedit.connect.names import Endpoint
from fastedit.connect.refusal import Refusal, error_in

_CONNECT_S = 10.0
_MOST_BYTES = 4 << 20  # of a body that is no stream


class HttpConnection:
    """May be used by many threads."""

    def __init__(self, target: Endpoint, headers: dict[str, str]) -> None:
        self._target = target
        # Loading certificates takes 0.1 s, and without TLS there is nothing to verify.
        tls, timeout = not target.url.startswith("http://"), httpx2.Timeout(None, connect=_CONNECT_S)
        self.http = httpx2.AsyncClient(base_url=target.url, headers=headers, verify=tls, timeout=timeout)
        # Nobody else knows when its last user has gone.
        weakref.finalize(self, lambda http: started(http.aclose()), self.http).atexit = False

    def ask(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        until: float,
        hangup: Hangup,
        says: Callable[[ServerEvent], bool] = bool,
    ) -> AnswerStream:
        """The answer, begun with an event that `says` something. Raises what that does, and Refusal or ModelUnavailable
        for what stands in its place."""
        return AnswerStream(self._sent(method, path, body), self._target, until, hangup, says)

    async def _sent(self, method: str, path: str, body: dict[str, Any] | None) -> AsyncIterator[str]:
        """The data of each event; of a server that does not stream, all at once."""
        async with self.http.stream(method, path, json=body) as response:
            page = "text/html" in response.headers.get("content-type", "")
            if response.status_code != 200 or page:
                raise self._refusal(response, await _body_of(response), page=page)
            if response.headers.get("content-type", "").startswith("text/event-stream"):
                async for sent in httpx2.EventSource(response):
                    if sent.data:  # else it only sets an id, or the time to wait before one connects again
                        yield sent.data
            else:
                yield (await _body_of(response)).decode("utf-8", "replace")

    def _refusal(self, response: httpx2.Response, body: bytes, *, page: bool) -> Exception:
        refusal = Refusal.of(error_in(body), response.status_code, response.headers)
        if page and not refusal.passes:  # what stands before a busy server has pages too
            said = f"answered {response.status_code} with a web page"
            return self._target.failure(said, "check the address, which for most servers ends in /v1")
        return refusal


async def _body_of(response: httpx2.Response) -> bytes:
    """As much of it as anybody needs to see."""
    body = b""
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > _MOST_BYTES:
            break
    return body
