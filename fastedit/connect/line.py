"""The HTTP connection to one server."""

from __future__ import annotations

import json
import re
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import httpx2

from fastedit.connect.answer import MORE_TIME, Answer, body_of
from fastedit.connect.hangup import Hangup
from fastedit.connect.names import Target
from fastedit.connect.refusal import Refusal, error_in
from fastedit.connect.silence import OVERDUE, unheard

NEVER = float("inf")
_CONNECT_S = 10.0


class Line:
    """May be used by many threads. Raises Refusal for what a server says in place of an answer and for a connection
    that breaks, ModelUnavailable for what asking again does not mend."""

    def __init__(self, target: Target, headers: dict[str, str]) -> None:
        self._target = target
        # Loading certificates takes 0.1 s, and without TLS there is nothing to verify.
        tls = not target.url.startswith("http://")
        self.http = httpx2.Client(base_url=target.url, headers=headers, verify=tls)
        weakref.finalize(self, self.http.close)  # nobody else knows when its last user has gone

    def get(self, path: str) -> Any:
        """The JSON at this path; None where it is none."""
        timeout = self._timeout(NEVER)
        with self._explained(NEVER), self.http.stream("GET", path, timeout=timeout) as response:
            self._check(response)
            body = body_of(response)
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            return None

    def ask(self, path: str, body: dict[str, Any], until: float, hangup: Hangup) -> Answer:
        """The answer, begun. It has to end by `until`, a moment of the monotonic clock, or when `hangup` is called."""
        if hangup.over:
            raise Refusal(0, "it was hung up on")
        request = self.http.build_request("POST", path, json=body, timeout=self._timeout(until))
        request.extensions["trace"] = lambda event, info: _hold(hangup, request, event, info)
        try:
            answer = self._answered(request, until, hangup)
        except BaseException:
            hangup.release(request)
            raise
        try:
            answer.begin()
        except BaseException:
            answer.close()
            raise
        return answer

    def _answered(self, request: httpx2.Request, until: float, hangup: Hangup) -> Answer:
        with self._explained(until):
            response = self.http.send(request, stream=True)
            try:
                self._check(response)
                request.extensions["timeout"]["read"] = None  # from here on Silence watches
                return Answer(response, self._target, until, hangup)
            except BaseException:
                response.close()
                raise

    def _check(self, response: httpx2.Response) -> None:
        """Raises what a response means that holds no answer."""
        page = "text/html" in response.headers.get("content-type", "")
        if response.status_code == 200 and not page:
            return
        refusal = Refusal.of(error_in(body_of(response)), response.status_code, response.headers)
        if page and not refusal.passes:  # what stands before a busy server has pages too
            said = f"answered {response.status_code} with a web page"
            raise self._target.failure(said, "check the address, which for most servers ends in /v1")
        raise refusal

    def _timeout(self, until: float) -> httpx2.Timeout:
        seconds = max(0.001, min(self._target.first_token_s, until - monotonic()))
        return httpx2.Timeout(seconds, connect=min(seconds, _CONNECT_S))

    @contextmanager
    def _explained(self, until: float) -> Iterator[None]:
        """What HTTP raises, as what it means."""
        failure = self._target.failure
        try:
            yield
        except httpx2.ReadTimeout:
            late = monotonic() >= until
            raise failure(OVERDUE if late else unheard(self._target.first_token_s), MORE_TIME) from None
        except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError) as error:
            raise Refusal(0, str(error) or "the connection broke", after=0.0) from None
        except (httpx2.HTTPError, UnicodeError) as error:  # the latter by names that no host has
            said = re.sub(r"^\[Errno -?\d+\] ", "", str(error)) or type(error).__name__
            raise failure(said, "check that the server runs there") from None


def _hold(hangup: Hangup, request: httpx2.Request, event: str, info: dict[str, Any]) -> None:
    """Holds a connection as soon as it stands. One that stood before is held when it answers."""
    if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
        hangup.hold(request, info["return_value"].get_extra_info("socket"))
