"""Chooses among several places of a hunk by what else its format tells."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf

from fastedit.formats.base import Replacement
from fastedit.formats.resolution.ladder import HunkPlace, Match, head_of
from fastedit.formats.resolution.scopes import TextScopes
from fastedit.formats.text.views import ViewedText


def settle(text: ViewedText, matches: Mapping[int, Match], count: int) -> dict[int, HunkPlace]:
    """The place of each hunk that has one, or that some evidence leaves one.

    Hunks have numbers from 1 to `count` in the author's order.
    """
    settling = _Settling(text, matches, count)
    settling.by_place()
    settling.by_evidence()
    settling.by_order()
    settling.by_number()
    settling.by_line()
    return settling.settled


class _Settling:
    def __init__(self, text: ViewedText, matches: Mapping[int, Match], count: int) -> None:
        self.settled: dict[int, HunkPlace] = {}
        self._text = text
        self._matches = matches
        self._scopes = TextScopes(text)
        self._anchors = _Anchors(text, count)
        self._equal: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for number, match in matches.items():
            self._equal[match.hunk.old, match.hunk.new].append(number)

    def by_place(self) -> None:
        """Hunks that have one place."""
        for number, match in self._matches.items():
            if len(match.places) == 1:
                self._put(number, match.places[0])

    def by_evidence(self) -> None:
        """Hunks that some evidence leaves one place; each of them is evidence for others."""
        waiting: list[int] = []
        left = [number for number in self._matches if number not in self.settled]
        while len(left) != len(waiting):
            waiting = left
            left = [number for number in waiting if not self._choose(number)]

    def by_order(self) -> None:
        """Hunks that have one place where all of them stand in the order of the file. Blocks need no order, but those
        that share an old text and take all of its places go from the first to the last."""
        numbers = [number for number, match in self._matches.items() if match.hunk.whole_lines]
        places = {number: self._left(number) for number in numbers}
        shared = Counter(places.values())
        hunks = [(number, places[number]) for number in numbers]
        first, last = _in_order(hunks), _in_order(hunks, from_end=True)
        for number in numbers:
            told = self._matches[number].hunk.in_order or shared[places[number]] == len(places[number])
            if number not in self.settled and told and first and last and first[number] == last[number]:
                self._put(number, first[number])

    def _left(self, number: int) -> tuple[HunkPlace, ...]:
        return (self.settled[number],) if number in self.settled else tuple(self._free(number))

    def by_number(self) -> None:
        """Equal hunks that are as many as the places left to them: whichever takes which, the text is the same."""
        for numbers in self._equal.values():
            waiting = [number for number in numbers if number not in self.settled]
            free = self._free(waiting[0]) if waiting else []
            # Scopes may leave equal hunks different places.
            alike = len(waiting) == len(free) and all(self._free(number) == free for number in waiting)
            if alike and all(one.stop <= other.start for one, other in pairwise(free)):
                for number, place in zip(waiting, free, strict=True):
                    self._put(number, place)

    def by_line(self) -> None:
        """Insertions that have nothing but their line."""
        for number, match in self._matches.items():
            row = None if match.places else self._row(match.hunk)
            if row is not None and 0 <= row <= len(self._text.lines):
                self.settled[number] = head_of(self._text, row)

    def _choose(self, number: int) -> bool:
        places = self._free(number)
        for left in self._evidence(number, places) if places else ():
            if len(left) == 1:
                self._put(number, left[0])
                return True
        return False

    def _evidence(self, number: int, places: Sequence[HunkPlace]) -> Iterator[Sequence[HunkPlace]]:
        """What each kind of evidence leaves of the places, the strongest kind first."""
        text, hunk = self._text, self._matches[number].hunk
        row = self._row(hunk)
        at_line = [place for place in places if text.row(place.start) == row]
        if hunk.tag:
            yield at_line
        if hunk.at_end:
            yield [place for place in places if text.only_blanks_from(place.stop)]
        if hunk.scopes:
            yield self._scopes.places_in(hunk.scopes, places)
        if hunk.whole_lines and (bounds := self._anchors.bounds(number, both=not hunk.in_order)):
            yield [place for place in places if bounds[0] <= place.start and place.stop <= bounds[1]]
        yield at_line

    def _row(self, hunk: Replacement) -> int | None:
        """The row of a hunk's line, where the file is the one that its author read or other hunks confirm it."""
        if hunk.line is None:
            return None
        return hunk.line - 1 if hunk.tag else self._anchors.row(hunk.line)

    def _free(self, number: int) -> list[HunkPlace]:
        """The hunk's places but those of equal hunks."""
        match = self._matches[number]
        equal = self._equal[match.hunk.old, match.hunk.new]
        taken = {self.settled[other] for other in equal if other in self.settled}
        return [place for place in match.places if place not in taken]

    def _put(self, number: int, place: HunkPlace) -> None:
        self.settled[number] = place
        self._anchors.add(number, self._matches[number].hunk, place)


def _in_order(
    hunks: Sequence[tuple[int, Sequence[HunkPlace]]], *, from_end: bool = False
) -> dict[int, HunkPlace] | None:
    """The first place of each hunk by its number where none begins before the end of the one before; `from_end` the
    last one of each where none ends behind the beginning of the one after."""
    found: dict[int, HunkPlace] = {}
    above, below = 0.0, inf  # what is taken
    for number, places in reversed(hunks) if from_end else hunks:
        fitting = (
            each
            for each in (reversed(places) if from_end else places)
            if above <= each.start and each.stop <= below
        )
        place = next(fitting, None)
        if place is None:
            return None
        found[number] = place
        above, below = (above, place.start) if from_end else (place.stop, below)
    return found


class _Anchors:
    """The hunks whose place is known."""

    def __init__(self, text: ViewedText, count: int) -> None:
        self._text = text
        self._in_order: list[HunkPlace | None] = [None] * (count + 1)  # of whole lines, by the hunks' numbers
        self._rise: bool | None = None
        self._rows: list[int] = []  # of hunks that name a line
        self._offsets: set[int] = set()  # by how many rows they stand below it

    def add(self, number: int, hunk: Replacement, place: HunkPlace) -> None:
        if hunk.whole_lines:
            self._in_order[number] = place
            self._rise = None
        if hunk.line is not None:
            self._rows.append(self._text.row(place.start))
            self._offsets.add(self._rows[-1] - (hunk.line - 1))

    def bounds(self, number: int, *, both: bool) -> tuple[int, int] | None:
        """Between which characters a hunk stands if the hunks stand in order; None if they do not, or if `both` the
        hunk before it and the one after it are needed, and there are none.

        Only hunks of whole lines are written in the order of the file.
        """
        if self._rise is None:
            starts = [place.start for place in self._in_order if place]
            self._rise = bool(starts) and all(one <= other for one, other in pairwise(starts))
        if not self._rise:
            return None
        above = next(filter(None, self._in_order[number - 1 :: -1]), None)
        below = next(filter(None, self._in_order[number + 1 :]), None)
        if both and not (above and below):
            return None
        return above.stop if above else 0, below.start if below else len(self._text.whole)

    def row(self, line: int) -> int | None:
        """The row of a named line, if all hunks stand equally far from theirs, some above that row and some below."""
        if len(self._offsets) != 1:
            return None
        row = line - 1 + min(self._offsets)
        return row if min(self._rows) < row <= max(self._rows) else None
