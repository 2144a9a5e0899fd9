"""What a server answers, event by event, read on an event loop: there a wait can be cancelled, and with it the
connection, whatever it is that the server does not send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import CancelledError, Future
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

import httpx2

from fastedit.connect.base import ServerEvent
from fastedit.connect.hangup import Hangup
from fastedit.connect.names import Endpoint
from fastedit.connect.refusal import Refusal, refusal_in, unreached

NEVER = float("inf")
# Started where this is first imported, by whoever connects: of several threads that begin at a time, one imports.
_LOOP = asyncio.new_event_loop()
Thread(target=_LOOP.run_forever, name="fastedit connections", daemon=True).start()
_MORE_TIME = (
    "try again, or allow it more time (`--time-limit`; `fastedit config` shows first_token_s and silence_s)"
)


class AnswerStream:
    """To be closed. `complete` once the server has said that nothing follows.

    It may begin `first_token_s` late and pause for `silence_s`, and ends by `until`, a moment of the monotonic clock: a
    read timeout would begin again with each keep-alive. The first event that `says` something is waited for at once, so
    that an error in its place can still be met by asking again. Raises Refusal for an error among the events and for a
    broken connection, ModelUnavailable for silence, for garbage and for a server that is not there.
    """

    def __init__(
        self,
        sent: AsyncIterator[str],
        target: Endpoint,
        until: float,
        hangup: Hangup,
        says: Callable[[ServerEvent], bool],
    ) -> None:
        self._target, self._until = target, until
        self._why = f"said nothing for {target.first_token_s:g} s"
        self._due = min(monotonic() + target.first_token_s, until)
        self._items = SimpleQueue[str | Future[None]]()
        self._reading = started(_read(sent, self._items))
        self._reading.add_done_callback(self._items.put)
        hangup.hold(self._reading)
        self.complete = False
        try:
            self._begun = list[ServerEvent]()
            while (event := self._next()) is not None:
                self._begun.append(event)
                if says(event):
                    break
            if not self._begun and not self.complete:
                raise Refusal(0, "it ended its answer before a word")
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[ServerEvent]:
        yield from self._begun
        while (event := self._next()) is not None:
            yield event

    def close(self) -> None:
        self._reading.cancel()

    def _next(self) -> ServerEvent | None:
        while (data := self._item()) is not None:
            if data == "[DONE]":
                self.complete = True
                continue
            try:
                event = json.loads(data)
            except (ValueError, RecursionError):
                event = None
            if not isinstance(event, dict):
                raise self._target.failure(
                    "sent something that is not JSON", "check that it is a server of this API"
                )
            if refusal := refusal_in(event):
                raise refusal
            if event.get("type") != "ping":
                self._why = f"fell silent for {self._target.silence_s:g} s in mid-answer"
                self._due = min(monotonic() + self._target.silence_s, self._until)
                return event
        return None

    def _item(self) -> str | None:
        """What is sent next; None at the end."""
        try:
            item = self._items.get(timeout=max(0.0, self._due - monotonic()))
            if isinstance(item, str):
                return item
            self._items.put(item)  # it may be asked for again
            return item.result()
        except Empty:
            said = "gave no whole answer within the time limit" if self._due >= self._until else self._why
            raise self._target.failure(said, _MORE_TIME) from None
        except CancelledError:
            raise Refusal(0, "it was hung up on") from None
        except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError, httpx2.SSEError) as error:
            raise Refusal(0, str(error).rstrip(".") or "the connection broke") from None
        except (httpx2.HTTPError, UnicodeError) as error:  # the latter by names that no host has
            said = unreached(error)
            certified = "check https:// and the server's certificate"
            way_out = certified if "[SSL" in said else "start the server, or correct the address"
            if self._target.lacks_key:
                way_out = f"set {self._target.key_name}, which it needs, or name another model"
            raise self._target.failure(said, way_out) from None


async def _read(sent: AsyncIterator[str], items: SimpleQueue[str | Future[None]]) -> None:
    async for item in sent:
        items.put(item)


def started(work: Coroutine[Any, Any, None]) -> Future[None]:
    return asyncio.run_coroutine_threadsafe(work, _LOOP)
