"""What a client asks for: the parameters of `fastedit/edit` and of the commands, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast, get_args

from lsprotocol.types import Position, ProgressToken, Range

from fastedit.check import parse_ignored
from fastedit.errors import UsageError
from fastedit.ops import Operation, all_from_json
from fastedit.request import EditRequest, LineRange, Policy
from fastedit.source.document import Document
from fastedit_lsp.buffers import Buffer

# What a request may hold. The tokens are the protocol's own and read elsewhere; Sublime Text can say where a document
# is only together with a position.
_FIELDS = (
    "textDocument",
    "instruction",
    "update",
    "operations",
    "range",
    "symbol",
    "policy",
    "force",
    "remove",
    "choice",
    "timeLimit",
    "ignore",
    "partialResultToken",
    "workDoneToken",
    "position",
)
_MOST = (1 << 31) - 1  # of the protocol's numbers


@dataclass(frozen=True, slots=True)
class BufferRequest:
    """One edit of one buffer.

    `lines` narrow where it may land. `remove` are the lines that hold the request itself, a comment or a sketch:
    the edit takes them out. `force` delivers a suspect result all the same. `choice` is a reading of the update,
    from 1; `time_limit` is in seconds. `operations` stand for an update. `ignore` are codes of rules. `cursor` is where
    the person is, for commands that ask. `params` are all of it as JSON.
    """

    uri: str
    version: int | None = None
    instruction: str | None = None
    update: str | None = None
    symbol: str | None = None
    lines: Range | None = None
    remove: LineRange | None = None
    policy: Policy | None = None
    force: bool = False
    choice: int | None = None
    time_limit: float | None = None
    operations: tuple[Operation, ...] = ()
    ignore: frozenset[str] = frozenset()
    cursor: Position | None = None
    params: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def parse(cls, params: Any) -> BufferRequest:
        """From JSON. Raises UsageError that names the field, OperationRefused for what is not an operation."""
        fields = _object(params, "the parameters")
        for name in fields:
            if name not in _FIELDS:
                raise UsageError(f"{name!r} is not a field of an edit; there are {', '.join(_FIELDS)}")
        document = _object(fields.get("textDocument"), "textDocument")
        policy = _text(fields, "policy")
        if policy is not None and policy not in get_args(Policy):
            raise UsageError(f"policy {policy!r}: choose one of {', '.join(get_args(Policy))}")
        uri = _text(document, "uri")
        if not uri:
            raise UsageError("textDocument.uri is missing; name the buffer to edit")
        remove, choice = fields.get("remove"), fields.get("choice")
        return cls(
            uri,
            _version(document.get("version")),
            _text(fields, "instruction"),
            _text(fields, "update"),
            _text(fields, "symbol"),
            _range(fields.get("range")),
            None if remove is None else _line_range(_object(remove, "remove")),
            cast(Policy | None, policy),
            _flag(fields, "force"),
            None if choice is None else _number(fields, "choice"),
            _seconds(fields.get("timeLimit")),
            _operations(fields.get("operations")),
            _ignored(fields.get("ignore")),
            None if fields.get("position") is None else _place(fields["position"], "position"),
            fields,
        )

    def request(self, document: Document, policy: Policy) -> EditRequest:
        if not (self.operations or (self.instruction or "").strip() or (self.update or "").strip()):
            raise UsageError("nothing to do: give instruction, update or operations")
        lines = None if self.lines is None else _lines(self.lines, len(document.lines))
        request = EditRequest(
            document,
            self.instruction,
            self.update,
            self.symbol,
            lines,
            policy=self.policy or policy,
            choice=self.choice,
            operations=self.operations,
            ignore=self.ignore,
        )
        return request if self.time_limit is None else replace(request, time_limit=self.time_limit)

    def again(self, **more: Any) -> dict[str, Any]:
        """The same request as parameters, with `more`, such as the `choice` of another reading."""
        tokens = ("partialResultToken", "workDoneToken")  # of this request alone
        return {name: value for name, value in self.params.items() if name not in tokens} | more

    @property
    def title(self) -> str:
        """The request in a few words."""
        said = ", ".join(operation.name for operation in self.operations) or "apply the update"
        words = " ".join((self.instruction or said).split())
        return words if len(words) <= 60 else f"{words[:59]}…"


@dataclass(frozen=True, slots=True)
class ChangeMessage:
    """An edit in any format. `uri` is the file in front, which an edit means that names none.

    With `review` an edit of one file is not applied, but left to the client's own review.
    """

    text: str
    uri: str | None = None
    review: bool = False

    @classmethod
    def parse(cls, params: Any) -> ChangeMessage:
        """From JSON. Raises UsageError that names the field."""
        fields = _object(params, "the argument")
        for name in fields:
            if name not in ("message", "uri", "review"):
                raise UsageError(f"{name!r} is not a field of a change; there are message, uri and review")
        text = _text(fields, "message")
        if not text or not text.strip():
            raise UsageError("message is empty; copy the edit first")
        return cls(text, _text(fields, "uri"), _flag(fields, "review"))


def selected_lines(range_: Range, buffer: Buffer) -> LineRange:
    """The lines a selection covers; one that ends before a line's first character leaves that line out."""
    return _lines(range_, len(buffer.document.lines)) or LineRange(0, 0)


def _lines(range_: Range, count: int) -> LineRange | None:
    """None where the text is empty or the range lies after it."""
    start, end = range_.start, range_.end
    stop = end.line + (end.character > 0 or end.line == start.line)
    stop = min(stop, count)
    first = min(start.line, max(stop - 1, 0))
    return LineRange(first, stop) if first < stop else None


def token(fields: dict[str, Any], name: str) -> ProgressToken | None:
    """A token of the protocol's. Raises UsageError for what is none."""
    value = fields.get(name)
    if value is not None and not isinstance(value, int | str):
        raise UsageError(f"{name} must be a string or a whole number")
    return value


def _object(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{name} must be an object; see docs/editors.md for what an edit is asked with")
    return value


def _text(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"{name} must be a string, not {type(value).__name__}")
    return value


def _flag(fields: dict[str, Any], name: str) -> bool:
    value = fields.get(name)
    if value is not None and not isinstance(value, bool):
        raise UsageError(f"{name} must be true or false, not {type(value).__name__}")
    return value is True


def _version(value: Any) -> int | None:
    if value is not None and not isinstance(value, int):
        raise UsageError("textDocument.version must be a whole number")
    return value


def _range(value: Any) -> Range | None:
    if value is None:
        return None
    start, end = (_place(_object(value, "range").get(end), f"range.{end}") for end in ("start", "end"))
    if (end.line, end.character) < (start.line, start.character):
        raise UsageError("range ends before it starts")
    return Range(start, end)


def _line_range(fields: dict[str, Any]) -> LineRange:
    return LineRange(_number(fields, "start"), _number(fields, "stop"))


def _place(value: Any, name: str) -> Position:
    at = _object(value, name)
    return Position(_number(at, "line"), _number(at, "character"))


def _seconds(value: Any) -> float | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise UsageError("timeLimit must be a number of seconds")
    return value


def _operations(value: Any) -> tuple[Operation, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise UsageError("operations must be a list of objects")
    return all_from_json(value)


def _ignored(value: Any) -> frozenset[str]:
    """Raises UsageError for what is no list of rules that can be ignored."""
    if value is None:
        return frozenset()
    if not isinstance(value, list) or not all(isinstance(code, str) for code in value):
        raise UsageError("ignore must be a list of codes, such as FE107")
    return parse_ignored(value)


def _number(fields: dict[str, Any], name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or not 0 <= value <= _MOST:
        raise UsageError(f"{name} must be a whole number from 0 to {_MOST}")
    return value
