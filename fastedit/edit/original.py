"""The lines of one file, and what an edit asks of them. Nothing is worked out before it is asked for.

What is asked for is worked out where it is asked for: the time of an edit is to follow its own size, not the file's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from itertools import compress, count, repeat
from operator import contains

from fastedit.edit.outline import opens_margin, parents, stands_above

_UNKNOWN = -1


class Original:
    """What is remembered of `lines`, which carry no line ends."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        self.lines = lines

    @cached_property
    def stripped(self) -> list[str]:
        """The lines without leading and trailing blanks."""
        return list(map(str.strip, self.lines))

    def count(self, text: str) -> int:
        """On how many lines this stripped text stands alone."""
        return len(self.places((text,))[text])

    def places(self, texts: Iterable[str]) -> dict[str, list[int]]:
        """Where each of these stripped texts stands as a line, rising.

        All that were not asked for before cost one pass over the file: ask for many at once.
        """
        asked = dict.fromkeys(texts)
        found: dict[str, list[int]] = {text: [] for text in asked if text not in self._places}
        if found:
            for place in compress(count(), map(found.__contains__, self.stripped)):
                found[self.stripped[place]].append(place)
            self._places |= found
        return {text: self._places[text] for text in asked}

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        return {}

    def holding(self, text: str) -> Iterator[int]:
        """The lines that hold this text, which has no blanks around it; rising."""
        return compress(count(), map(contains, self.stripped, repeat(text)))

    def parent(self, place: int) -> int | None:
        """The line that opens the block in which line `place` stands."""
        if self._parents[place] == _UNKNOWN:
            start, stop = self._part(place)
            self._parents[start:stop] = (
                None if above is None else above + start for above in parents(self.lines[start:stop])
            )
        return self._parents[place]

    def blocks(self, place: int) -> Iterator[int]:
        """The lines that open the blocks around line `place`, the nearest first."""
        around = self.parent(place)
        while around is not None:
            yield around
            around = self.parent(around)

    def headed(self, place: int) -> int | None:
        """The line right below the comments and decorators of which line `place` is one; None for other lines."""
        if place not in self._headed:
            below = place
            while below < len(self.lines) and stands_above(self.lines[below]):
                below += 1
            found = place < below < len(self.lines) and self.lines[below].strip()
            self._headed |= dict.fromkeys(range(place, max(below, place + 1)), below if found else None)
        return self._headed[place]

    @cached_property
    def _headed(self) -> dict[int, int | None]:
        return {}

    def within(self, place: int, headers: Container[int]) -> bool:
        """Whether one of `headers` opens a block around line `place`."""
        return any(around in headers for around in self.blocks(place))

    @cached_property
    def _parents(self) -> list[int | None]:
        return [_UNKNOWN] * len(self.lines)

    def _part(self, place: int) -> tuple[int, int]:
        """The lines around `place` whose blocks neither the lines above nor those below have a say in."""
        start, stop = place, place + 1
        while start > 0 and not opens_margin(self.lines[start]):
            start -= 1
        while stop < len(self.lines) and not opens_margin(self.lines[stop]):
            stop += 1
        return start, stop


_recent: deque[Original] = deque(maxlen=4)


def original(lines: tuple[str, ...]) -> Original:
    """Of these lines. Remembers the last few, since one edit asks several times.

    They are known by identity first: a hash of a long file's lines costs as much as many an answer.
    """
    for known in tuple(_recent):
        if known.lines is lines or known.lines == lines:
            return known
    made = Original(lines)
    _recent.append(made)
    return made
