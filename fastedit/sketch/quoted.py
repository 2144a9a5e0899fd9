"""Lines of strings that go over several lines: what they are indented by says nothing of the code around them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from fastedit.source.languages import Language

_TRIPLE = ('"""', "'''")
_SCANNED = re.compile(
    r"""(?P<mark>\"{3}|'{3}|`)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|(?P<comment>\#|//)""", re.VERBOSE
)


def quoted(lines: Sequence[str], language: Language, markers: Collection[int] = ()) -> dict[int, int]:
    """The lines that begin within a string, each with the line that the string begins on. A string without an end is
    none."""
    marks = (
        *(_TRIPLE if language.triple_quotes else ()),
        *(mark for mark in language.raw_quotes if mark == "`"),
    )
    marked = {row for mark in marks for row, line in enumerate(lines) if mark in line}
    marked.update(markers if marked else ())
    found: dict[int, int] = {}
    comment = (language.comment or ("", ""))[0]
    opened, start = "", 0
    for row in sorted(marked):
        line, at = lines[row], 0
        if row in markers:
            opened = ""
            continue
        if opened:
            end = line.find(opened)
            if end < 0:
                continue
            found |= dict.fromkeys(range(start + 1, row + 1), start)
            at, opened = end + len(opened), ""
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
