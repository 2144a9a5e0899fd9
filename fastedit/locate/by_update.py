"""Regions for an update: where the file differs from its sketch, each with its own part of the sketch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fastedit.edit.align import margin
from fastedit.edit.change import short
from fastedit.edit.chunks import Chunk, chunks
from fastedit.edit.outline import definition_at, is_bracket, is_decorator, parents
from fastedit.edit.removals import removal_note
from fastedit.edit.request import LineRange
from fastedit.edit.scoring import scorer, weight
from fastedit.edit.update import Alignment, Match, Update, UpdateLine
from fastedit.errors import AnchorNotFound
from fastedit.locate.filemap import FileMap
from fastedit.locate.region import Region
from fastedit.locate.windows import COMFORT, Window, windows

_WAY_OUT = "give a line of context that stands only there, --symbol or --lines"
_SURE_MARGIN = 0.3
_TIE = 0.05
_NEIGHBOURS = 4
_CUT = "# ... existing code ..."


@dataclass(frozen=True, slots=True)
class _Change:
    """Lines of the file that change or stand next to a change. `doubt` says why they may be the wrong ones."""

    lines: LineRange
    doubt: str | None


class UpdateLocator:
    """Finds the regions of one update within `scope`, to which `alignment` is relative."""

    def __init__(
        self, files: FileMap, update: Update, alignment: Alignment, scope: LineRange, limit: int
    ) -> None:
        self._files, self._update, self._alignment = files, update, alignment
        self._scope, self._limit = scope, limit
        self._lines = files.lines[scope.start : scope.stop]
        self._targets, self._kinds = alignment.targets, alignment.kinds
        self._scorer = scorer(self._lines, update.lines)
        self._chunks = chunks(self._lines, update, alignment)
        self._above = parents(
            [line.text for line in update.lines], {i for i, line in enumerate(update.lines) if line.marker}
        )

    def regions(self) -> tuple[Region, ...]:
        """Sorted and disjoint; none where the update changes nothing. Raises AnchorNotFound."""
        if not any(line.strip() for line in self._lines):
            return (self.whole(),)
        if not self._update.gone and not any(chunk.anchored or chunk.placed for chunk in self._chunks):
            raise AnchorNotFound(f"{self._files.name}: {self._nowhere()}; {_WAY_OUT}")
        changes = [change for chunk in self._chunks for change in self._changes(chunk)]
        changes += [_Change(lines, None) for lines in self._update.gone]
        cores = [self._absolute(change.lines) for change in changes]
        found = windows(self._files, cores, self._scope, self._limit)
        return tuple(self._region(window, changes) for window in found)

    def _nowhere(self) -> str:
        notes = (line.text for line in self._update.lines if removal_note(line.text) is not None)
        note = next(notes, None)
        if note is not None:
            return f"nothing, or more than one thing, that {short(note)} can mean stands in it"
        return "no line of the update stands in it"

    def whole(self) -> Region:
        """The whole scope as one region with the whole update."""
        reason = "whole file" if len(self._scope) == len(self._files.lines) else "as requested"
        return Region(self._scope.start, self._scope.stop, self._update, self._alignment, reason, True)

    def _absolute(self, lines: LineRange) -> LineRange:
        return LineRange(lines.start + self._scope.start, lines.stop + self._scope.start)

    def _changes(self, chunk: Chunk) -> Iterator[_Change]:
        if not chunk.anchored:
            yield self._insertion(chunk)
            return
        spans = list(self._spans(chunk))
        if not spans:
            return
        doubt = self._doubt(chunk)
        if chunk.high - chunk.low <= COMFORT or chunk.dropped:
            low, high = min(span.start for span in spans), max(span.stop for span in spans)
            spans = [LineRange(min(low, chunk.low), max(high, chunk.high))]
        yield from (_Change(span, doubt) for span in spans)

    def _insertion(self, chunk: Chunk) -> _Change:
        """New lines that share none with the file: before the place, or all lines among which they may land."""
        before = max((other.high for other in self._chunks if other.start < chunk.start), default=0)
        after = min(
            (other.low for other in self._chunks if other.start > chunk.start), default=len(self._lines)
        )
        if chunk.placed:
            at = max(chunk.low, 1)
            return _Change(LineRange(at - 1, at), None)
        if 0 < after - before <= COMFORT:
            return _Change(LineRange(max(before - 1, 0), min(after + 1, len(self._lines))), None)
        at = min(max(chunk.low, 1), len(self._lines))
        first = next(line.text.strip() for line in self._update.lines[chunk.start :] if line.text.strip())
        return _Change(LineRange(at - 1, at), f"nothing says where {short(first)} goes")

    def _spans(self, chunk: Chunk) -> Iterator[LineRange]:
        """The lines on both sides of each place where chunk and file differ; none where they are the same."""
        anchors = [(i, p) for i in range(chunk.start, chunk.stop) if (p := self._targets[i]) is not None]
        (first, low), (last, high) = anchors[0], anchors[-1]
        if self._inked(chunk.start, first) or self._differs(first):
            yield LineRange(max(low - self._beside(chunk.start, first), 0), low + 1)
        for (left, above), (right, below) in pairwise(anchors):
            if right - left > 1 or below - above > 1 or self._differs(left) or self._differs(right):
                yield LineRange(above, below + 1)
        if chunk.high > high + 1 or self._inked(last + 1, chunk.stop) or self._differs(last):
            beyond = chunk.high + self._beside(last + 1, chunk.stop)
            yield LineRange(high, min(beyond, len(self._lines)))

    def _beside(self, start: int, stop: int) -> int:
        """How many lines past the anchor new lines [start, stop) next to a marker might be meant to replace."""
        new = [index for index in range(start, stop) if self._text(index).strip()]
        name = self._scorer.names[new[0]] if new else None
        if not new or is_decorator(self._text(new[0])) or (name and not self._scorer.defining(name)):
            return 0
        return min(len(new) + _NEIGHBOURS, COMFORT // 2)

    def _inked(self, start: int, stop: int) -> bool:
        return any(line.text.strip() for line in self._update.lines[start:stop])

    def _differs(self, index: int) -> bool:
        place = self._targets[index]
        return place is not None and self._update.lines[index].text.rstrip() != self._lines[place].rstrip()

    def _doubt(self, chunk: Chunk) -> str | None:
        """Why the chunk may belong elsewhere, None where it surely does not. Raises AnchorNotFound for a mere tie."""
        anchors = [i for i in range(chunk.start, chunk.stop) if self._targets[i] is not None]
        if any(self._unique(index) for index in anchors):
            return None
        inked = [index for index in anchors if self._text(index).strip()] or anchors
        best = max(inked, key=lambda i: (self._kinds[i] is not Match.SIMILAR, weight(self._text(i))))
        gap = margin(self._lines, self._update, self._alignment, best)
        if gap >= _SURE_MARGIN:
            return None
        text, places = self._text(best), self._scorer.equal(self._text(best))
        if gap < _TIE and len(places) > 1:
            numbers = ", ".join(str(place + self._scope.start + 1) for place in places[:5])
            more = f" and {len(places) - 5} more" if len(places) > 5 else ""
            raise AnchorNotFound(
                f"{self._files.name}: {short(text)} stands on lines {numbers}{more}, "
                f"and nothing in the update says which is meant; {_WAY_OUT}"
            )
        return f"{short(text)} may mean another place"

    def _unique(self, index: int) -> bool:
        """Whether this line of the sketch can only mean the line it is aligned to."""
        text, place = self._update.lines[index].text, self._targets[index]
        assert place is not None
        name = self._scorer.names[index]
        if name and name == definition_at(self._lines, place) and len(self._scorer.defining(name)) == 1:
            return True
        header = self._above[index]
        if is_bracket(text) and header is not None and (opener := self._targets[header]) is not None:
            return opener == self._scorer.parent(place) and self._unique(header)
        return self._kinds[index] is not Match.SIMILAR and weight(text) >= 1.0 and self._scorer.unique(text)

    def _text(self, index: int) -> str:
        return self._update.lines[index].text

    def _region(self, window: Window, changes: Sequence[_Change]) -> Region:
        inside = [change for change in changes if self._absolute(change.lines) in window.cores]
        doubts = [change.doubt for change in inside if change.doubt is not None]
        start, stop = window.lines.start - self._scope.start, window.lines.stop - self._scope.start
        update, alignment = self._cut(start, stop)
        last = next(reversed(chunks(self._lines[start:stop], update, alignment)), None)
        if last is not None and not last.anchored and last.low + start != self._chunks[-1].low < stop:
            # What opens the block that these new lines end is out of sight, so the region must end where they go.
            stop = max(self._chunks[-1].low, start)
        reason = f"{window.reason}: {doubts[0]}" if doubts else window.reason
        lines = self._absolute(LineRange(start, stop))
        return Region(lines.start, lines.stop, update, alignment, reason, not doubts)

    def _slice(self, first: int, stop: int) -> tuple[int, int]:
        """The lines of the sketch that stand for the file's lines `first` up to `stop`, and what is new there."""
        taken: list[int] = []
        for chunk in self._chunks:
            if not chunk.anchored:
                if first <= chunk.low <= stop:
                    taken += range(chunk.start, chunk.stop)
                continue
            anchors = [i for i in range(chunk.start, chunk.stop) if self._targets[i] is not None]
            inside = [i for i in anchors if first <= (self._targets[i] or 0) < stop]
            if inside:
                start = chunk.start if inside[0] == anchors[0] else inside[0]
                taken += range(start, chunk.stop if inside[-1] == anchors[-1] else inside[-1] + 1)
        return (min(taken), max(taken) + 1) if taken else (0, 0)

    def _cut(self, first: int, last: int) -> tuple[Update, Alignment]:
        """The part of the sketch for the file's lines [first, last), with a marker where there is more of it."""
        start, stop = self._slice(first, last)
        sketch = self._update.lines
        # The marker that stands there: its indentation tells whether the rest of a definition stays.
        before = [_marker(sketch[start - 1])] * (start > 0)
        after = [_marker(line) for line in sketch[stop : stop + 1]]
        targets = [None if place is None else place - first for place in self._targets[start:stop]]
        return (
            Update((*before, *sketch[start:stop], *after), self._update.within(first, last).gone),
            Alignment(
                (*[None] * len(before), *targets, *[None] * len(after)),
                (*[None] * len(before), *self._kinds[start:stop], *[None] * len(after)),
            ),
        )


def _marker(line: UpdateLine) -> UpdateLine:
    return line if line.marker else UpdateLine(_CUT, True)
