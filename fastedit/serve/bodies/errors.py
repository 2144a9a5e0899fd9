"""Errors as OpenAI's clients expect them, on every path: `{"error": {"message", "type", "param", "code"}}`."""

from __future__ import annotations

import math
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from fastedit.errors import FasteditError, ModelUnavailable, TargetUnresolved, UnplacedHunk, WayOut
from fastedit.serve.bodies.reports import placed, reported

# How an error of the engine is answered; what is not named here is a bad request.
_STATUS = {
    "suspect": 422,
    "anchor_not_found": 422,
    "unreadable_edit": 422,
    "unplaced_hunk": 422,
    "operation_refused": 422,
    "target_unresolved": 422,
    "stale_file": 409,
    "model_unavailable": 503,
    "unreadable_answer": 502,
    "cancelled": 499,
    "error": 500,
}
# What each path's requests have; lines of one file are for another path. The model is the server's.
_EDITS, CHANGES = "/v1/edits", "/v1/changes"
_FIELDS: dict[str, dict[WayOut, str]] = {
    _EDITS: {
        WayOut.INSTRUCTION: "instruction",
        WayOut.UPDATE: "update",
        WayOut.SYMBOL: "scope.symbol",
        WayOut.LINES: "scope.lines",
        WayOut.LANGUAGE: "language",
        WayOut.POLICY: "policy",
        WayOut.PLAN: "plan",
        WayOut.CHANGE: CHANGES,
    },
    CHANGES: {
        WayOut.INSTRUCTION: "instruction",
        WayOut.UPDATE: "message",
        WayOut.SYMBOL: _EDITS,
        WayOut.LINES: _EDITS,
        WayOut.LANGUAGE: "files.language",
        WayOut.POLICY: "policy",
        WayOut.PLAN: "plan",
        WayOut.FILES: "files",
    },
}
_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    429: "rate_limit_error",
}


class ApiError(HTTPException):
    """An answer other than success. `param` names the field at fault, `retry_after` is in seconds; without `retries`
    SDKs are told not to send the same request again by themselves."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        param: str | None = None,
        retry_after: float | None = None,
        retries: bool = True,
        extra: dict[str, Any] | None = None,
    ) -> None:
        headers = {}
        if retry_after is not None:
            headers["Retry-After"] = str(max(1, math.ceil(retry_after)))
        if not retries:
            headers["x-should-retry"] = "false"
        if status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        super().__init__(status, message, headers)
        self.code, self.param = code, param
        self._extra = extra or {}

    @classmethod
    def of(cls, error: BaseException, path: str = "") -> ApiError:
        """Any error as an answer to a request for `path`. What is not ours says nothing about itself: it could quote a
        file."""
        if isinstance(error, ApiError):
            return error
        if isinstance(error, FasteditError):
            said = " ".join(str(error).split())
            # A model's server was asked again already, where that could help.
            retries = not isinstance(error, ModelUnavailable)
            return cls(
                _STATUS.get(error.code, 400), error.code, said, retries=retries, extra=_told(error, path)
            )
        return cls(500, "internal_error", "the server failed at this request; its log has the reason")

    def body(self) -> dict[str, Any]:
        fallback = "server_error" if self.status_code >= 500 else "invalid_request_error"
        kind = _TYPES.get(self.status_code, fallback)
        error = {"message": self.detail, "type": kind, "param": self.param, "code": self.code}
        return {"error": error | self._extra}

    def response(self) -> JSONResponse:
        return JSONResponse(self.body(), self.status_code, self.headers)


def ways_out_of(error: FasteditError | None, path: str) -> list[str]:
    """The fields of a request for `path`, or other paths, that the way out of an error is taken by."""
    return [] if error is None else error.spelled(_FIELDS.get(path, {}))


def _told(error: FasteditError, path: str) -> dict[str, Any]:
    """What an error says beside its line."""
    ways_out = ways_out_of(error, path)
    told: dict[str, Any] = {"ways_out": ways_out} if ways_out else {}
    if isinstance(error, UnplacedHunk) and error.reports:
        told["reports"] = [report.model_dump() for report in reported(error.reports)]
    if isinstance(error, TargetUnresolved):
        told["candidates"] = [place.model_dump() for place in placed(error.candidates)]
    return told


def stale(current: str, param: str = "base_sha256") -> ApiError:
    return ApiError(
        409,
        "stale_file",
        f"{param} is not the hash of content, which is {current}; send the hash of what you edit",
        param=param,
        extra={"current_sha256": current},
    )


def cut_short() -> ApiError:
    said = "the server shut down before this was done; send the request to another"
    return ApiError(503, "draining", said, retry_after=1)


def too_large(what: str, size: int, limit: int, unit: str) -> ApiError:
    message = f"{what} has {size} {unit}, the limit is {limit}; send less of it"
    return ApiError(413, "too_large", message, param=what if unit == "characters" else None)
