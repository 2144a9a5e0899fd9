"""What every request passes before it is read: is the server taking work, who is it, how often does it come."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import logging
import time
import uuid
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fastedit.serve.bodies.errors import ApiError, cut_short, too_large
from fastedit.serve.jobs.answers import explained
from fastedit.serve.service import Service, State
from fastedit.serve.settings import ServerSettings

# Pages hold no data and the probes say one word: whoever may connect may have them.
OPEN = frozenset({"/health", "/ready", "/", "/playground", "/docs", "/openapi.json"})
_UNANSWERED = 499  # the client went away first
_logger = logging.getLogger(__name__)


class Gate:
    """ASGI middleware around the whole app. Every answer gets an id, one line in the log and a place in the metrics."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app, self._service = app, service
        self._keys = ApiKeys(service.settings)
        self._buckets = RequestBuckets(service.settings.rate, service.settings.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, identity = time.monotonic(), uuid.uuid4().hex
        status = _UNANSWERED

        async def note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = identity
            await send(message)

        key = "none"
        with self._service.tracing.request(Headers(scope=scope)) as span:
            try:
                key = self._admit(scope)
                scope.setdefault("state", {})["key"] = key
                await self._app(scope, self._limited(scope, receive), note)
            except (Exception, asyncio.CancelledError) as error:
                if status != _UNANSWERED:
                    raise
                # uvicorn cancels what still waits, such as for the rest of a body, when it ends.
                answer = cut_short() if isinstance(error, asyncio.CancelledError) else explained(error)
                await answer.response()(scope, receive, note)
            finally:
                told = self._record(scope, identity, key, status, time.monotonic() - started)
                if span is not None:
                    span.set_attributes(told)

    def _admit(self, scope: Scope) -> str:
        """The caller's name in the log. Raises ApiError 401, 403, 429 or 503."""
        headers = Headers(scope=scope)
        if _is_open(scope["path"]):
            return "none"
        key = self._keys.check(headers)
        if scope["method"] == "POST":
            self._check_state()
            self._buckets.take(key)
        return key

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """Receives at most the largest body, for as long as a request may take. Raises ApiError 413, at once where the
        length is announced, and 408."""
        settings, seen, arriving = self._service.settings, 0, True
        limit, deadline = settings.max_body_bytes, asyncio.get_running_loop().time() + settings.deadline_s
        announced = Headers(scope=scope).get("content-length", "0")
        if announced.isascii() and announced.isdigit() and int(announced) > limit:
            raise too_large("the body", int(announced), limit, "bytes")

        async def limited() -> Message:
            nonlocal seen, arriving
            try:
                async with asyncio.timeout_at(deadline if arriving else None):
                    message = await receive()
            except TimeoutError:
                said = f"the body did not arrive within {settings.deadline_s:g} s; send all of it"
                raise ApiError(408, "deadline", said) from None
            arriving = message.get("more_body", False)
            seen += len(message.get("body", b""))
            if seen > limit:
                raise too_large("the body", seen, limit, "bytes or more")
            return message

        return limited

    def _check_state(self) -> None:
        """While a model is being loaded work is taken all the same: much of it needs none, and the rest waits."""
        if self._service.state is State.DRAINING:
            said = "the server is shutting down; send the request to another"
            raise ApiError(503, "draining", said, retry_after=1)
        if self._service.failure is not None:
            raise self._service.failure

    def _record(
        self, scope: Scope, identity: str, key: str, status: int, seconds: float
    ) -> dict[str, str | int]:
        """What there is to tell about a request, which is now counted and logged."""
        route = scope.get("route")
        path = getattr(route, "path", "other")
        self._service.metrics.answered(path, status, seconds)
        told: dict[str, str | int] = {
            "request": identity,
            "method": scope["method"],
            "path": path,
            "status": status,
            "key": key,
        }
        level = logging.DEBUG if _is_open(scope["path"]) else logging.INFO
        _logger.log(level, "request", extra={"fields": told | {"ms": round(1000 * seconds, 1)}})
        return told


def _is_open(path: str) -> bool:
    return path in OPEN or path.startswith("/static/")


class ApiKeys:
    """Compares digests in constant time, and every key each time, so that timing tells nothing."""

    def __init__(self, settings: ServerSettings) -> None:
        self._digests = [
            _digest(key.get_secret_value().encode("utf-8", "surrogateescape")) for key in settings.keys
        ]

    def check(self, headers: Headers) -> str:
        """The name of the key, which is the beginning of its hash. Raises ApiError."""
        if not self._digests:
            _check_host(headers.get("host", ""))
            return "none"
        scheme, _, given = headers.get("authorization", "").partition(" ")
        digest = _digest(given.encode("latin-1").strip())  # its bytes as they came
        found = [hmac.compare_digest(digest, known) for known in self._digests]
        if scheme.lower() != "bearer" or not any(found):
            raise ApiError(401, "invalid_api_key", "send a valid key as `Authorization: Bearer KEY`")
        return digest.hex()[:8]


def _digest(key: bytes) -> bytes:
    return hashlib.sha256(key).digest()


def _check_host(host: str) -> None:
    """Without keys only this machine is served; a page from elsewhere must not get in by a name that points here."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    try:
        local = ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        local = name.lower().removesuffix(".") == "localhost"
    if not local:
        raise ApiError(
            403, "foreign_host", f"the host {host!r} is not this machine; set a key to serve others"
        )


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float = field(default_factory=time.monotonic)


class RequestBuckets:
    """A token bucket a key: `rate` requests a second, `burst` at once. A rate of 0 is no limit."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: dict[str, _Bucket] = {}

    def take(self, key: str) -> None:
        """Raises ApiError 429."""
        if not self._rate:
            return
        bucket = self._buckets.setdefault(key, _Bucket(float(self._burst)))
        now = time.monotonic()
        bucket.tokens = min(self._burst, bucket.tokens + self._rate * (now - bucket.at))
        bucket.at = now
        if bucket.tokens < 1:
            wait = (1 - bucket.tokens) / self._rate
            raise ApiError(
                429,
                "rate_limit_exceeded",
                f"more than {self._rate:g} requests a second; slow down",
                retry_after=wait,
            )
        bucket.tokens -= 1
