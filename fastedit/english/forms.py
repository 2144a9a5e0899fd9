"""The commands as they are read off the grammar: their forms, what each is made of, and an example."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from fastedit.english.grammar import field_of, source

_RULE = re.compile(r"((?:^// .*\n)+)^(\w+): (.+(?:\n    .+)*)$", re.M)
_PART = re.compile(r'"([^"]*)"i?|(\w+)|(\()|(\)\?)')
_FIRST = re.compile(r'^(\w+): "([^"]*)"', re.M)


@dataclass(frozen=True, slots=True)
class Form:
    """One way to say an operation. In `text`, capitals stand for `fields` and brackets for what may be left out; words
    that stand for a value are its `constants`."""

    text: str
    operation: str
    fields: frozenset[str]
    optional: frozenset[str]
    constants: dict[str, str]


@dataclass(frozen=True, slots=True)
class Command:
    operation: str
    forms: tuple[Form, ...]
    examples: tuple[str, ...]


@cache
def commands() -> tuple[Command, ...]:
    """All commands, in the grammar's order."""
    words = dict(_FIRST.findall(source()))
    return tuple(_command(e, rule, body, words) for e, rule, body in _RULE.findall(source()))


@cache
def forms() -> dict[str, Form]:
    """All forms by their text."""
    return {form.text: form for command in commands() for form in command.forms}


def _command(examples: str, rule: str, body: str, words: dict[str, str]) -> Command:
    operation = rule.replace("_", "-")
    made = tuple(_form(operation, alternative, words) for alternative in body.split("\n    | "))
    return Command(operation, made, tuple(line.removeprefix("// ") for line in examples.splitlines()))


def _form(operation: str, alternative: str, words: dict[str, str]) -> Form:
    pieces, constants = list[str](), dict[str, str]()
    fields, optional = set[str](), set[str]()
    within = False
    for literal, rule, opening, closing in _PART.findall(alternative):
        within = (within or bool(opening)) and not closing
        field, value = field_of(rule)
        if value:
            constants[field] = value
        elif rule:
            fields.add(field)
            optional |= {field} if within else set()
        pieces.append(words[rule] if value else literal or rule.upper() or ("[" if opening else "]"))
    text = "".join(pieces).replace("[ ", " [").replace(" ]", "] ")
    return Form(text, operation, frozenset(fields), frozenset(optional), constants)
