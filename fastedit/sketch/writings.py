"""Which steps write a given text: where each sketch line may stand in it, and what each file line may do.

Blank lines are left out of it: they may stay, go and come as they like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]


class Change(NamedTuple):
    """Inked lines [start, stop) of the file become inked lines [first, last) of the text."""

    start: int
    stop: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Writings:
    """`stays`, `goes` [n]: what a file line may do. `matches` [m, n]: whether a sketch line may be a file line that
    stays. `places` [m, n + 1]: before which file line a sketch line may be written as a new one."""

    stays: Flags
    goes: Flags
    matches: Flags
    places: Flags


def writings(
    old: Sequence[str],
    text: Sequence[str],
    changes: Sequence[Change],
    sketch: Sequence[str],
    silent: Flags,
    says: Flags,
) -> Writings:
    """`old` and `sketch` are stripped lines, `text` inked ones. `silent` [m] may be written as nothing, and `says`
    [m, n] tells which sketch lines say what a file line says.

    A change that can as well be told some lines further up or down is allowed in all those ways.
    """
    rows = np.array([row for row, line in enumerate(old) if line], dtype=np.intp)
    inked = [old[row] for row in rows]
    at, low, high = (np.full(len(inked), -1, dtype=np.intp) for _ in range(3))
    stays, goes = np.ones(len(old), dtype=bool), np.ones(len(old), dtype=bool)
    goes[rows] = False
    keepable = np.ones(len(text), dtype=bool)
    slack = np.zeros((2, len(text)), dtype=np.intp)
    done = 0
    for number, (start, stop, first, last) in enumerate(changes):
        at[done:start] = np.arange(first - (start - done), first)
        done = stop
        least = changes[number - 1].stop if number else 0
        most = changes[number + 1].start if number + 1 < len(changes) else len(inked)
        keepable[first:last] = False
        stays[rows[start:stop]], goes[rows[start:stop]] = False, True
        if start == stop:
            up = _alike(inked[least:start][::-1], [*text[first:last][::-1], *text[:first][::-1]])
            down = _alike(inked[start:most], [*text[first:last], *text[last:]])
            keepable[max(last - up, first) : last] = keepable[first : min(first + down, last)] = True
            slack[0, first - up : last + down], slack[1, first - up : last + down] = down, up
            low[start - up : start], high[start : start + down] = last - first, last - first
        elif first == last:
            up = _alike(inked[least:start][::-1], inked[:stop][::-1])
            down = _alike(inked[stop:most], inked[start:])
            loose = rows[start - up : stop + down]
            stays[loose] = goes[loose] = True
            high[start - up : stop + down] = low[start - up : stop + down] = stop - start
    at[done:] = np.arange(len(text) - (len(inked) - done), len(text))
    may = _feasible(sketch, text, keepable, silent, says, rows, at)
    matches = np.zeros((len(sketch), len(old)), dtype=bool)
    where = np.array(
        [at, at + np.maximum(low, 0), at - np.maximum(high, 0), _twin(at, low, -1), _twin(at, high, 1)]
    )
    for places in where:
        known = (places >= 0) & (places < len(text))
        matches[:, rows[known]] |= may[:, places[known]]
    return Writings(stays, goes, matches & says, _spots(old, text, sketch, may, at, slack))


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many first items are equal."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _twin(at: NDArray[np.intp], size: NDArray[np.intp], way: int) -> NDArray[np.intp]:
    """Where the line stands that a line which went may be as well, so many lines before or behind it."""
    twin = np.arange(len(at)) + way * size
    known = (at < 0) & (size > 0) & (twin >= 0) & (twin < len(at))
    return np.where(known, at[np.where(known, twin, 0)], -1)


def _feasible(
    sketch: Sequence[str],
    text: Sequence[str],
    keepable: Flags,
    silent: Flags,
    says: Flags,
    rows: NDArray[np.intp],
    at: NDArray[np.intp],
) -> Flags:
    """Whether sketch line i may be line p of the text, on some way to write all of the text."""
    m, count = len(sketch), len(text)
    equal = np.zeros((m, count), dtype=bool)
    places: dict[str, list[int]] = {}
    for p, line in enumerate(text):
        places.setdefault(line, []).append(p)
    for i, line in enumerate(sketch):
        equal[i, places.get(line, [])] = True
    kept = at >= 0
    equal[:, at[kept]] |= says[:, rows[kept]]
    ahead = _reach(equal, keepable, silent | np.array([not line for line in sketch], dtype=bool))
    behind = _reach(
        equal[::-1, ::-1],
        keepable[::-1],
        (silent | np.array([not line for line in sketch], dtype=bool))[::-1],
    )
    return equal & ahead[:-1, :-1] & behind[::-1, ::-1][1:, 1:]


def _reach(equal: Flags, keepable: Flags, silent: Flags) -> Flags:
    """[m + 1, count + 1]: whether so many sketch lines can have written so many lines of the text."""
    m, count = equal.shape
    block = np.concatenate(([0], np.maximum.accumulate(np.where(keepable, 0, np.arange(1, count + 1)))))
    order = np.arange(count + 1)
    found = np.zeros((m + 1, count + 1), dtype=bool)
    begun = np.zeros(count + 1, dtype=bool)
    begun[0] = True
    for i in range(m + 1):
        last = np.maximum.accumulate(np.where(begun, order, -1))
        found[i] = (last >= 0) & (last >= block)
        if i < m:
            begun = np.zeros(count + 1, dtype=bool)
            begun[1:] = found[i, :-1] & equal[i]
            if silent[i]:
                begun |= found[i]
    return found


def _spots(
    old: Sequence[str],
    text: Sequence[str],
    sketch: Sequence[str],
    may: Flags,
    at: NDArray[np.intp],
    slack: NDArray[np.intp],
) -> Flags:
    """Between which kept lines each sketch line may be written as a new one; blank ones anywhere."""
    kept = np.zeros(len(text), dtype=bool)
    kept[at[at >= 0]] = True
    before = np.concatenate(([0], np.cumsum(kept)))  # kept lines before a line of the text
    ink = np.array([bool(line) for line in old], dtype=bool)
    gaps = np.concatenate(([0], np.cumsum(at >= 0)))[np.concatenate(([0], np.cumsum(ink)))]
    found = np.zeros((len(sketch), len(old) + 1), dtype=bool)
    for i, line in enumerate(sketch):
        if not line:
            found[i] = True
            continue
        for p in np.nonzero(may[i])[0].tolist():
            if text[p] == line and (not kept[p] or slack[:, p].any()):
                found[i] |= (gaps >= before[p] - slack[1, p]) & (gaps <= before[p] + slack[0, p])
    return found
