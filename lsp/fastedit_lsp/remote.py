"""Edits on a server: `POST /v1/edits`, whose answer is read as it comes."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from dataclasses import fields
from typing import Any

import httpx2

from fastedit import errors
from fastedit.connect.refusal import unreached
from fastedit.engine.events import Event, HunkReady, Located, Progressed, Resulted
from fastedit.errors import FasteditError, ModelUnavailable, WayOut
from fastedit.ops import Candidate, to_json
from fastedit.request import EditRequest, LineRange
from fastedit.result import Alternative, EditResult, Progress, Receipt, Status
from fastedit.source.hunks import Hunk, apply_hunks
from fastedit_lsp.settings import ClientSettings

_CONNECT_S, _READ_S = 10.0, 300.0
_MOST_BYTES = 64 << 20  # of an event: a result may hold three readings of a long file
_BY_CODE: dict[str, type[FasteditError]] = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, FasteditError)
}
_WAYS_OUT = {str(way): way for way in WayOut} | {
    "scope.symbol": WayOut.SYMBOL,
    "scope.lines": WayOut.LINES,
    "/v1/changes": WayOut.CHANGE,
}
# A newer server may tell more.
_RECEIPT = {field.name for field in fields(Receipt)}
_PROGRESS = {field.name for field in fields(Progress)}


class RemoteBackend:
    """Sends text and request to a fastedit server; nothing but hunks and numbers comes back."""

    def __init__(self, settings: ClientSettings) -> None:
        self._url = settings.server_url.rstrip("/")
        headers = {"Accept": "text/event-stream"}
        if settings.key:
            headers["Authorization"] = f"Bearer {settings.key}"
        timeout = httpx2.Timeout(_READ_S, connect=_CONNECT_S)
        self._http = httpx2.AsyncClient(base_url=self._url, headers=headers, timeout=timeout)

    async def events(self, request: EditRequest) -> AsyncGenerator[Event]:
        """Leaving the generator closes the connection, by which the server knows that it is cancelled."""
        hunks: list[Hunk] = []
        try:
            async with self._http.stream("POST", "/v1/edits", json=_body(request)) as response:
                if response.status_code != 200:
                    raise self._refusal(response.status_code, await response.aread())
                async for sent in httpx2.EventSource(response, _MOST_BYTES):
                    event = self._read(sent.event, sent.data, request, hunks)
                    if event is not None:
                        yield event
                    if isinstance(event, Resulted):
                        return
        except httpx2.HTTPError as error:
            raise ModelUnavailable(
                f"{self._url}: {unreached(error)}; nothing was changed, "
                "start the server with `fastedit serve` or correct its address"
            ) from None
        raise ModelUnavailable(f"{self._url}: the answer ended before its result; nothing was changed")

    async def warm(self) -> None:
        """A server keeps itself warm."""

    async def close(self) -> None:
        await self._http.aclose()

    def _read(self, name: str, sent: str, request: EditRequest, hunks: list[Hunk]) -> Event | None:
        """Raises what an error event says, and ModelUnavailable for garbage."""
        try:
            data = json.loads(sent)
            if name != "error":
                return _event(name, data, request, hunks)
            error = self._error(data)
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
            raise ModelUnavailable(
                f"{self._url}: sent something that is not an event of this edit; nothing was changed"
            ) from None
        raise error

    def _refusal(self, status: int, body: bytes) -> FasteditError:
        try:
            return self._error(json.loads(body))
        except (ValueError, TypeError, KeyError, RecursionError):
            return ModelUnavailable(
                f"{self._url}: answered {status}; it is not a fastedit server, or one too old for this editor"
            )

    def _error(self, data: dict[str, Any]) -> FasteditError:
        error = data["error"]
        kind = _BY_CODE.get(error["code"], ModelUnavailable)
        made = kind(f"{self._url}: {error['message']}" if kind is ModelUnavailable else error["message"])
        made.ways_out = tuple(_WAYS_OUT[name] for name in error.get("ways_out", ()) if name in _WAYS_OUT)
        return made


def _body(request: EditRequest) -> dict[str, Any]:
    document, lines = request.document, request.lines
    scope: dict[str, Any] = {"symbol": request.symbol}
    if lines is not None:
        scope["lines"] = {"start": lines.start, "stop": lines.stop}
    return {
        "content": document.text,
        "path": None if document.path is None else document.path.name,
        "instruction": request.instruction,
        "update": request.update,
        "scope": scope,
        "policy": request.policy,
        "choice": request.choice,
        "time_limit": request.time_limit,
        # An older server knows none of these.
        **({"language": document.language} if document.language else {}),
        **({"plan": request.plan} if request.plan != "auto" else {}),
        **({"operations": [*map(to_json, request.operations)]} if request.operations else {}),
    }


def _event(name: str, data: dict[str, Any], request: EditRequest, hunks: list[Hunk]) -> Event | None:
    """An event as the engine gives it; None for what this client does not know. `hunks` collects."""
    match name:
        case "located":
            regions = tuple(LineRange(region["start"], region["stop"]) for region in data["regions"])
            return Located(regions, tuple(data["reasons"]))
        case "hunk":
            hunks.append(_hunk(data))
            return HunkReady(hunks[-1])
        case "progress":
            return Progressed(Progress(**{key: value for key, value in data.items() if key in _PROGRESS}))
        case "result":
            receipt = Receipt(**{key: value for key, value in data["receipt"].items() if key in _RECEIPT})
            others = tuple(
                Alternative(tuple(map(_hunk, other["hunks"])), other["number"], other["posterior"])
                for other in data["alternatives"]
            )
            for text in (hunks, *(other.hunks for other in others)):
                apply_hunks(request.document, text)  # raises ValueError for hunks of another text
            return Resulted(
                EditResult(
                    request.document,
                    tuple(hunks),
                    Status(data["status"]),
                    tuple(data["reasons"]),
                    receipt,
                    others,
                    data.get("drops_final_newline", False),
                    notes=tuple(data.get("notes", ())),
                    left=tuple(_place(place) for place in data.get("left", ())),
                )
            )
    return None


def _place(data: dict[str, Any]) -> Candidate:
    return Candidate(data["line"] - 1, data["text"], data["why"])


def _hunk(data: dict[str, Any]) -> Hunk:
    return Hunk(data["old"]["start"], data["old"]["stop"], tuple(data["lines"]))
