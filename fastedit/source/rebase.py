"""Hunks carried over to a file that changed meanwhile. Where both sides touch a place it is a conflict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, along_equal_lines, diff_lines


class Rebased(NamedTuple):
    """`hunks` fit the current document; `conflicts` are hunks of the base that could not be carried over."""

    hunks: tuple[Hunk, ...]
    conflicts: tuple[Hunk, ...]


class _Touched(NamedTuple):
    """Base lines that the other side may have changed, and by how much it moved the lines after them."""

    start: int
    stop: int
    shift: int
    hunk: Hunk


def rebase(hunks: Iterable[Hunk], base: Document, current: Document, *, adjoining: bool = False) -> Rebased:
    """Three-way: `hunks` apply to `base`, which has become `current`.

    A hunk that meets or touches a line changed on the other side is a conflict, unless both made the very
    same change, which then is done already. `adjoining` hunks, which only touch one, are carried over too, but for two
    additions at one place, of which none comes first.
    """
    theirs = [_touched(hunk, base.lines) for hunk in diff_lines(base.lines, current.lines)]
    moved: list[Hunk] = []
    conflicts: list[Hunk] = []
    for hunk in hunks:
        met = [other for other in theirs if _meet(hunk, other, adjoining)]
        if not met:
            shift = sum(other.shift for other in theirs if other.stop <= hunk.start)
            moved.append(Hunk(hunk.start + shift, hunk.stop + shift, hunk.lines))
        elif [other.hunk for other in met] != [hunk]:
            conflicts.append(hunk)
    return Rebased(tuple(moved), tuple(conflicts))


def _meet(hunk: Hunk, other: _Touched, adjoining: bool) -> bool:
    if not adjoining or hunk.start == hunk.stop == other.start == other.stop:
        return other.start <= hunk.stop and hunk.start <= other.stop
    return other.start < hunk.stop and hunk.start < other.stop


def _touched(hunk: Hunk, lines: Sequence[str]) -> _Touched:
    rows = along_equal_lines(hunk, lines)
    return _Touched(rows.start, rows.stop, len(hunk.lines) - (hunk.stop - hunk.start), hunk)
