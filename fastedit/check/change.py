"""One change of one document, seen from both sides: what all rules look at."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple

from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, changed_lines
from fastedit.source.language import language_in
from fastedit.source.original import Original, original
from fastedit.source.stretch import Stretch, stretches
from fastedit.source.syntax import ByteSpan, ChangedSyntax, Syntax, parse
from fastedit.source.update import Update

# Who decided what the change is. An embedded model counts as a strong one. "literal" are hunks and whole files, which
# say themselves what goes where.
Author = Literal["merge", "literal", "strong"]
WORD = re.compile(r"[\w$]+")
_BEGIN, _END = "\n<", "\n>"  # no line is spelled so


class ChangedPart(NamedTuple):
    """A part of the file before and after. Each syntax counts its rows from the line at which it begins, and outside of
    the bytes `before` and `after` both have the same nodes."""

    old: Syntax
    new: Syntax
    before: ByteSpan
    after: ByteSpan
    old_start: int = 0
    new_start: int = 0

    def old_rows_of(self, name: str) -> Iterator[int]:
        """The lines of the file on which a name stands in this part, but not in comments and strings."""
        return (self.old_start + row for row in self.old.identifiers.get(name, ()))

    def new_rows_of(self, name: str) -> Iterator[int]:
        """The same, of the result."""
        return (self.new_start + row for row in self.new.identifiers.get(name, ()))


@dataclass(frozen=True, eq=False, repr=False)
class Change:
    """`hunks` are sorted, disjoint and within the document; `said` is the instruction that asks for them.

    `told_gone` are the old lines of which a comment of the update says that they go. `scope` is where a request lets a
    model change something, None for the whole file. `anew`: whole text was written, so that what went may have been
    forgotten. One that is not `complete` is a part of the change: whether a name is lost, the rest may tell.
    """

    document: Document
    hunks: Sequence[Hunk]
    said: str | None
    update: Update | None
    author: Author
    told_gone: frozenset[int] = frozenset()
    scope: LineRange | None = None
    anew: bool = False
    complete: bool = True

    @property
    def is_new(self) -> bool:
        """Whether the file had no text."""
        return not self.document.text.strip()

    @cached_property
    def language(self) -> str:
        """What the document is written in; of one that has no text yet, the result tells."""
        if self.is_new:
            return language_in(replace(self.document, text="\n".join(self.new)))
        return language_in(self.document)

    @cached_property
    def old(self) -> tuple[str, ...]:
        return self.document.lines

    @cached_property
    def new(self) -> tuple[str, ...]:
        """The lines of the result."""
        return tuple(changed_lines(self.old, self.hunks))

    @cached_property
    def new_rows(self) -> frozenset[int]:
        """The lines of the result that the hunks bring."""
        starts = zip(self.hunks, self.starts, strict=True)
        return frozenset(row for hunk, start in starts for row in range(start, start + len(hunk.lines)))

    def kept_rows_with(self, text: str) -> Iterator[int]:
        """The lines of the result that no hunk brings and that this text stands on."""
        stops = [hunk.stop for hunk in self.hunks]
        for row in self._original.rows_with(text):
            at = bisect_right(stops, row)
            if at == len(self.hunks) or row < self.hunks[at].start:
                above = self.hunks[at - 1] if at else None
                yield row if above is None else row - above.stop + self.starts[at - 1] + len(above.lines)

    @cached_property
    def _original(self) -> Original:
        found = original(self.old)
        old = (line for hunk in self.hunks for line in self.old[hunk.start : hunk.stop])
        found.places(map(str.strip, chain([""], old, *(hunk.lines for hunk in self.hunks))))  # in one pass
        return found

    def count_before(self, text: str) -> int:
        """On how many of the document's lines this stands alone, without leading and trailing blanks."""
        return self._original.count(text)

    def count_after(self, text: str) -> int:
        """On how many lines of the result."""
        return self.count_before(text) + self._gain[text]

    @cached_property
    def _gain(self) -> Counter[str]:
        """How many more of each stripped line there are in the result."""
        gain: Counter[str] = Counter()
        for hunk in self.hunks:
            gain.update(line.strip() for line in hunk.lines)
            gain.subtract(line.strip() for line in self.old[hunk.start : hunk.stop])
        return gain

    @cached_property
    def parts(self) -> tuple[ChangedPart, ...]:
        """The stretches of a long file that the hunks stand in: nothing that a parser could tell of the rest of it has
        changed. Else all of the file; nothing where the language has no grammar, or its parser does not get through."""
        return self.parts_with(())

    def parts_with(self, names: Iterable[str]) -> tuple[ChangedPart, ...]:
        """The same, and the stretches of all lines on which one of these names stands, be it within another word."""
        return tuple(part for part in self._parts_with(names) if not (part.old.unread or part.new.unread))

    @cached_property
    def parts_with_unread(self) -> tuple[ChangedPart, ...]:
        """The parts, and those that a parser does not get through."""
        return tuple(self._parts_with(()))

    def _parts_with(self, names: Iterable[str]) -> Sequence[ChangedPart]:
        spans = {(hunk.start, hunk.stop) for hunk in self.hunks}
        spans |= {(row, row + 1) for name in set(names) for row in self._original.rows_with(name)}
        found: list[ChangedPart] = []
        grown = 0
        for around in stretches(self.old, sorted(spans), self.language):
            if around not in self._parsed:
                self._parsed[around] = around.changed(self.hunks)
            new, before, after = self._parsed[around]
            found.append(ChangedPart(around.syntax, new, before, after, around.start, around.start + grown))
            grown += len(new.lines) - (around.stop - around.start)
        return found or self._whole

    @cached_property
    def _whole(self) -> tuple[ChangedPart, ...]:
        """All of the file; nothing where the language has no grammar."""
        old = parse(self.old, self.language)
        return () if old is None else (ChangedPart(old, *old.changed(self.hunks)),)

    @cached_property
    def _parsed(self) -> dict[Stretch, ChangedSyntax]:
        """What becomes of a stretch."""
        return {}

    def old_row(self, row: int) -> int | None:
        """The line of the file that a line of the result was; None for a new one."""
        at = bisect_right(self.starts, row) - 1
        if at < 0:
            return row
        kept = row - self.starts[at] - len(self.hunks[at].lines)
        return self.hunks[at].stop + kept if kept >= 0 else None

    def went_for(self, row: int) -> range:
        """The lines of the file in whose place a new line of the result is."""
        hunk = self.hunks[bisect_right(self.starts, row) - 1]
        return range(hunk.start, hunk.stop)

    def old_rows(self, rows: Iterable[int]) -> tuple[int, ...]:
        """The lines of the file that these lines of the result were, new ones left out."""
        return tuple(old for row in rows if (old := self.old_row(row)) is not None)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """For each hunk the first of its lines in the result."""
        found, shift = [], 0
        for hunk in self.hunks:
            found.append(hunk.start + shift)
            shift += len(hunk.lines) - (hunk.stop - hunk.start)
        return tuple(found)

    @cached_property
    def said_words(self) -> frozenset[str]:
        return frozenset(WORD.findall(self.said or ""))

    def removed(self, hunk: Hunk) -> list[str]:
        """The hunk's old lines that are not blank, without leading and trailing blanks; none that is told to go."""
        return non_blank([self.old[i] for i in range(hunk.start, hunk.stop) if i not in self.told_gone])

    def spelled_out(self, index: int) -> bool:
        """Whether the update shows hunk `index` with the lines before and after it, and no marker in between."""
        hunk, start = self.hunks[index], self.starts[index]
        above, below = range(start - 1, -1, -1), range(start + len(hunk.lines), len(self.new))
        before = next((text for line in above if (text := self.new[line].strip())), _BEGIN)
        after = next((text for line in below if (text := self.new[line].strip())), _END)
        wanted = [before, *non_blank(hunk.lines), after]
        # A rare line has few places where the others may stand around it.
        rare = min(range(len(wanted)), key=lambda i: len(self._shown.get(wanted[i], ())))
        places = (place - rare for place in self._shown.get(wanted[rare], ()))
        return any(at >= 0 and self._sketch[at : at + len(wanted)] == wanted for at in places)

    def asks_for(self, name: str) -> bool:
        """Whether the instruction speaks of `name`."""
        return not self.said_words.isdisjoint(WORD.findall(name)) or "unused" in self.said_words

    def leaves_out_line(self, line: int) -> bool:
        """Whether the update plainly leaves out this line of the original, or says that it goes."""
        return line in self.told_gone or any(
            hunk.start <= line < hunk.stop and self.spelled_out(index)
            for index, hunk in enumerate(self.hunks)
        )

    @cached_property
    def _sketch(self) -> list[str | None]:
        """The update's lines that are not blank, None for a marker, between a beginning and an end."""
        lines = self.update.lines if self.update is not None else ()
        non_blank = (None if line.marker else line.text.strip() for line in lines)
        return [_BEGIN, *(text for text in non_blank if text != ""), _END]

    @cached_property
    def _shown(self) -> dict[str | None, list[int]]:
        """Where each of the update's lines stands in `_sketch`."""
        places: dict[str | None, list[int]] = {}
        for index, text in enumerate(self._sketch):
            places.setdefault(text, []).append(index)
        return places


def non_blank(lines: Sequence[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip()]


def short(text: str) -> str:
    """Code as a reason or an error quotes it."""
    text = text.strip()
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"
