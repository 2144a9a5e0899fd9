"""Lines of strings that go over several lines: what they are indented by says nothing of the code around them."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from fastedit.source.languages import Language

_TRIPLE = ('"""', "'''")
_SCANNED = re.compile(
    r"""(?P<mark>\"{3}|'{3}|`)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|(?P<comment>\#|//)""", re.VERBOSE
)


def quoted(lines: Sequence[str], language: Language, markers: Container[int] = ()) -> dict[int, int]:
    """The lines that begin within a string, each with the line that the string begins on. A string without an end is
    none."""
    marks = (
        *(_TRIPLE if language.triple_quotes else ()),
        *(mark for mark in language.raw_quotes if mark == "`"),
    )
    marked = {row for mark in marks for row, line in enumerate(lines) if mark in line}
    found: dict[int, int] = {}
    comment = (language.comment or ("", ""))[0]
    within: list[int] = []
    opened, start = "", 0
    for row, line in enumerate(lines):
        at = 0
        if row in markers:
            opened, within = "", []
            continue
        if opened:
            within.append(row)
            end = line.find(opened)
            if end < 0:
                continue
            found |= dict.fromkeys(within, start)
            at, opened, within = end + len(opened), "", []
        elif row not in marked:
            continue
        while (token := _SCANNED.search(line, at)) is not None:
            if token["comment"] == comment:
                break
            at = token.end()
            if token["mark"] in marks:
                end = line.find(token["mark"], at)
                if end < 0:
                    opened, start = token["mark"], row
                    break
                at = end + len(token["mark"])
    return found
