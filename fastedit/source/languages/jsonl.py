"""A value of JSON a line."""

from __future__ import annotations

from fastedit.source.languages import json
from fastedit.source.languages.base import Language


def _error(text: str) -> str | None:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and (error := json.error(line)) is not None:
            return error.replace("(line 1)", f"(line {number})")
    return None


LANGUAGE = Language(name="jsonl", suffixes=(".jsonl", ".ndjson"), error=_error, comment=None)
