from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.errors import OperationRefused
from fastedit.ops import Outcome, carry_out, from_json
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
