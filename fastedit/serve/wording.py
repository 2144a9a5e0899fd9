"""Errors and reasons in the words of the HTTP API: the engine speaks of its options as the command line spells them."""

from __future__ import annotations

import re

_FIELDS = {
    " (-i)": "",
    " (-u)": "",
    "--choose": "choice",
    "--instruction": "instruction",
    "--language": "language",
    "--lines": "scope.lines",
    "--plan": "plan",
    "--symbol": "scope.symbol",
    "--update": "update",
    "apply it without naming a file": "send it to /v1/changes",
}
_OPTIONS = re.compile("|".join(map(re.escape, _FIELDS)))


def in_fields(line: str) -> str:
    return _OPTIONS.sub(lambda option: _FIELDS[option[0]], line)
