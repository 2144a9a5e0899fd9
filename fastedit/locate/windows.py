"""How much of the file goes with the lines that change: their definition where it is small, else some lines around."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fastedit.locate.filemap import FileMap
from fastedit.locate.region import Region
from fastedit.request import LineRange

COMFORT = 60  # lines that a small model rewrites well
_AROUND = 6  # lines on either side of a change that is not shown in a whole definition


def windows(files: FileMap, cores: Sequence[LineRange], scope: LineRange) -> tuple[Region, ...]:
    """Sorted disjoint regions within `scope` that hold all `cores`, the changing lines, few and small.

    A region is no longer than `COMFORT` lines unless one core is.
    """
    groups: list[list[LineRange]] = []
    for core in sorted(set(cores), key=lambda lines: (lines.start, lines.stop)):
        if groups and _together(files, groups[-1], core):
            groups[-1].append(core)
        else:
            groups.append([core])
    hulls = [LineRange(group[0].start, max(core.stop for core in group)) for group in groups]
    grown = [_grown(files, hull, scope) for hull in hulls]
    found = _disjoint(hulls, grown)
    return tuple(Region(lines.start, lines.stop, describe(files, lines), True) for lines in found)


def describe(files: FileMap, lines: LineRange) -> str:
    """A phrase for these lines: the definition that they are, else their numbers, counted from 1."""
    if lines.start == 0 and lines.stop == len(files.lines):
        return "whole file"
    around = files.enclosing(lines.start, lines.stop)
    if around is not None and (around.start, around.stop) == (lines.start, lines.stop):
        return f"{around.kind} {around.dotted}"
    numbers = f"lines {lines.start + 1}:{lines.stop}"
    return numbers if around is None else f"{numbers} in {around.kind} {around.dotted}"


def _together(files: FileMap, group: Sequence[LineRange], core: LineRange) -> bool:
    start, stop = group[0].start, max(item.stop for item in group)
    if core.start < stop:
        return True
    near = core.start - stop <= 2 * _AROUND
    around = files.enclosing(start, core.stop)
    small = around is not None and len(around) <= COMFORT
    return (near or small) and core.stop - start <= COMFORT


def _grown(files: FileMap, hull: LineRange, scope: LineRange) -> LineRange:
    definition = files.enclosing(hull.start, hull.stop)
    if definition is not None and len(definition) <= COMFORT:
        start, stop = definition.start, definition.stop
    else:
        room = max(0, COMFORT - len(hull))
        before = min(_AROUND, room // 2)
        start, stop = hull.start - before, hull.stop + min(_AROUND, room - before)
        if definition is not None:
            start, stop = max(start, definition.start), min(stop, definition.stop)
    start, stop = max(start, scope.start), min(stop, scope.stop)
    return LineRange(min(start, hull.start), max(stop, hull.stop))


def _disjoint(hulls: Sequence[LineRange], grown: Sequence[LineRange]) -> list[LineRange]:
    """Windows that overlap become one where that is not too long, else the later one gives way."""
    found: list[LineRange] = []
    for hull, lines in zip(hulls, grown, strict=True):
        if found and lines.start < found[-1].stop:
            last = found[-1]
            if lines.stop - last.start <= COMFORT or lines.stop <= last.stop:
                found[-1] = LineRange(last.start, max(last.stop, lines.stop))
                continue
            cut = min(last.stop, hull.start)
            found[-1] = LineRange(last.start, cut)
            lines = LineRange(max(lines.start, cut), lines.stop)
        found.append(lines)
    assert all(a.stop <= b.start for a, b in pairwise(found))
    return found
