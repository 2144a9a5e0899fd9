"""The text that a path writes: what stays byte for byte, what is new at the depth of what stands around it."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.inline import Inline, inline_marker
from fastedit.sketch.read.reading import BARE, BLANK, FULL, Outline
from fastedit.sketch.text.blanks import NonBlankLine, Spacing, rows_kept
from fastedit.sketch.text.separators import separated
from fastedit.source.outline import indentation


class MergedText(NamedTuple):
    """Lines with the file line that each is byte for byte, None where it is new or was moved in or out.

    `laid` are the lines without the commas that the list around them needs. `image_of` is the file line that each is in
    substance, changed and moved ones included. `sketch` are the sketch's
    own lines at the depth that they have here, `moved` the file lines that stay at another depth, and `moving` tells of
    each marker whether what it keeps moves.
    """

    lines: tuple[str, ...]
    origins: tuple[int | None, ...]
    laid: tuple[str, ...]
    image_of: tuple[int | None, ...]
    sketch: tuple[str, ...]
    moved: tuple[int, ...]
    moving: Mapping[int, bool]


class _Vote(NamedTuple):
    weak: bool
    width: int
    shift: Shift


class Writer:
    """Writes paths of one sketch and one file."""

    def __init__(self, file: Outline, sketch: Outline) -> None:
        self._file, self._sketch = file, sketch
        self._votes: dict[tuple[int, int, int], _Vote | None] = {}
        self._numbers: dict[str, int] = {}
        self._texts: dict[tuple[PathStep, ...], MergedText] = {}

    def write(self, path: Sequence[PathStep]) -> MergedText:
        """The text of a path. It is asked for twice: to sum all paths that write it, and to look at it."""
        key = tuple(path)
        if key not in self._texts:
            self._texts[key] = self._write(path)
        return self._texts[key]

    def _write(self, path: Sequence[PathStep]) -> MergedText:
        file, sketch = self._file, self._sketch
        shifts = self._shifts(path)
        under = self._under(path, shifts)
        items = list(self._items(path, shifts, under))
        inked = [item for item in items if item.text.strip()]
        put = Spacing(file, sketch, inked).lines()
        lines, origins = separated(file, put.texts, put.origins)
        return MergedText(
            lines=lines,
            origins=origins,
            laid=tuple(put.texts),
            image_of=tuple(put.image_of),
            sketch=tuple(shift.on(text) for shift, text in zip(shifts, sketch.texts, strict=True)),
            moved=tuple(item.file for item in items if item.file is not None and self._moves(item)),
            moving={marker: bool(shift) for marker, shift in under.items()},
        )

    def identity(self, path: Sequence[PathStep]) -> int:
        """A number that is the same for all paths whose texts have the same lines with ink, and hardly ever for
        others."""
        shifts = self._shifts(path)
        numbers, above = self._numbered
        found = array("q")
        for item in self._items(path, shifts, self._under(path, shifts)):
            if item.stop is not None and item.file is not None:
                found += numbers[above[item.file] : above[item.stop]]
            elif item.text.strip():
                found.append(self._number(item.text))
        return hash(found.tobytes())

    def _number(self, text: str) -> int:
        """The same for lines that are the same."""
        return self._numbers.setdefault(text, len(self._numbers))

    @cached_property
    def _numbered(self) -> tuple[array[int], list[int]]:
        """The numbers of the file's lines with ink, and how many of them stand above each line and the end."""
        file = self._file
        above = [0, *accumulate(map(bool, file.stripped))]
        return array("q", [self._number(file.texts[row]) for row in file.inked]), above

    def _moves(self, item: NonBlankLine) -> bool:
        """Whether it is its file line at another depth."""
        return (
            not item.copied and item.file is not None and item.text.strip() == self._file.stripped[item.file]
        )

    def _under(self, path: Sequence[PathStep], shifts: Sequence[Shift]) -> dict[int, Shift | None]:
        """By marker, how the lines that it keeps move."""
        return {
            step.sketch: self._moved_by(path, at, shifts)
            for at, step in enumerate(path)
            if step.layer is Layer.MARK and step.sketch is not None
        }

    def _items(
        self, path: Sequence[PathStep], shifts: Sequence[Shift], under: Mapping[int, Shift | None]
    ) -> Iterator[NonBlankLine]:
        """The lines of the text."""
        file, sketch = self._file, self._sketch
        shift: Shift | None = None  # of the lines kept under the last marker
        for step in path:
            if step.layer is Layer.MARK and step.sketch is not None:
                shift = under[step.sketch]
            elif step.layer is Layer.KEEP and shift:
                yield from (NonBlankLine(shift.on(file.texts[row]), row, None) for row in step.lines)
            elif step.layer in (Layer.KEEP, Layer.LEAP):
                yield from rows_kept(file, step.lines)
            elif step.layer is Layer.MATCH and step.sketch is not None:
                row = step.lines.start
                text, copied = self._matched(step.sketch, row, shifts[step.sketch])
                yield NonBlankLine(text, row, step.sketch, copied)
            elif step.layer is Layer.NEW and step.sketch is not None:
                yield NonBlankLine(shifts[step.sketch].on(sketch.texts[step.sketch]), None, step.sketch)

    def _matched(self, i: int, j: int, shift: Shift) -> tuple[str, bool]:
        """A matched line is the file's, byte for byte, unless the sketch changes it or moves it in or out."""
        mine, theirs = self._sketch, self._file
        wanted = shift.on(mine.texts[i])
        if self._inline(i, j):
            return theirs.texts[j], True
        # Trailing blanks are not what a sketch is about.
        same = mine.stripped[i] == theirs.stripped[j] and indentation(wanted) == indentation(theirs.texts[j])
        return (theirs.texts[j], True) if same else (wanted, False)

    def stays(self, i: int | None, j: int) -> bool:
        """Whether a matched line says what the file's line says, indentation aside."""
        return i is not None and (self._sketch.stripped[i] == self._file.stripped[j] or self._inline(i, j))

    def _inline(self, i: int, j: int) -> bool:
        """Whether a marker within the sketch's line stands for what the file's line has there."""
        text, found = self._file.stripped[j], self._inlines[i]
        return found is not None and text != self._sketch.stripped[i] and found.shows(text)

    @cached_property
    def _inlines(self) -> list[Inline | None]:
        return [inline_marker(text, self._sketch.language) for text in self._sketch.stripped]

    def _shifts(self, path: Sequence[PathStep]) -> list[Shift]:
        """For each sketch line what its indentation is changed by: the same for all of a piece."""
        pieces = self._pieces(path)
        wrapped = self._wrapped(path)
        if not any(map(self._at_margin, pieces)):
            every = [step for piece in pieces for step in piece]
            return [self._told_within(every, wrapped)] * len(self._sketch.texts)
        told = [self._told(piece, wrapped) for piece in pieces]
        # A piece from the margin on that the file has deeper in was cut out on its own.
        cut_out = [bool(shift) and self._at_margin(piece) for piece, shift in zip(pieces, told, strict=True)]
        usual = self._told(
            [step for piece, cut in zip(pieces, cut_out, strict=True) if not cut for step in piece], wrapped
        )
        if usual is None:
            usual = max((shift for shift in told if shift is not None), key=told.count, default=Shift("", ""))
        shifts = [usual] * len(self._sketch.texts)
        for piece, shift in zip(pieces, told, strict=True):
            own = shift if shift is not None and self._at_margin(piece) else usual
            for step in piece:
                assert step.sketch is not None
                shifts[step.sketch] = own
        return shifts

    def _pieces(self, path: Sequence[PathStep]) -> list[list[PathStep]]:
        """The sketch's lines between markers; what is deeper in after a marker that is deeper in goes on with the piece
        before it."""
        sketch = self._sketch
        pieces: list[list[PathStep]] = [[]]
        margin: bool | None = None  # since the last line, whether a marker or a leap stood at the margin
        for step in path:
            if step.layer is Layer.LEAP:
                margin = True
            elif step.layer is Layer.MARK and step.sketch is not None:
                margin = margin or not sketch.widths[step.sketch]
            elif step.sketch is not None:
                if margin is not None and sketch.ink[step.sketch] != BLANK:
                    if pieces[-1] and (margin or not sketch.widths[step.sketch]):
                        pieces.append([])
                    margin = None
                pieces[-1].append(step)
        return pieces

    def _at_margin(self, piece: Sequence[PathStep]) -> bool:
        """Whether a piece is written from the margin on, so that its depth is its own; another one has that of all. A
        comment does not tell, for code is commented out at the margin wherever it stands."""
        sketch = self._sketch
        rows = (step.sketch for step in piece if step.sketch is not None)
        return any(
            sketch.texts[row].strip() and not sketch.widths[row] and not sketch.comments(row) for row in rows
        )

    def _wrapped(self, path: Sequence[PathStep]) -> dict[int, int]:
        """For each matched sketch line that new code encloses, while the file's line stays in its block: the outermost
        such line around it, which has the depth that the file's line has now."""
        sketch, file = self._sketch, self._file
        new = {step.sketch for step in path if step.layer is Layer.NEW}
        found: dict[int, int] = {}
        gone: set[int] | None = None
        for step in path:
            if step.layer is not Layer.MATCH or step.sketch is None:
                continue
            above, around = sketch.parents[step.sketch], None
            while above is not None and above in new and (sketch.opens(above) or above in sketch.closed):
                above, around = sketch.parents[above], above
            if around is None:
                continue
            if gone is None:
                gone = {row for other in path if other.layer is Layer.GONE for row in other.lines}
            if file.parents[step.lines.start] not in gone:
                found[step.sketch] = around
        return found

    def _told(self, piece: Sequence[PathStep], wrapped: Mapping[int, int]) -> Shift | None:
        """What a piece's matches say of its depth."""
        found = self._outermost(piece, wrapped)
        return Counter(vote.shift for vote in found).most_common(1)[0][0] if found else None

    def _told_within(self, steps: Sequence[PathStep], wrapped: Mapping[int, int]) -> Shift:
        """What the matches say of the depth of a sketch that is not written from the margin on: that is nearly always
        its own depth, which counts like a line that is the same, unless all lines that say something agree on another.
        """
        told = [step for step in steps if step.sketch is not None and self._sketch.ink[step.sketch] == FULL]
        every = [vote.shift for vote in self._voted(told, wrapped)]
        if len(every) > 1 and len(set(every)) == 1:
            return every[0]
        same = [vote.shift for vote in self._outermost(steps, wrapped) if not vote.weak]
        return Counter([Shift("", ""), *same]).most_common(1)[0][0]

    def _outermost(self, steps: Sequence[PathStep], wrapped: Mapping[int, int]) -> list[_Vote]:
        """What the outermost matches say of the depth, for deeper lines may have been moved by the change itself; lines
        that are the same before changed ones and brackets."""
        votes = list(self._voted(steps, wrapped))
        best = min((vote[:2] for vote in votes), default=None)
        return [vote for vote in votes if vote[:2] == best]

    def _voted(self, steps: Sequence[PathStep], wrapped: Mapping[int, int]) -> Iterator[_Vote]:
        for step in steps:
            if step.layer is Layer.MATCH and step.sketch is not None:
                shown = wrapped.get(step.sketch, step.sketch)
                vote = self._vote(step.sketch, step.lines.start, shown)
                if vote is not None:
                    yield vote

    def _vote(self, i: int, j: int, shown: int) -> _Vote | None:
        """What a match says of the depth of its piece, by the sketch line that is shown at the depth of the file's.
        Paths have most matches in common, so it is kept."""
        if (i, j, shown) not in self._votes:
            sketch, file = self._sketch, self._file
            shift = shift_between(sketch.texts[shown], file.texts[j])
            # A bracket or a changed line may be another one of the file, unless it stands where that does.
            weak = bool(shift) and (sketch.stripped[i] != file.stripped[j] or sketch.ink[i] == BARE)
            self._votes[i, j, shown] = (
                _Vote(weak, sketch.widths[shown], shift)
                if shift is not None and sketch.ink[i] != BLANK
                else None
            )
        return self._votes[i, j, shown]

    def _moved_by(self, path: Sequence[PathStep], at: int, shifts: Sequence[Shift]) -> Shift | None:
        """How the lines kept under a marker move: to its depth, where new code encloses it, else with the line that
        opens their block, if it opens that in the file too."""
        below = path[at + 1] if at + 1 < len(path) else None
        opener = self._opener(path, at)
        if opener is None or below is None or below.layer is not Layer.KEEP:
            return None
        if opener.layer is Layer.NEW:
            return self._moved_to(path[at], below.lines, shifts)
        kept = min((self._file.widths[row] for row in self._inked(below.lines)), default=0)
        if (
            opener.layer is Layer.MATCH
            and opener.file is not None
            and opener.sketch is not None
            and self._file.widths[opener.file] < kept
        ):
            text, _ = self._matched(opener.sketch, opener.file, shifts[opener.sketch])
            return shift_between(self._file.texts[opener.file], text) or None
        return None

    def _moved_to(self, marker: PathStep, kept: range, shifts: Sequence[Shift]) -> Shift | None:
        """How these lines come to the depth of the marker, if that is deeper in."""
        file, inked = self._file, self._inked(kept)
        if not inked or marker.sketch is None:
            return None
        wanted = indentation(shifts[marker.sketch].on(self._sketch.texts[marker.sketch]))
        have = indentation(file.texts[min(inked, key=self._indents.__getitem__)])
        deeper = len(wanted) > len(have) and wanted.endswith(have)
        return Shift("", wanted[: len(wanted) - len(have)]) if deeper else None

    def _inked(self, rows: range) -> list[int]:
        inked = self._file.inked
        return inked[bisect_left(inked, rows.start) : bisect_left(inked, rows.stop)]

    @cached_property
    def _indents(self) -> list[int]:
        """By line of the file the characters that it is indented by."""
        return [len(indentation(text)) for text in self._file.texts]

    def _opener(self, path: Sequence[PathStep], at: int) -> PathStep | None:
        """The step of the sketch line that opens the block around the marker, if the sketch shows it."""
        sketch = self._sketch
        marker = path[at].sketch
        assert marker is not None
        width = sketch.widths[marker]
        for step in reversed(path[:at]):
            if step.sketch is None or sketch.ink[step.sketch] == BLANK or step.layer is Layer.MARK:
                continue
            # Nothing stands in a comment, however far out it is.
            if sketch.widths[step.sketch] < width and not sketch.comments(step.sketch):
                # What stands deeper than a line of the file is its own, though that need not open a block: attributes.
                return step if step.layer is Layer.MATCH or sketch.opens(step.sketch) else None
        return None


@dataclass(frozen=True, slots=True)
class Shift:
    """What is taken off and what is put before an indentation."""

    off: str
    before: str

    def __bool__(self) -> bool:
        return bool(self.off or self.before)

    def on(self, text: str) -> str:
        if not text.strip():
            return text
        return self.before + text.removeprefix(self.off)


def shift_between(mine: str, theirs: str) -> Shift | None:
    one, other = indentation(mine), indentation(theirs)
    if other.endswith(one):
        return Shift("", other[: len(other) - len(one)])
    if one.endswith(other):
        return Shift(one[: len(one) - len(other)], "")
    return None
