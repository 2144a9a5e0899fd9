"""Lines of strings that go over several lines: what they are indented by says nothing of the code around them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache

from fastedit.source.languages import Language

_TRIPLE = ('"""', "'''")
_TOKEN = (
    r"""(?P<mark>\"{3}|'{3}|`)|@"[^"]*"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|(?P<comment>(?<!\$)\#|//)"""
)
_REST = {'"': re.compile(r'(?:\\.|[^"\\])*"')}  # of a string in such quotes
_BEHIND = ";,)"  # what may stand behind the word that ends a here-document


def quoted(lines: Sequence[str], language: Language, markers: Collection[int] = ()) -> dict[int, int]:
    """The lines that begin within a string, each with the line that the string begins on. A string without an end is
    none."""
    marks = (*(_TRIPLE if language.triple_quotes else ()), *language.raw_quotes)
    signs = (*marks, "<<") if language.heredoc else marks
    marked = {row for sign in signs for row, line in enumerate(lines) if sign in line}
    marked.update(markers if marked else ())
    found: dict[int, int] = {}
    comment = (language.comment or ("", ""))[0]
    opened, start = "", 0
    for row in sorted(marked):
        line, at = lines[row], 0
        if row in markers:
            opened = ""
            continue
        if row in found:  # of a here-document
            continue
        if opened:
            end = _end(line, opened)
            if end < 0:
                continue
            found |= dict.fromkeys(range(start + 1, row + 1), start)
            at, opened = end, ""
        while (token := _tokens(language).search(line, at)) is not None:
            if token["comment"] == comment:
                break
            at = token.end()
            mark = token["mark"] or token["lone"]
            if token["end"]:
                found |= dict.fromkeys(_here_document(lines, row, token["end"], markers), row)
            elif mark in marks:
                end = _end(line, mark, at)
                if end < 0:
                    opened, start = mark, row
                    break
                at = end
    return found


@cache
def _tokens(language: Language) -> re.Pattern[str]:
    """What a line is read by: strings on one line, and what begins a longer one."""
    heredoc = language.heredoc.pattern if language.heredoc else r"(?P<end>(?!))"
    return re.compile(rf"{_TOKEN}|{heredoc}|(?P<lone>[\"'])")


def _end(line: str, mark: str, at: int = 0) -> int:
    """Where a string with this mark ends, one past it; -1 if not on this line."""
    if mark in _REST:
        rest = _REST[mark].match(line, at)
        return rest.end() if rest else -1
    found = line.find(mark, at)
    return found if found < 0 else found + len(mark)


def _here_document(lines: Sequence[str], row: int, end: str, markers: Collection[int]) -> range:
    """The lines of a text that begins below a line and reaches to one that says `end`."""
    below = (
        at for at in range(row + 1, len(lines)) if at in markers or lines[at].strip().rstrip(_BEHIND) == end
    )
    last = next(below, None)
    return range(row + 1, row + 1 if last is None or last in markers else last + 1)
