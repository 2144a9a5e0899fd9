"""The exact commands of `commands.lark`: sentences that mean one list of operations and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from json import dumps
from typing import TYPE_CHECKING, Any, NamedTuple

from fastedit.ops import Operation, from_fields, operation_named
from fastedit.ops.base import arguments
from fastedit.ops.codec import from_word
from fastedit.source.languages import named

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

# Blanks within these are the code's own.
_QUOTED = re.compile(
    r"""(?<!`)(?P<ticks>`++).+?(?P=ticks)(?!`)|(?<!\\)"(?:[^"\\\n]|\\.)*"|(?<![\w\\])'(?:[^'\\\n]|\\.)*'""",
    re.S,
)
_INFO = re.compile(r"[^\n`]*+\n")  # the rest of a fence's first line
_READINGS = 16
# What a target or a key stands in; no fields of their own.
_AROUND = {"scope": "target", "parent": "key"}
_CODE = frozenset({"value", "default", "argument", "type", "code", "condition"})  # fields that get code
_PLAIN = re.compile(r"[\w./-]+")
_FREE = re.compile(r"(?<![\w.])[^\W\d]\w*")  # a name that is no member
_FIRST = re.compile(r'^(?:\w+:|    \|) "(\w+)', re.M)


class BareWord(NamedTuple):
    """A name in what stands for a field of an operation."""

    operation: str
    field: str
    text: str


def commands(instruction: str, language: str = "") -> tuple[Operation, ...] | None:
    """The operations that an instruction about a file in this language says if it is made of commands; None where it is
    not, or could be two things.

    Raises OperationRefused for a command with a value that its field does not take.
    """
    text = normal(instruction)
    if text.partition(" ")[0].lower() not in _first_words():
        return None
    said = {_operations(reading, text, language) for reading in _readings(text)}
    return said.pop() if len(said) == 1 else None


def bare_words(instruction: str) -> list[BareWord]:
    """The words of commands that stand for code without backticks: `unlimited` in `set LIMIT to unlimited`."""
    text, found = normal(instruction), list[BareWord]()
    for command in _readings(text)[0].iter_subtrees():
        for child in command.children:
            if isinstance(child, str) or not _is_code(command.data, child.data):
                continue
            said = text[child.meta.start_pos : child.meta.end_pos]
            names = _FREE.findall(said) if _PLAIN.fullmatch(said) else []
            found += [BareWord(command.data.replace("_", "-"), child.data, name) for name in names]
    return found


def _is_code(command: str, field: str) -> bool:
    return (command == "replace" and field == "new") or (field in _CODE and command != "set_key")


def normal(instruction: str) -> str:
    """The instruction with one blank or line end for all in a row, but within quotes and backticks."""
    pieces: list[str] = []
    at = 0
    for quoted in _QUOTED.finditer(instruction):
        pieces += (_spaced(instruction[at : quoted.start()]), quoted[0])
        at = quoted.end()
    return "".join([*pieces, _spaced(instruction[at:])]).strip()


def source() -> str:
    """The text of the grammar."""
    return (resources.files(__package__) / "commands.lark").read_text("utf-8")


def field_of(rule: str) -> tuple[str, str | None]:
    """The field that a rule of the grammar is for, and the value where its words stand for one."""
    field, *value = rule.split("__")
    return field, value[0] if value else None


@cache
def _first_words() -> frozenset[str]:
    """What commands begin with, without case."""
    return frozenset(_FIRST.findall(source()))


@lru_cache(maxsize=4)
def _readings(text: str) -> list[Tree[Token]]:
    """The ways to read a text as commands; none where it is something else."""
    from lark.exceptions import UnexpectedInput
    from lark.visitors import CollapseAmbiguities

    try:
        tree = _parser().parse(text)
    except UnexpectedInput:
        return []
    ambiguous = any(tree.find_data("_ambig"))
    return CollapseAmbiguities().transform(tree)[:_READINGS] if ambiguous else [tree]


@cache
def _parser() -> Lark:
    """Built when it is first needed: most instructions are plainly no command, and it takes longer than an edit."""
    from lark import Lark

    return Lark(source(), parser="earley", ambiguity="explicit", propagate_positions=True)


def _spaced(text: str) -> str:
    return re.sub(r"\s+", lambda found: "\n" if "\n" in found[0] else " ", text)


def _operations(tree: Tree[Token], text: str, language: str) -> tuple[Operation, ...]:
    found = tree.children if tree.data == "start" else [tree]
    # Between commands stand tokens, which are strings.
    return tuple(_operation(command, text, language) for command in found if not isinstance(command, str))


def _operation(command: Tree[Token], text: str, language: str) -> Operation:
    values: dict[str, str] = {}
    for child in command.children:
        assert not isinstance(child, str)
        field, value = field_of(child.data)
        names = [str(name) for name in child.children]
        values[field] = value or "".join(names) or _code(text[child.meta.start_pos : child.meta.end_pos])
    return made(command.data.replace("_", "-"), values, language)


def made(name: str, values: Mapping[str, str], language: str) -> Operation:
    """An operation with its values as they were said. Raises OperationRefused."""
    operation, said = operation_named(name), dict(values)
    for around, field in _AROUND.items():
        if around in said:
            outer = said.pop(around)
            said[field] = f"{outer if _PLAIN.fullmatch(outer) else dumps(outer)}.{said[field]}"
    keys = named(language).keys
    untyped = keys is not None and keys.untyped
    json = {item.name for item in arguments(operation) if item.kind is object and not untyped}
    flags = {item.name for item in arguments(operation) if item.kind is bool}
    typed: dict[str, Any] = {
        field: from_word(text) if field in json else text for field, text in said.items()
    }
    return from_fields(operation, typed | {field: typed[field] == "true" for field in flags & typed.keys()})


def _code(said: str) -> str:
    """What stands in backticks, without them and without a fence's language; else the words as they are."""
    ticks = len(said) - len(said.lstrip("`"))
    inside = said[ticks : len(said) - ticks]
    info = _INFO.match(inside) if ticks > 2 else None
    return fenced(inside[info.end() :]) if info else inside


def fenced(text: str) -> str:
    """What stands between the first line of a fence and its closing ticks, as code."""
    return text.rstrip(" \t").removesuffix("\n")
