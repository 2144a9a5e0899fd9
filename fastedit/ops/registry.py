"""Every operation by its name. A family is imported when one of its operations is asked for, as all of them take a
quarter of a second."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import Final

from fastedit.errors import OperationRefused
from fastedit.ops.base import Operation

_FAMILIES: Final = {
    "definitions.bases": ("add-base", "remove-base"),
    "definitions.decorators": ("add-decorator", "remove-decorator"),
    "definitions.delete": ("delete",),
    "definitions.modifiers": ("add-modifier", "remove-modifier"),
    "definitions.places": ("add", "move"),
    "definitions.values": ("annotate", "set-value"),
    "imports.operations": ("add-import", "remove-import"),
    "keys.dependency": ("set-dependency",),
    "keys.operations": ("add-item", "delete-key", "remove-item", "rename-key", "set-key"),
    "statements.comments": ("add-comment", "remove-comment", "set-docstring"),
    "statements.conditions": ("guard", "negate"),
    "statements.extract": ("extract-function",),
    "statements.insert": ("insert", "remove-statement", "wrap"),
    "statements.replace": ("replace",),
    "uses.annotations": ("set-default", "set-return-type", "set-type"),
    "uses.parameters": ("add-parameter", "remove-parameter", "reorder-parameters"),
    "uses.rename": ("rename",),
}
_FAMILY_OF: Final = {name: family for family, names in _FAMILIES.items() for name in names}
NAMES: Final = tuple(sorted(_FAMILY_OF))


def operations() -> tuple[type[Operation], ...]:
    """All operations, by name."""
    return tuple(map(operation_named, NAMES))


def operation_named(name: str) -> type[Operation]:
    """Raises OperationRefused where there is none of this name."""
    if name not in _FAMILY_OF:
        near = get_close_matches(name, NAMES, 1)
        known = f"did you mean {near[0]}?" if near else f"there are {', '.join(NAMES)}"
        raise OperationRefused(f"{name}: no such operation; {known}")
    family = import_module(f"fastedit.ops.{_FAMILY_OF[name]}")
    found: type[Operation] = getattr(family, name.title().replace("-", ""))
    return found
