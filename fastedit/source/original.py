"""The lines of one file, and what an edit asks of them.

Nothing is worked out before it is asked for: the time of an edit is to follow its own size, not the file's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import cached_property
from itertools import compress, count

from fastedit.source.lines import Lines


class Original(Lines):
    """What is remembered of `lines`, which carry no line ends."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        super().__init__(lines)
        self._places: dict[str, list[int]] = {}
        self._rows_with: dict[str, list[int]] = {}

    @cached_property
    def stripped(self) -> list[str]:
        """The lines without leading and trailing blanks."""
        return list(map(str.strip, self.lines))

    def count(self, text: str) -> int:
        """On how many lines this stripped text stands alone."""
        return len(self._places[text] if text in self._places else self.places((text,))[text])

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

    def rows_with(self, text: str) -> list[int]:
        """The lines that this text, which is not empty, stands on. Each reading of an update asks for much the same."""
        if text not in self._rows_with:
            self._rows_with[text] = self._find_rows(text)
        return self._rows_with[text]

    def _find_rows(self, text: str) -> list[int]:
        found: list[int] = []
        at = self.data.find(text.encode())
        while at >= 0:
            found.append(self.row(at))
            at = self.data.find(text.encode(), self.starts[found[-1] + 1])
        return found


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
