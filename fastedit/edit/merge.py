"""The predicted merge: what a sketch makes of the original by structure alone, and whether that leaves a doubt.

It is a draft for the model and a second opinion on its answer. Where no model is asked, it decides; so a reading that
another reader could dispute is told as a reason, and without reasons the prediction is unambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fastedit.edit.chunks import Chunk, chunks
from fastedit.edit.doubts import doubts
from fastedit.edit.hunks import Hunk, changed, changed_lines
from fastedit.edit.outline import (
    blank_lines,
    definition_at,
    head_of,
    indent_width,
    is_closer,
    stands_above,
)
from fastedit.edit.update import Alignment, Update


@dataclass(frozen=True, slots=True)
class Prediction:
    """The likely result. `origins` tells for each line which original line it copies byte for byte, if any; they rise.

    `reasons` are phrases that say why it may be wrong; it is `unambiguous` without any.
    """

    lines: tuple[str, ...]
    origins: tuple[int | None, ...]
    unambiguous: bool
    reasons: tuple[str, ...]

    def then(self, hunks: Sequence[Hunk], reasons: tuple[str, ...] = ()) -> Prediction:
        """What further hunks make of the predicted lines."""
        reasons = (*self.reasons, *reasons)
        origins = changed(self.origins, hunks, lambda hunk: [None] * len(hunk.lines))
        return Prediction(tuple(changed_lines(self.lines, hunks)), tuple(origins), not reasons, reasons)


def predict(lines: Sequence[str], update: Update, alignment: Alignment) -> Prediction:
    """Merge `update` into `lines` (both without line ends), placed as `alignment` says.

    What a marker stands for stays, and so does what precedes and follows the sketch. Between two lines that stand
    next to each other in the sketch nothing else remains. New lines next to a marker are insertions. A definition
    spelled out whole replaces the old one whole. What a comment said is gone is not kept. Trailing blanks that the
    sketch leaves out stay, unless it asks for nothing else.
    """
    found = chunks(lines, update, alignment)
    merged = _merged(lines, update, alignment, found, trimmed=False)
    if merged.lines == list(lines):
        merged = _merged(lines, update, alignment, found, trimmed=True)
    reasons = doubts(lines, update, alignment, found)
    return Prediction(tuple(merged.lines), tuple(merged.origins), not reasons, reasons)


def _merged(
    lines: Sequence[str], update: Update, alignment: Alignment, found: Sequence[Chunk], *, trimmed: bool
) -> _Merge:
    merged = _Merge(lines, update, alignment, trimmed)
    for chunk in found:
        merged.keep(chunk.low)
        merged.write(chunk)
    merged.keep(len(lines))
    merged.drop(update.gone_lines.difference(place for place in alignment.targets if place is not None))
    return merged


class _Merge:
    """The result as it grows. `_at` is the first original line that is neither kept nor dropped yet.

    `trimmed`: lines of the original end as the sketch shows them.
    """

    def __init__(self, lines: Sequence[str], update: Update, alignment: Alignment, trimmed: bool) -> None:
        self._original, self._sketch, self._targets = lines, update.lines, alignment.targets
        self._texts, self._trimmed = update.texts, trimmed
        self.lines: list[str] = []
        self.origins: list[int | None] = []
        self._at = 0

    def keep(self, stop: int) -> None:
        if stop > self._at:
            self.lines += self._original[self._at : stop]
            self.origins += range(self._at, stop)
            self._at = stop

    def drop(self, gone: frozenset[int]) -> None:
        if not gone:
            return
        left = [at for at, origin in enumerate(self.origins) if origin not in gone]
        self.lines, self.origins = [self.lines[at] for at in left], [self.origins[at] for at in left]

    def write(self, chunk: Chunk) -> None:
        """Put the chunk's lines; blank lines where it meets a marker are no more than the original's allow."""
        first, last = chunk.start, chunk.stop - 1
        while self._loose_blank(first):
            first += 1
        while self._loose_blank(last):
            last -= 1
        anchors = [index for index in range(first, last + 1) if self._targets[index] is not None]
        self._at = chunk.high
        squeezed = self._squeezed(first, anchors)
        tail = anchors[-1] + 1 if anchors else first
        for index in range(first, last + 1):
            if index == first and self._targets[first] is None:
                self._pad(max(first - chunk.start, self._wanted_before(first, last + 1, chunk.low)))
            elif index == tail and self._targets[tail] is None and self._sketch[tail].text.strip():
                self._pad(self._wanted_before(tail, last + 1, chunk.high))
            elif index in squeezed:
                self._pad(self._wanted_before(index, last + 1, chunk.high) or squeezed[index])
            self._put_line(index)
        if self._targets[last] is None:
            self._pad_behind(chunk.stop - 1 - last, self._wanted_behind(tail, last, chunk.high))

    def _squeezed(self, first: int, anchors: Sequence[int]) -> dict[int, int]:
        """Where a sketch shows a new definition without the blank lines that the original has above what follows it.

        It is short there and wants none of them gone. The first line of the definition, unless that is the chunk's, and
        the one behind it, with how many blank lines the original has.
        """
        found: dict[int, int] = {}
        for left, right in pairwise([first - 1, *anchors]):
            below, above = self._targets[right], self._targets[left] if left >= first else None
            assert below is not None
            gap = blank_lines(self._original, below - 1, -1)
            beside = (right - 1, right) if above is None else (left, left + 1, right - 1, right)
            shown = any(not self._sketch[index].text.strip() for index in beside)
            lost = above is not None and below - above - 1 > gap
            last = self._sketch[right - 1].text
            heads = stands_above(last)  # what follows, with nothing between
            if not gap or shown or lost or heads or self._definition_width(left + 1, right) is None:
                continue
            found[right] = gap
            if above is not None:
                found[left + 1] = gap
        return found

    def _loose_blank(self, index: int) -> bool:
        return self._targets[index] is None and not self._sketch[index].text.strip()

    def _put_line(self, index: int) -> None:
        text, place = self._sketch[index].text, self._targets[index]
        # The blanks of a blank line are not what a sketch is about, nor are trailing ones that it leaves out.
        told = self._trimmed or (bool(text.strip()) and text != text.rstrip())
        line = None if place is None else self._original[place]
        if line is not None and (line == text if told else line.rstrip() == text.rstrip()):
            self._put(line, place)
        else:
            self._put(text, None)

    def _put(self, text: str, origin: int | None) -> None:
        self.lines.append(text)
        self.origins.append(origin)

    def _pad(self, wanted: int) -> None:
        """Have at least `wanted` blank lines above, unless this is the beginning."""
        if self.lines:
            for _ in range(wanted - blank_lines(self.lines, len(self.lines) - 1, -1)):
                self._put("", None)

    def _pad_behind(self, shown: int, wanted: int) -> None:
        if self._at < len(self._original):
            for _ in range(max(shown, wanted) - blank_lines(self._original, self._at, 1)):
                self._put("", None)

    def _wanted_before(self, start: int, stop: int, place: int) -> int:
        """Blank lines that belong above new lines [start, stop) if they begin a definition among others."""
        width = self._definition_width(start, stop)
        above = next((line for line in reversed(self.lines) if line.strip()), None)
        if width is None or above is None or indent_width(above) < width:
            return 0
        return _separation(self._original, width, place)

    def _wanted_behind(self, start: int, last: int, place: int) -> int:
        width = self._definition_width(start, last + 1)
        below = next((line for line in self._original[place:] if line.strip()), None)
        if width is None or below is None or indent_width(below) < width or is_closer(below):
            return 0
        return _separation(self._original, width, place)

    def _definition_width(self, start: int, stop: int) -> int | None:
        """The indentation of the definition that new lines [start, stop) begin with, decorators and comments passed."""
        for index in range(start, stop):
            text = self._sketch[index].text
            if self._targets[index] is not None:
                return None
            if text.strip() and not stands_above(text):
                return indent_width(text) if definition_at(self._texts, index) else None
        return None


def _outward(place: int, count: int) -> Iterator[int]:
    """The numbers below `count` by their distance from `place`, the lower one first."""
    for step in range(max(place, count - place) + 1):
        if 0 <= place - step < count:
            yield place - step
        if step and 0 <= place + step < count:
            yield place + step


def _separation(lines: Sequence[str], width: int, place: int) -> int:
    """Blank lines above the definition of this indentation nearest to `place` that is not the first in its block."""
    for index in _outward(place, len(lines)):
        if definition_at(lines, index) is None or indent_width(lines[index]) != width:
            continue
        top = head_of(lines, index)
        blanks = blank_lines(lines, top - 1, -1)
        if top > blanks and indent_width(lines[top - blanks - 1]) >= width:
            return blanks
    return 0
