"""Fields that a class of Python declares with their types."""

from __future__ import annotations

import re

from fastedit.edit.codemod.source import Codemod, Source, holding
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation

_ANNOTATED = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*:\s*[^=\s][^=]*(?P<value>=\s*\S.*)?")


def with_field(source: Source, name: str, new: str) -> Codemod | None:
    """A field below the fields that a class of Python declares."""
    found, field = source.only(name), _ANNOTATED.fullmatch(new)
    if found is None or found.kind != "class" or field is None:
        return None
    body = range(found.body, found.stop)
    margin = next((indentation(source.lines[n]) for n in body if source.lines[n].strip()), "")
    fields = {
        n: match
        for n in body
        if indentation(source.lines[n]) == margin
        and not source.in_text(n)
        and (match := _ANNOTATED.fullmatch(source.lines[n].strip()))
    }
    if not fields or any(match["name"] == field["name"] for match in fields.values()):
        return None
    last = max(fields)
    if source.opens(last) or not source.holds(last, last + 1):
        return None
    doubts = {
        "a field without a default follows one that has one": fields[last]["value"] and not field["value"],
        "what makes one does not pass it": not field["value"]
        and any(re.search(rf"(?<!class )\b{name}\(", line) for line in source.lines),
    }
    reasons = holding(doubts)
    return Codemod((Hunk(last + 1, last + 1, (margin + new,)),), reasons)
