"""Which steps write a given text: where each sketch line may stand in it, and what each file line may do.

Blank lines are left out of it: they may stay, go and come as they like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastedit.sketch.paths.weights import Features
from fastedit.sketch.read.reading import BLANK, Outline
from fastedit.sketch.text.merge import Writer

Flags = NDArray[np.bool_]


class LineChange(NamedTuple):
    """Inked lines [start, stop) of the file become inked lines [first, last) of the text."""

    start: int
    stop: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Writings:
    """`stays`, `goes` [n]: what a file line may do. `matches` [m, n]: whether a sketch line may be a file line that
    stays. `places` [m, n + 1]: before which file line a sketch line may be written as a new one. `unsaid` [m]: whether
    it may be written as nothing."""

    stays: Flags
    goes: Flags
    matches: Flags
    places: Flags
    unsaid: Flags


@dataclass(frozen=True, slots=True)
class StepFlags:
    """The steps of an alignment that write one text, as flags in the shapes of `Scores`; `silent` [m] tells whether a
    sketch line may be a marker or a note."""

    match: Any
    new: Any
    gone: Any
    keep: Any
    stay: Any
    silent: Any

    def squeezed(self, places: Any) -> StepFlags:
        """The steps between these places alone, as `lattice.squeezed` has their scores."""
        starts = places[:-1]
        return StepFlags(
            match=self.match[:, places],
            new=self.new[:, places],
            gone=np.logical_and.reduceat(self.gone, starts),
            keep=np.logical_and.reduceat(self.keep, starts, axis=1),
            stay=np.logical_and.reduceat(self.stay, starts),
            silent=self.silent,
        )


def steps_that_write(
    text: Sequence[str],
    changes: Sequence[LineChange],
    file: Outline,
    sketch: Outline,
    features: Features,
    says: Flags,
    moved: Flags,
    moving: Any,
) -> StepFlags:
    """The steps that write these inked, stripped lines, blank ones aside.

    `says` [m, n] tells which sketch lines say what a file line says. `moved` [n] are lines that stay at another depth;
    only a marker keeps them whose lines move in, and no others: `moving` [m] is 1 for such a marker, 0 for another,
    and 0.5 where it may be either.
    """
    m, n = features.shape
    silent = features.may_mark | features.may_note
    blank = file.inks == BLANK
    written = writings(blank, text, changes, sketch.stripped, silent, says)
    # A changed line is written where the old one went.
    changed = ~says & written.goes[None, :] & (written.places[:, :-1] | written.places[:, 1:])
    match = np.zeros((m, n + 1), dtype=bool)
    match[:, :n] = written.matches | changed | blank[None, :]
    there = (moving[:, None] == moved[None, :]) | (moving[:, None] == 0.5) | blank[None, :]
    return StepFlags(
        match=match,
        new=written.places,
        gone=written.goes,
        keep=written.stays[None, :] & there,
        stay=written.stays & ~moved,
        silent=written.unsaid,
    )


def said(writer: Writer, features: Features) -> Flags:
    """[m, n]: which sketch lines say what a file line says, indentation aside."""
    found = np.zeros(features.shape, dtype=bool)
    for i, j in zip(*(indices.tolist() for indices in features.pairs), strict=True):
        found[i, j] = writer.stays(i, j)
    return found


def writings(
    blank: Flags,
    text: Sequence[str],
    changes: Sequence[LineChange],
    sketch: Sequence[str],
    silent: Flags,
    says: Flags,
) -> Writings:
    """`text` are stripped lines with ink, `sketch` stripped ones. `blank` [n] are the file lines without ink, `silent`
    [m] may be written as nothing, and `says` [m, n] tells which sketch lines say what a file line says.

    A change that can as well be told some lines further up or down counts where it is told alone: to allow for both
    would allow for neither, or for both at once, which are other texts.
    """
    rows = np.nonzero(~blank)[0]
    at = np.full(len(rows), -1, dtype=np.intp)
    stays, goes = np.ones(len(blank), dtype=bool), blank.copy()
    keepable = np.ones(len(text), dtype=bool)
    done = 0
    for start, stop, first, last in changes:
        at[done:start] = np.arange(first - (start - done), first)
        done = stop
        keepable[first:last] = False
        stays[rows[start:stop]], goes[rows[start:stop]] = False, True
    at[done:] = np.arange(len(text) - (len(rows) - done), len(text))
    may, unsaid = _feasible(sketch, text, keepable, silent, says, rows, at)
    matches = np.zeros((len(sketch), len(blank)), dtype=bool)
    kept = at >= 0
    matches[:, rows[kept]] = may[:, at[kept]]
    return Writings(stays, goes, matches & says, _spots(blank, text, sketch, may, at), unsaid)


def _feasible(
    sketch: Sequence[str],
    text: Sequence[str],
    keepable: Flags,
    silent: Flags,
    says: Flags,
    rows: NDArray[np.intp],
    at: NDArray[np.intp],
) -> tuple[Flags, Flags]:
    """Whether sketch line i may be line p of the text, and whether it may be written as nothing, on some way to write
    all of the text."""
    m, count = len(sketch), len(text)
    equal = np.zeros((m, count), dtype=bool)
    places: dict[str, list[int]] = {}
    shown = set(sketch)
    for p in compress(range(count), map(shown.__contains__, text)):
        places.setdefault(text[p], []).append(p)
    for i, line in enumerate(sketch):
        equal[i, places.get(line, [])] = True
    kept = at >= 0
    equal[:, at[kept]] |= says[:, rows[kept]]
    unsaid = silent | np.array([not line for line in sketch], dtype=bool)
    # Lines that stay and that the sketch does not show are passed over: most of a long text.
    told = np.nonzero(equal.any(axis=0) | ~keepable)[0]
    among = equal[:, told]
    ahead = _reach(among, keepable[told], unsaid)
    behind = _reach(among[::-1, ::-1], keepable[told][::-1], unsaid[::-1])
    back = behind[::-1, ::-1]
    equal[:, told] = among & ahead[:-1, :-1] & back[1:, 1:]
    return equal, unsaid & (ahead[:-1] & back[1:]).any(axis=1)


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
    blank: Flags,
    text: Sequence[str],
    sketch: Sequence[str],
    may: Flags,
    at: NDArray[np.intp],
) -> Flags:
    """Between which kept lines each sketch line may be written as a new one; blank ones anywhere."""
    kept = np.zeros(len(text), dtype=bool)
    kept[at[at >= 0]] = True
    before = np.concatenate(([0], np.cumsum(kept)))  # kept lines before a line of the text
    gaps = np.concatenate(([0], np.cumsum(at >= 0)))[np.concatenate(([0], np.cumsum(~blank)))]
    found = np.zeros((len(sketch), len(blank) + 1), dtype=bool)
    for i, line in enumerate(sketch):
        if not line:
            found[i] = True
            continue
        for p in np.nonzero(may[i])[0].tolist():
            if text[p] == line and not kept[p]:
                found[i] |= gaps == before[p]
    return found
