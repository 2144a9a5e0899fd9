"""Typed operations as an agent's tool shows them: a line for each operation and a field for each name of a field.

A schema for each operation says no more and is twice as long, which an agent pays for in every session.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import WithJsonSchema

from fastedit.ops import operations
from fastedit.ops.base import Argument, arguments
from fastedit.ops.codec import signature

_TYPES = {str: "string", bool: "boolean"}


def _schema() -> dict[str, Any]:
    listed = "\n".join(signature(operation) for operation in operations())
    told = f"The operation, with the fields that it takes; a field with ? may be left out.\n{listed}"
    names = [operation.name for operation in operations()]
    fields: dict[str, list[tuple[str, Argument]]] = {}
    for operation in operations():
        for item in arguments(operation):
            fields.setdefault(item.name, []).append((operation.name, item))
    return {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The file that it changes."},
            "op": {"enum": names, "description": told},
            **{name: _field(uses) for name, uses in fields.items()},
        },
        "required": ["path", "op"],
        "additionalProperties": False,
    }


def _field(uses: Sequence[tuple[str, Argument]]) -> dict[str, Any]:
    """A field that these operations take, each with what it says of it."""
    items = [item for _, item in uses]
    made: dict[str, Any] = {}
    if all(item.choices for item in items):
        made["enum"] = list(dict.fromkeys(choice for item in items for choice in item.choices))
    elif len(kinds := {item.kind for item in items}) == 1 and (kind := _TYPES.get(kinds.pop())):
        made["type"] = kind
    takers: dict[str, list[str]] = {}
    for name, item in uses:
        takers.setdefault(_doc(item), []).append(name)
    most = max(takers, key=lambda doc: len(takers[doc]))
    common = most if len(takers) == 1 or len(takers[most]) > 1 else None
    others = [f"{', '.join(names)}: {doc}" for doc, names in takers.items() if doc != common]
    return made | {"description": "\n".join([common, *others] if common else others)}


def _doc(item: Argument) -> str:
    return item.doc if item.required or not item.default else f"{item.doc} (default {item.default})"


ToldOperation = Annotated[dict[str, Any], WithJsonSchema(_schema())]
