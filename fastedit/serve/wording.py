"""Errors and reasons in the words of each API: the engine speaks of its options as the command line spells them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_BOTH = {
    " (-i)": "",
    "--choose": "choice",
    "--instruction": "instruction",
    "--language": "language",
    "--plan": "plan",
}
_OF_FIELDS = {
    " (-u)": "",
    "--lines": "scope.lines",
    "--symbol": "scope.symbol",
    "--update": "update",
    "apply it without naming a file": "send it to /v1/changes",
}
_OF_ARGUMENTS = {
    "an update (-u)": "code_edit",
    "--force": "force",
    "--lines": "lines",
    "--symbol": "symbol",
    "--update": "code_edit",
}


def _translation(words: Mapping[str, str]) -> Callable[[str], str]:
    options = re.compile("|".join(map(re.escape, words)))
    return lambda line: options.sub(lambda option: words[option[0]], line)


in_fields = _translation(_BOTH | _OF_FIELDS)  # of the HTTP API
in_arguments = _translation(_BOTH | _OF_ARGUMENTS)  # of MCP's tools
