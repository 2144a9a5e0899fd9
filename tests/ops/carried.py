from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path

import pytest

from fastedit.cli.op import parse_fields
from fastedit.errors import OperationRefused
from fastedit.ops import Outcome, carry_out, from_json, to_json
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks
from fastedit.source.languages import suffix_of


def outcome(text: str, *operations: dict[str, object], language: str = "python") -> tuple[str, Outcome]:
    document = Document.from_text(text, Path("a" + suffix_of(language)))
    found = carry_out(document, [from_json(operation) for operation in operations])
    return apply_hunks(document, found.hunks), found


def carried(text: str, *operations: dict[str, object], language: str = "python") -> str:
    return outcome(text, *operations, language=language)[0]


def refused(text: str, *operations: dict[str, object], language: str = "python") -> str:
    """What is said of operations that are not carried out."""
    with pytest.raises(OperationRefused) as error:
        carried(text, *operations, language=language)
    return str(error.value)


def rename(target: str, new: str, **more: object) -> dict[str, object]:
    return {"op": "rename", "target": target, "new": new, **more}


def marked(text: str | tuple[str, str, str]) -> tuple[str, str]:
    """The text before and after a change: «what goes» and ‹what comes› are marked in it. Where a longer text is shared,
    it stands with what goes there and what comes."""
    if isinstance(text, tuple):
        before, gone, new = text
        return before, before.replace(gone, new, 1)
    before, after = re.sub("‹.*?›|[«»]", "", text, flags=re.S), re.sub("«.*?»|[‹›]", "", text, flags=re.S)
    return before, after


def renamed(text: str, target: str, new: str) -> tuple[str, str]:
    """As `marked`, with a § for each place of the name that changes."""
    before, after = marked(text)
    return before.replace("§", re.split(r"[.#]", target.split("@")[0])[-1]), after.replace("§", new)


def op(words: str) -> dict[str, object]:
    """The operation that these words after `fastedit op` say, without the file."""
    name, *rest = shlex.split(words)
    return to_json(parse_fields(name, rest))


def by_language(table: Mapping[str, tuple[object, ...]]) -> list[tuple[object, ...]]:
    """The cases of a table, each with the language that its key begins with."""
    return [(key.split(":")[0], *case) for key, case in table.items()]
