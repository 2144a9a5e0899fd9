"""The blank lines of a merged text: the file's where nothing is touched, else what the sketch shows or the file does.

Sketches are careless about blank lines, next to markers above all, so no step of an alignment decides them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from fastedit.sketch.read.reading import Outline, is_import
from fastedit.source.outline import blank_lines, is_closer

_RUN = 8  # lines at the head of a run, one by one: what stands above a definition is among them


class NonBlankLine(NamedTuple):
    """A line with ink: its text, the file line that it is or takes the place of, the sketch line that shows it, and
    whether it is the file line byte for byte. With `stop` it stands for all file lines up to there, none of which the
    sketch shows."""

    text: str
    file: int | None
    sketch: int | None
    copied: bool = False
    stop: int | None = None

    @property
    def last(self) -> int | None:
        """The last file line that it is or takes the place of."""
        return self.file if self.stop is None else self.stop - 1


def rows_kept(file: Outline, rows: range) -> Iterator[NonBlankLine]:
    """File lines that stay, the inside of a long run as one item."""
    inked = file.inked[bisect_left(file.inked, rows.start) : bisect_left(file.inked, rows.stop)]
    head, tail = (inked[:_RUN], inked[-1:]) if len(inked) > 2 * _RUN else (inked, [])
    yield from (NonBlankLine(file.texts[row], row, None, True) for row in head)
    if tail:
        first = inked[_RUN]
        yield NonBlankLine(file.texts[first], first, None, True, inked[-2] + 1)
        yield NonBlankLine(file.texts[tail[0]], tail[0], None, True)


@dataclass(frozen=True, slots=True)
class TracedLines:
    """Lines of a text, for each the file line that it is byte for byte, and the one that it is in substance: the same,
    or one that it changes or moves in or out."""

    texts: list[str] = field(default_factory=list)
    origins: list[int | None] = field(default_factory=list)
    image_of: list[int | None] = field(default_factory=list)

    def put(self, text: str, origin: int | None = None, image_of: int | None = None) -> None:
        self.texts.append(text)
        self.origins.append(origin)
        self.image_of.append(image_of)


class Spacing:
    """Puts blank lines between the lines of a text."""

    def __init__(self, file: Outline, sketch: Outline, items: Sequence[NonBlankLine]) -> None:
        """`items` are all lines of the text that hold ink."""
        self._file, self._sketch, self._items = file, sketch, items
        self._text = Outline([item.text for item in items], language=file.language.name)
        self._parted: dict[int, int] = {}  # by item, the blank lines that were put above it
        self._behind = 0  # the first file line behind all that were put
        self._put = TracedLines()

    def lines(self) -> TracedLines:
        """All lines of the text."""
        if not self._items:
            self._copy(range(0 if any(self._file.stripped) else len(self._file.texts)))
            return self._put
        inked = max(self._file.inked, default=-1) + 1
        self._copy(range(self._gap_below(self._file, -1) if inked else 0))
        for at, item in enumerate(self._items):
            if at:
                above = len(self._put.texts)
                self._part(at)
                self._parted[at] = len(self._put.texts) - above
            if item.stop is not None and item.file is not None:
                self._copy(range(item.file, item.stop))
            else:
                self._behind = max(self._behind, (item.file or -1) + 1)
                self._put.put(item.text, item.file if item.copied else None, item.file)
        self._copy(range(inked, len(self._file.texts)))
        return self._put

    def _copy(self, rows: range) -> None:
        if rows:
            self._behind = rows.stop
            self._put.texts.extend(self._file.texts[rows.start : rows.stop])
            self._put.origins.extend(rows)
            self._put.image_of.extend(rows)

    def _part(self, at: int) -> None:
        """Puts the blank lines above item `at`."""
        one, other = self._items[at - 1], self._items[at]
        had, shown = self._adjacent(self._file, one.last, other.file), self._shown(one, other)
        if had is not None and (shown is None or not self._means(shown, had)):
            assert other.file is not None
            self._copy(range(other.file - had, other.file))
            return
        count = shown if shown is not None else max(self._unshown(one, other), self._left(at))
        if one.copied != other.copied:
            count = max(count, self._separation(at))
        self._blank(one, other, count)

    def _blank(self, one: NonBlankLine, other: NonBlankLine, count: int) -> None:
        """Puts so many blank lines, the file's own beside a line while there are some: they may hold form feeds."""
        below, above = self._gap_below(self._file, one.last), self._gap_above(self._file, other.file)
        if below and one.last is not None:
            free = range(one.last + 1, one.last + 1 + min(count, below))
        elif above and other.file is not None:
            free = range(max(other.file - min(count, above), self._behind), other.file)
        else:
            free = range(0)
        self._copy(free)
        for _ in range(count - len(free)):
            self._put.put("")

    def _adjacent(self, outline: Outline, above: int | None, below: int | None) -> int | None:
        """How many blank lines lie between two lines, None where something else does."""
        if above is None or below is None or above >= below:
            return None
        between = range(above + 1, below)
        return None if any(outline.stripped[row] for row in between) else len(between)

    def _shown(self, one: NonBlankLine, other: NonBlankLine) -> int | None:
        return self._adjacent(self._sketch, one.sketch, other.sketch)

    def _means(self, shown: int, had: int) -> bool:
        """Whether the sketch means the number of blank lines that it shows between two lines of the file."""
        return shown > had or (shown < had and self._careful)

    @cached_property
    def _careful(self) -> bool:
        """Whether the sketch shows blank lines between others. By it alone, so that it says the same a second time."""
        shown = pairwise(self._sketch.inked)
        return any(
            below - above > 1 and self._sketch.hidden.isdisjoint((above, below)) for above, below in shown
        )

    def _unshown(self, one: NonBlankLine, other: NonBlankLine) -> int:
        """Between two lines that neither stand next to each other in the file nor are shown so."""
        file = self._file
        above, below = self._gap_below(file, one.last), self._gap_above(file, other.file)
        if one.last is None or other.file is None:
            return min(self._beside(one, other), max(above, below, 1))
        # What stood between them is gone.
        return min(above, below) if is_closer(other.text) or file.opens(one.last) else max(above, below)

    def _beside(self, one: NonBlankLine, other: NonBlankLine) -> int:
        """How many blank lines the sketch shows on the side of two lines that it shows, where a marker is between."""
        if other.sketch is None:
            return self._gap_below(self._sketch, one.sketch)
        return self._gap_above(self._sketch, other.sketch)

    def _left(self, at: int) -> int:
        """Of the blank lines between two lines of the file that new ones come between, those that belong above item
        `at`: a marker says nothing of them, so they go where it is, below the new lines where it is on both sides, but
        for new imports that come to others. All stay that part a block, which the new lines end, from what is further
        out."""
        new = self._new_around(at)
        if new is None:
            return 0
        above, below = self._items[new.start - 1], self._items[new.stop]
        had = self._adjacent(self._file, above.last, below.file)
        if had is None:
            return 0
        if at == new.stop:
            if self._file.language.prose:  # where they part paragraphs
                return had
            ends = min(self._text.widths[new.start - 1 : new.stop]) > self._text.widths[new.stop]
            return had if ends and not is_closer(below.text) else max(had - self._parted[new.start], 0)
        if is_import(self._items[new.stop - 1].text) and is_import(below.text) and not is_import(above.text):
            return had
        shown = self._shown(self._items[new.stop - 1], below)
        return 0 if shown is None else max(had - shown, 0)

    def _new_around(self, at: int) -> range | None:
        """The run of new items that item `at` begins or comes right below, if lines of the file stand around it."""
        items = self._items
        start = stop = at
        while start and items[start - 1].file is None:
            start -= 1
        while stop < len(items) and items[stop].file is None:
            stop += 1
        return range(start, stop) if 0 < start < stop < len(items) else None

    def _gap_above(self, outline: Outline, row: int | None) -> int:
        return 0 if row is None else blank_lines(outline.stripped, row - 1, -1)

    def _gap_below(self, outline: Outline, row: int | None) -> int:
        return 0 if row is None else blank_lines(outline.stripped, row + 1, 1)

    def _separation(self, at: int) -> int:
        """Blank lines that belong above item `at` where it begins a definition among others: as many as in this file,
        or as the sketch shows where the file has no two at this depth."""
        text, above = self._text, at - 1
        separation = self._file.separations.get(text.widths[at])
        if separation is None:
            separation = self._beside(self._items[above], self._items[at])
        if not separation or text.opens(above) or text.widths[above] < text.widths[at] or not text.begins(at):
            return 0
        # A decorator may have several lines.
        first = text.parents[above] if is_closer(text.texts[above]) else above
        return 0 if first is not None and text.leads(first) else separation
