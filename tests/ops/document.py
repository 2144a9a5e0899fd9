"""`python -m tests.ops.document`: writes what the operations say of themselves into docs/operations.md."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from fastedit.cli.op import parse_fields
from fastedit.ops import Operation, operations, to_json
from fastedit.ops.base import Argument, arguments
from fastedit.ops.codec import summary
from fastedit.ops.uses.rename import Rename
from fastedit.source.languages import named, names
from fastedit.train.table import table
from tests.document import rewritten

DOCUMENT = Path(__file__).parents[2] / "docs" / "operations.md"
_OWN = (
    "`own`: what a function has of its own, private fields and static functions, where the language has them. Other\n"
    "files may overload the rest, or have it as members. A variable of PHP is named with its sign: `load.$path`."
)
START, END = "<!-- from the operations -->", "<!-- end of the operations -->"


def block() -> str:
    """The table of operation by language, and what each operation takes."""
    return "\n\n".join([_by_language(), *map(_described, operations())])


def written() -> str:
    """The document with the block of now."""
    return rewritten(DOCUMENT.read_text("utf-8"), START, END, block())


def _by_language() -> str:
    there = [name for name in names() if any(name in operation.languages for operation in operations())]
    rows = [[f"[{each.name}](#{each.name})", *(_cell(each, name) for name in there)] for each in operations()]
    return f"{table(['', *there], rows)}\n\n{_OWN}"


def _cell(operation: type[Operation], language: str) -> str:
    """Whether an operation is there in a language, and for what."""
    if language not in operation.languages:
        return ""
    return "own" if operation is Rename and named(language).overloads_elsewhere else "yes"


def _described(operation: type[Operation]) -> str:
    words = shlex.split(operation.example)
    said = json.dumps(to_json(parse_fields(words[0], words[2:])), ensure_ascii=False)
    shown = f"```\nfastedit op {operation.example}\n{said}\n```"
    fields = "\n".join(map(_field, arguments(operation)))
    return f"### {operation.name}\n\n{_prose(summary(operation))}\n\n{shown}\n\n{fields}"


def _field(item: Argument) -> str:
    choices = f" [{', '.join(f'`{choice}`' for choice in item.choices)}]" if item.choices else ""
    usual = "optional" if item.default is None else f"`{json.dumps(item.default)}`"
    default = "" if item.required else f" ({usual})"
    return f"- `{item.name}`{choices}{default}: {_prose(item.doc)}"


def _prose(text: str) -> str:
    """A text whose angle brackets and stars stay what they are, but within backticks, where they do anyway."""
    parts = text.split("`")
    return "`".join(part if i % 2 else re.sub(r"[<*]", r"\\\g<0>", part) for i, part in enumerate(parts))


if __name__ == "__main__":
    DOCUMENT.write_text(written(), "utf-8")
