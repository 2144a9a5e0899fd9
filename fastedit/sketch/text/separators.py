"""Commas between the entries of a list, where others come, go or change places at its end: part of the list's syntax,
not of what an update shows."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

import numpy as np

from fastedit.sketch.read.reading import Outline
from fastedit.source.outline import indent_width, is_closer, is_comment, without_comment

_ENDS_ENTRY = re.compile(r"[\w\"'`)\]}]$")
_BEGINS_ENTRY = re.compile(r"[\w\"'`(\[{@*$.-]")


def separated(
    file: Outline, lines: Sequence[str], origins: Sequence[int | None]
) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    """The lines of a text, each with the line of the file that it is byte for byte, where entries of lists that were
    not next to each other in the file are separated as the file separates entries."""
    texts, sources = list(lines), list(origins)
    stay = frozenset(origins)
    for above, below in _met(lines, origins):
        wanted = _ended(file, texts[above], texts[below], origins[above], stay)
        if wanted != texts[above]:
            texts[above], sources[above] = wanted, None
    return tuple(texts), tuple(sources)


def _met(lines: Sequence[str], origins: Sequence[int | None]) -> Iterator[tuple[int, int]]:
    """Lines of code next to each other that are not so in the file, each pair once."""
    done = 0  # what stands above has been gone over
    parted = np.nonzero(np.diff(np.array(origins, dtype=float)) != 1)[0].tolist()  # None is no number
    for row in parted:
        if row < done:
            continue
        above = next((at for at in range(row, -1, -1) if _is_code(lines[at])), None)
        below = next((at for at in range(row + 1, len(lines)) if _is_code(lines[at])), None)
        if below is None:
            return
        if above is not None:
            yield above, below
        done = below


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not is_comment(line)


def _ended(file: Outline, line: str, below: str, origin: int | None, stay: Container[int | None]) -> str:
    """The line with the comma that it needs before the one below, and without one that it may not have there."""
    if is_closer(below):
        return line[:-1] if not file.language.ends_lists and line.endswith(",") else line
    told = without_comment(line) == line and _ENDS_ENTRY.search(line) is not None
    if not told or not _BEGINS_ENTRY.match(below.lstrip()):
        return line
    needed = not file.language.ends_lists or (origin is not None and _ended_a_list(file, origin, below, stay))
    return f"{line}," if needed else line


def _ended_a_list(file: Outline, row: int, below: str, stay: Container[int | None]) -> bool:
    """Whether the line ends the last entry of a list in brackets whose other entries end with commas, some of which
    stay, and the one below stands where entries do."""
    closer = next((at for at in range(row + 1, len(file.texts)) if file.stripped[at]), None)
    opener = None if closer is None else file.parents[closer]
    if closer is None or opener is None or file.stripped[closer][0] not in ")]}":
        return False
    inside = [at for at in range(opener + 1, closer) if _is_code(file.texts[at])]
    width = file.widths[inside[0]] if inside else None
    if width != indent_width(below):
        return False
    ends = [
        one
        for one, other in pairwise(inside)
        if file.widths[other] == width and not is_closer(file.texts[other])
    ]
    return any(at in stay for at in ends) and all(file.stripped[at].endswith(",") for at in ends)
