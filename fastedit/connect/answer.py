"""The events of one answer, as they come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2

from fastedit.connect.base import Event
from fastedit.connect.hangup import Hangup
from fastedit.connect.names import Target
from fastedit.connect.refusal import Refusal, refusal_in
from fastedit.connect.silence import Silence

MORE_TIME = "try again, or allow it more time (`fastedit config` shows first_token_s and silence_s)"
_MOST_BYTES = 4 << 20  # of a body that is no stream


class Answer:
    """To be closed. `complete` once the server has said that nothing follows.

    Raises Refusal for an error among the events and for a broken connection, ModelUnavailable for silence and garbage.
    """

    def __init__(self, response: httpx2.Response, target: Target, until: float, hangup: Hangup) -> None:
        self._response, self._target, self._hangup = response, target, hangup
        line = response.extensions["network_stream"].get_extra_info("socket")
        hangup.hold(response.request, line)
        self._silence = Silence(line, target.first_token_s, target.silence_s, until)
        self._events = self._read()
        self._first: Event | None = None
        self.complete = False

    def begin(self) -> None:
        """Waits for the first event, so that an error in its place can still be met by asking again."""
        self._first = next(self._events, None)

    def __iter__(self) -> Iterator[Event]:
        if self._first is not None:
            yield self._first
        yield from self._events

    def close(self) -> None:
        self._silence.end()
        self._hangup.release(self._response.request)
        self._response.close()

    def _read(self) -> Iterator[Event]:
        try:
            for data in self._sent():
                if data == "[DONE]":
                    self.complete = True
                    continue
                event = _object(data)
                if refusal := refusal_in(event):
                    raise refusal
                if event.get("type") != "ping":
                    self._silence.heard()
                    yield event
        except (ValueError, RecursionError):
            raise self._target.failure(
                "sent what is no JSON", "check that it is a server of this API"
            ) from None
        except httpx2.HTTPError as error:
            if not self._silence.said:
                raise Refusal(0, str(error) or "the connection broke") from None
        if self._silence.said:
            raise self._target.failure(self._silence.said, MORE_TIME)

    def _sent(self) -> Iterator[str]:
        """The data of each event; of a server that does not stream, all at once."""
        kind = self._response.headers.get("content-type", "")
        if kind.startswith("text/event-stream"):
            yield from (sent.data for sent in httpx2.EventSource(self._response))
        else:
            yield body_of(self._response).decode("utf-8", "replace")


def body_of(response: httpx2.Response) -> bytes:
    """As much of it as anybody needs to see."""
    body = b""
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > _MOST_BYTES:
            break
    return body


def _object(data: str) -> dict[str, Any]:
    found = json.loads(data)
    if not isinstance(found, dict):
        raise ValueError(data)
    return found
