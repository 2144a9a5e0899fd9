"""Typed operations (`fastedit.ops`) as JSON: a list, in which each names its file or an object names one for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fastedit.errors import OperationRefused, UnreadableEdit
from fastedit.formats.base import (
    FileOperation,
    Format,
    ModifyFile,
    TypedOperation,
    join_modifications,
    unreadable,
)
from fastedit.formats.tools.json_values import RESEND, JsonText, decoded, json_find, tool_calls

if TYPE_CHECKING:
    from fastedit.ops.base import Operation

NAME = "operations"


def addressed(value: object) -> tuple[str | None, Operation]:
    """The file that the JSON of an operation names in `path`, None where it names none, and the operation.

    Raises OperationRefused.
    """
    from fastedit.ops.codec import from_json

    if not isinstance(value, dict) or "path" not in value:
        return None, from_json(value)
    path = value["path"]
    if not isinstance(path, str) or not path.strip():
        raise OperationRefused(f"field `path` must name a file, not be {path!r}")
    return path, from_json({name: given for name, given in value.items() if name != "path"})


def named(value: object) -> tuple[str, Operation]:
    """The same of an operation that must name its file. Raises OperationRefused."""
    path, operation = addressed(value)
    if path is None:
        raise OperationRefused("field `path` is missing: the file that it changes")
    return path, operation


def by_file(operations: Iterable[tuple[str | None, Operation]]) -> tuple[FileOperation, ...]:
    """One change a file, which carries the operations out on it in their order."""
    return join_modifications([ModifyFile(path, (TypedOperation(each),)) for path, each in operations])


def modifications(
    items: Sequence[object],
    path: str | None = None,
    read_one: Callable[[object], tuple[str | None, Operation]] = addressed,
) -> tuple[FileOperation, ...]:
    """The JSON of operations as one change a file; `path` is that of those that name none. Raises UnreadableEdit."""
    from fastedit.ops.base import numbered

    def read() -> Iterator[tuple[str | None, Operation]]:
        for number, item in enumerate(items, 1):
            with numbered(number, len(items)):
                own, operation = read_one(item)
            yield own or path, operation

    try:
        return by_file(read())
    except OperationRefused as error:
        raise UnreadableEdit(str(error)) from None


class _Listed(NamedTuple):
    """The operations in a JSON value, and the file that it names for all. `said`: a member of it calls them so.
    `problem` is what is wrong with them where they are a string."""

    items: Sequence[object]
    path: str | None = None
    said: bool = False
    problem: str | None = None


def _listed(value: object) -> _Listed:
    """One outside a list counts as a list of one. They may be the arguments of a tool call."""
    calls = tool_calls(value) if isinstance(value, dict) and "op" not in value else []
    given = calls[0].arguments if len(calls) == 1 else value
    items, problem = given.get("operations") if isinstance(given, dict) else None, None
    if isinstance(items, str):
        items, problem = decoded(items)
    if isinstance(given, dict) and isinstance(items, list):
        path = given.get("path")
        return _Listed(items, path if isinstance(path, str) else None, True, problem)
    return _Listed(value if isinstance(value, list) else [value])


def _is_wanted(text: JsonText) -> bool:
    listed = _listed(text.value)
    named = [
        item["op"] for item in listed.items if isinstance(item, dict) and isinstance(item.get("op"), str)
    ]
    # An object that calls its items so needs no known name: a wrong one is to be refused.
    if not named or listed.said:
        return bool(named)
    from fastedit.ops.registry import NAMES  # only now: most messages hold none

    return not set(NAMES).isdisjoint(named)


def _modified(text: JsonText) -> tuple[FileOperation, ...]:
    listed = _listed(text.value)
    if listed.problem is not None:
        raise unreadable(NAME, None, listed.problem, RESEND)
    return modifications(listed.items, listed.path)


FORMAT = Format(NAME, (json_find(NAME, _is_wanted, _modified),))
