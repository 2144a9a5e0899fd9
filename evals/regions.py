"""Regions of a changed file: its hunks, gathered into pieces that are small enough to be one edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fastedit.request import LineRange
from fastedit.source.definitions import definitions
from fastedit.source.hunks import Hunk
from fastedit.source.syntax import Syntax, has_grammar

MOST = 120
CONTEXT = 8


@dataclass(slots=True)
class ChangedRegion:
    """Old lines `start` up to but not including `stop`, and the hunks inside."""

    start: int
    stop: int
    hunks: list[Hunk] = field(default_factory=list)

    @property
    def lines(self) -> int:
        """Lines before or after the change, whichever are more."""
        grown = sum(len(hunk.lines) - (hunk.stop - hunk.start) for hunk in self.hunks)
        return max(self.stop - self.start, self.stop - self.start + grown)


def changed_regions(
    count: int, hunks: Sequence[Hunk], places: Sequence[LineRange], most: int = MOST
) -> tuple[list[ChangedRegion], int]:
    """Disjoint regions of at most `most` lines of a file of `count`, and how many hunks fit in none.

    A hunk's region is the smallest definition around it, or some lines of context where none fits.
    """
    regions: list[ChangedRegion] = []
    floor = unusable = 0
    for hunk in hunks:
        region = _home(hunk, count, places, most)
        if region is None:
            unusable += 1
            floor = hunk.stop
            if regions:
                regions[-1].stop = min(regions[-1].stop, hunk.start)
            continue
        last = regions[-1] if regions else None
        if last is not None and region.start < last.stop:
            both = ChangedRegion(last.start, max(last.stop, region.stop), [*last.hunks, hunk])
            if both.lines <= most:
                regions[-1] = both
                continue
            last.stop = min(last.stop, hunk.start)
            region.start = max(region.start, last.stop)
        region.start = max(region.start, floor)
        regions.append(region)
    return regions, unusable


def _home(hunk: Hunk, count: int, places: Sequence[LineRange], most: int) -> ChangedRegion | None:
    around = [place for place in places if _inside(hunk, place)]
    if around:
        place = min(around, key=len)
        region = ChangedRegion(place.start, place.stop, [hunk])
        if region.lines <= most:
            return region
    bare = ChangedRegion(hunk.start, hunk.stop, [hunk])
    if bare.lines > most:
        return None
    room = min(CONTEXT, (most - bare.lines) // 2)
    return ChangedRegion(max(0, hunk.start - room), min(count, hunk.stop + room), [hunk])


def _inside(hunk: Hunk, place: LineRange) -> bool:
    if hunk.start == hunk.stop:
        return place.start < hunk.start < place.stop
    return place.start <= hunk.start and hunk.stop <= place.stop


def definitions_in(lines: Sequence[str], language: str) -> list[LineRange]:
    """Functions, classes and the like, with what is attached to them; none where there is no grammar."""
    if not has_grammar(language):
        return []
    return [LineRange(found.start, found.stop) for found in definitions(Syntax(lines, language))]
