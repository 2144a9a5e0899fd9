"""Typed operations (`fastedit.ops`) as JSON: a list, in which each names its file or an object names one for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fastedit.errors import OperationRefused, UnreadableEdit
from fastedit.formats.base import Format, ModifyFile, TypedOperation
from fastedit.formats.json_values import JsonText, json_find

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


def by_file(operations: Iterable[tuple[str | None, Operation]]) -> tuple[ModifyFile, ...]:
    """One change a file, which carries the operations out on it in their order."""
    files: dict[str | None, list[TypedOperation]] = {}
    for path, operation in operations:
        files.setdefault(path, []).append(TypedOperation(operation))
    return tuple(ModifyFile(path, tuple(hunks)) for path, hunks in files.items())


def modifications(
    items: Sequence[object],
    path: str | None = None,
    read_one: Callable[[object], tuple[str | None, Operation]] = addressed,
) -> tuple[ModifyFile, ...]:
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


def _is_wanted(text: JsonText) -> bool:
    _, items = _listed(text.value)
    named = [item["op"] for item in items if isinstance(item, dict) and isinstance(item.get("op"), str)]
    # An object that calls its items so needs no known name: a wrong one is to be refused.
    if not named or (isinstance(text.value, dict) and text.value.get("operations") is items):
        return bool(named)
    from fastedit.ops.registry import NAMES  # only now: most messages hold none

    return not set(NAMES).isdisjoint(named)


def _listed(value: object) -> tuple[str | None, list[object]]:
    """The file that a value names for all, and its operations; one outside a list counts as a list of one."""
    if isinstance(value, dict) and isinstance(value.get("operations"), list):
        path = value.get("path")
        return path if isinstance(path, str) else None, value["operations"]
    return None, value if isinstance(value, list) else [value]


def _modified(text: JsonText) -> tuple[ModifyFile, ...]:
    path, items = _listed(text.value)
    return modifications(items, path)


FORMAT = Format(NAME, (json_find(NAME, _is_wanted, _modified),))
