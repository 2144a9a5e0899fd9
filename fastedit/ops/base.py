"""What an operation is, and what carrying one out gives."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from fastedit.errors import OperationRefused, naming
from fastedit.source.hunks import Hunk
from fastedit.source.languages import languages
from fastedit.source.lines import with_lf

if TYPE_CHECKING:
    from fastedit.ops.source import Source

# What several operations say of a field.
FUNCTION = "the function or method: load, Store.load; add @LINE to choose among several"
WITHIN = "the function or method, or leave it out for the file: load, Store.load"
STATEMENT = "the first line of a statement, with or without the comment after it, or @LINE"
DECORATED = "the function or class: load, Store.load; add @LINE to choose among several"
_ARGUMENTS: dict[str, tuple[Argument, ...]] = {}  # as mypy takes no class of dataclasses for hashable


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that may be meant too. `line` counts from 0. `now` is its text where the operation changes the rest of
    the line."""

    line: int
    text: str
    why: str
    now: str | None = None

    def as_dict(self) -> dict[str, int | str]:
        """As JSON; `line` counts from 1, as in all that is told."""
        return {"line": self.line + 1, "text": self.text, "why": self.why}

    def __str__(self) -> str:
        return f"line {self.line + 1}: {self.why}: {self.text}"


def standing(places: Iterable[Candidate], lines: Iterable[str]) -> tuple[Candidate, ...]:
    """The places whose line is among the lines of a later text."""
    texts = {line.strip() for line in lines}
    return tuple(dict.fromkeys(place for place in places if (place.now or place.text) in texts))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What carrying out gives. `hunks` are sorted and disjoint. `left` are the places that may be meant too and stay as
    they are; their lines are those of the text that the operation found. `notes` say what else a person should know.
    """

    hunks: tuple[Hunk, ...]
    notes: tuple[str, ...] = ()
    left: tuple[Candidate, ...] = ()


def numbered(number: int, total: int) -> AbstractContextManager[None]:
    """Has an OperationRefused say which of several operations it is about."""
    return naming(f"operation {number} of {total}" if total > 1 else None, OperationRefused)


def option(doc: str, default: Any = MISSING) -> Any:
    """A field of an operation, with the line that help and schema say about it."""
    metadata = {"doc": doc}
    return field(metadata=metadata) if default is MISSING else field(default=default, metadata=metadata)


@dataclass_transform(frozen_default=True, field_specifiers=(option,))
@dataclass(frozen=True)
class Operation:
    """One typed edit of one file. Subclasses become frozen dataclasses; their fields are checked on construction.

    Line ends in texts become LF. Raises OperationRefused for a value that is not what its field takes.
    """

    name: ClassVar[str] = ""
    languages: ClassVar[frozenset[str]] = frozenset()  # the names of those in which it exists
    example: ClassVar[str] = ""  # the words after `fastedit op`
    on: ClassVar[str] = ""  # function, class or variable, where its target can be nothing else
    brings_code: ClassVar[bool] = True  # so that the result is parsed to see whether it still does

    def __init_subclass__(
        cls, example: str, needs: str = "is_code", on: str = "", brings_code: bool = True
    ) -> None:
        """`example` are the words after the name, which is that of the class: SetValue is `set-value`. The operation
        exists in the languages that have all it `needs`, fields of theirs.
        """
        dataclass(frozen=True)(cls)
        cls.name = re.sub(r"\B(?=[A-Z])", "-", cls.__name__).lower()
        cls.languages = frozenset(
            each.name for each in languages() if all(getattr(each, need) for need in needs.split())
        )
        cls.example = f"{cls.name} {example}"
        cls.on = on or ("function" if "function" in cls.__annotations__ else "")
        cls.brings_code = brings_code

    def __post_init__(self) -> None:
        for item in arguments(type(self)):
            value = getattr(self, item.name)
            item.check(self.name, value)
            if item.kind is str and value is not None:
                object.__setattr__(self, item.name, with_lf(value))

    def carry_out(self, source: Source) -> Outcome:
        """Raises OperationRefused or TargetUnresolved; nothing is changed in place."""
        raise NotImplementedError


class Argument(NamedTuple):
    """A field of an operation as the command line and JSON see it."""

    name: str
    doc: str
    kind: type[str | bool | object]  # object: any value that JSON has
    choices: tuple[str, ...]
    required: bool
    optional: bool  # whether null is a value
    default: Any

    def check(self, operation: str, value: Any) -> None:
        """Raises OperationRefused unless the field takes the value."""
        if value is None and self.optional:
            return
        where = f"{operation}: field `{self.name}`"
        if self.kind is object and _is_json(value):
            return
        if type(value) is not self.kind or (self.choices and value not in self.choices):
            raise OperationRefused(f"{where} takes {self.takes}, not {value!r}")
        if isinstance(value, str):
            if not value.strip():
                raise OperationRefused(f"{where} is empty; give it a value")
            if "\0" in value or _surrogates(value):
                raise OperationRefused(f"{where} holds characters that no text file can")

    @property
    def takes(self) -> str:
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.kind is object:
            return "a JSON value"
        return "true or false" if self.kind is bool else "a string"


def _is_json(value: Any) -> bool:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        return bool(json.loads(text) == value) and not _surrogates(text)
    except (TypeError, ValueError, RecursionError):
        return False


def _surrogates(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def arguments(operation: type[Operation]) -> tuple[Argument, ...]:
    """The fields of an operation in order, required ones first."""
    if operation.name not in _ARGUMENTS:
        hints = get_type_hints(operation)
        _ARGUMENTS[operation.name] = tuple(_argument(item, hints[item.name]) for item in fields(operation))
    return _ARGUMENTS[operation.name]


def _argument(item: Field[Any], hint: Any) -> Argument:
    optional = get_origin(hint) in (types.UnionType, Union)
    if optional:
        (hint,) = (part for part in get_args(hint) if part is not type(None))
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    required = item.default is MISSING
    kind = str if choices else hint
    default = None if required else item.default
    return Argument(item.name, item.metadata["doc"], kind, choices, required, optional, default)
