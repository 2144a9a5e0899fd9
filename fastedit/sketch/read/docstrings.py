"""Docstrings that a sketch abridges: three dots in quotes, or the first sentence with dots behind it, or dots behind
the quotes that open one of several lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fastedit.source.markers import looks_like_marker
from fastedit.source.outline import is_comment

_QUOTES = r"[rRuU]?(?P<mark>\"{3}|'{3})"
_OPENS = re.compile(_QUOTES)
_WHOLE = re.compile(
    rf"(?P<begins>{_QUOTES}.*?)\s*(?:\.{{3,}}|…|[(\[](?P<said>[^()\[\]]*)[)\]]\.?)\s*(?P=mark)"
)
_IN_HEAD = re.compile(r"[,(\[:]$|^[)\]]|^@")


def abridged(stripped: str) -> str | None:
    """What a docstring on one line begins with, quotes included, if it says that more follows; else None."""
    found = _WHOLE.fullmatch(stripped)
    if found is None or (found["said"] is not None and not looks_like_marker(f"# {found['said']} ...")):
        return None
    return found["begins"]


def opened(stripped: str) -> str | None:
    """The quotes that a docstring of several lines opens with, if its first line says nothing but that more follows."""
    found = _OPENS.match(stripped)
    return found["mark"] if found and looks_like_marker(stripped[found.end() :]) else None


def begun(first: str, mark: str) -> str:
    """The first line of a docstring, which may end on it, where another follows."""
    at = first.index(mark) + len(mark)
    return first[:at] + first[at:].removesuffix(mark)


def docstrings(lines: Sequence[str], heads: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """The lines, stripped, down to the first that says something, of the docstrings of the definitions that begin
    there; that of the file for -1."""
    for head in heads:
        for row, line in enumerate(map(str.strip, lines[head + 1 :]), head + 1):
            if _OPENS.fullmatch(line):
                yield line, lines[row + 1].strip() if row + 1 < len(lines) else ""
            elif _OPENS.match(line):
                yield (line,)
            elif not line or is_comment(line) or (head >= 0 and _IN_HEAD.search(line)):
                continue
            break
