"""The text that a path writes: what stays byte for byte, what is new at the depth of what stands around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastedit.edit.outline import indentation
from fastedit.sketch.lattice import Layer, Step
from fastedit.sketch.reading import BARE, BLANK, Outline, before_marker


@dataclass(frozen=True, slots=True)
class Text:
    """Lines with the file line that each is byte for byte, None where it is new or was moved in or out."""

    lines: tuple[str, ...]
    origins: tuple[int | None, ...]


class Writer:
    """Writes paths of one sketch and one file."""

    def __init__(self, file: Outline, sketch: Outline) -> None:
        self._file, self._sketch = file, sketch

    def write(self, path: Sequence[Step]) -> Text:
        file, sketch = self._file, self._sketch
        shifts = self._shifts(path)
        lines: list[str] = []
        origins: list[int | None] = []
        under: str | None = None  # what lines kept under the last marker are moved by
        for at, step in enumerate(path):
            if step.layer is Layer.MARK:
                under = self._moved_by(path, at, shifts)
            elif step.layer in (Layer.KEEP, Layer.LEAP):
                assert step.file is not None
                text = file.texts[step.file]
                if step.layer is Layer.KEEP and under and text.strip():
                    lines.append(under + text)
                    origins.append(None)
                else:
                    lines.append(text)
                    origins.append(step.file)
            elif step.layer is Layer.MATCH:
                assert step.file is not None
                assert step.sketch is not None
                line, origin = self._matched(step.sketch, step.file, shifts[step.sketch])
                lines.append(line)
                origins.append(origin)
            elif step.layer is Layer.NEW:
                assert step.sketch is not None
                lines.append(shifts[step.sketch].on(sketch.texts[step.sketch]))
                origins.append(None)
        return self._separated(lines, origins)

    def _separated(self, lines: list[str], origins: list[int | None]) -> Text:
        """With the blank lines that the file has between definitions, where new ones are shown without them."""
        made: list[str] = []
        found: list[int | None] = []
        whole = Outline(lines)
        for at, (line, origin) in enumerate(zip(lines, origins, strict=True)):
            above = at - 1
            beside = at > 0 and bool(line.strip() and lines[above].strip())
            meets = beside and (origin is None) != (origins[above] is None) and not whole.leads(above)
            if (
                meets
                and whole.widths[above] >= whole.widths[at]
                and whole.begins(at)
                and not whole.opens(above)
            ):
                gap = self._separation(whole.widths[at])
                made += [""] * gap
                found += [None] * gap
            made.append(line)
            found.append(origin)
        return Text(tuple(made), tuple(found))

    def _separation(self, width: int) -> int:
        """Blank lines above most definitions of this indentation that are not the first in their block."""
        file = self._file
        gaps: list[int] = []
        for row in file.heads:
            top = row
            while top and file.leads(top - 1) and file.stripped[top - 1]:
                top -= 1
            blank = 0
            while top - blank and not file.stripped[top - blank - 1]:
                blank += 1
            if file.widths[row] == width and top > blank and file.widths[top - blank - 1] >= width:
                gaps.append(blank)
        return max(set(gaps), key=gaps.count) if gaps else 0

    def _matched(self, i: int, j: int, shift: Shift) -> tuple[str, int | None]:
        """A matched line is the file's, unless the sketch changes it or moves it in or out."""
        mine, theirs = self._sketch, self._file
        if theirs.ink[j] == BLANK and mine.ink[i] == BLANK:
            return theirs.texts[j], j
        wanted = shift.on(mine.texts[i])
        if self._inline(i, j):
            return theirs.texts[j], j
        if mine.stripped[i] == theirs.stripped[j]:
            same = indentation(wanted) == indentation(theirs.texts[j])
            # Trailing blanks are not what a sketch is about.
            return (theirs.texts[j], j) if same else (wanted, None)
        return wanted, None

    def stays(self, i: int | None, j: int) -> bool:
        """Whether a matched line says what the file's line says, indentation aside."""
        return i is not None and (self._sketch.stripped[i] == self._file.stripped[j] or self._inline(i, j))

    def _inline(self, i: int, j: int) -> bool:
        prefix = before_marker(self._sketch.stripped[i])
        return prefix is not None and self._file.stripped[j].startswith(prefix)

    def _shifts(self, path: Sequence[Step]) -> list[Shift]:
        """For each sketch line what its indentation is changed by: the same for all of a piece between markers."""
        sketch = self._sketch
        pieces: list[list[Step]] = [[]]
        for step in path:
            if step.layer in (Layer.MARK, Layer.LEAP):
                if pieces[-1]:
                    pieces.append([])
            elif step.sketch is not None:
                pieces[-1].append(step)
        told = [self._told(piece) for piece in pieces]
        usual = max((shift for shift in told if shift is not None), key=told.count, default=Shift("", ""))
        shifts = [usual] * len(sketch.texts)
        for piece, shift in zip(pieces, told, strict=True):
            for step in piece:
                assert step.sketch is not None
                shifts[step.sketch] = usual if shift is None else shift
        return shifts

    def _told(self, piece: Sequence[Step]) -> Shift | None:
        """What a piece's matches say of its depth: the outermost, for deeper lines may have been moved by the change
        itself; lines that are the same before changed ones and brackets."""
        sketch, file = self._sketch, self._file
        votes: list[tuple[bool, int, Shift]] = []
        for step in piece:
            if step.layer is not Layer.MATCH or step.file is None or step.sketch is None:
                continue
            vote = shift_between(sketch.texts[step.sketch], file.texts[step.file])
            if vote is not None and sketch.ink[step.sketch] != BLANK:
                same = sketch.stripped[step.sketch] == file.stripped[step.file]
                weak = not same or sketch.ink[step.sketch] == BARE
                votes.append((weak, sketch.widths[step.sketch], vote))
        if not votes:
            return None
        best = min(vote[:2] for vote in votes)
        outermost = [vote for weak, width, vote in votes if (weak, width) == best]
        return max(set(outermost), key=outermost.count)

    def _moved_by(self, path: Sequence[Step], at: int, shifts: Sequence[Shift]) -> str | None:
        """What the lines kept under a marker are moved in by: to its depth, where new code encloses it."""
        sketch, file = self._sketch, self._file
        marker = path[at].sketch
        assert marker is not None
        kept = []
        for step in path[at + 1 :]:
            if step.layer is not Layer.KEEP or step.file is None:
                break
            kept.append(step.file)
        inked = [row for row in kept if file.ink[row] != BLANK]
        opener = self._new_opener(path, at)
        if not inked or opener is None:
            return None
        least = min((file.texts[row] for row in inked), key=lambda text: len(indentation(text)))
        wanted = indentation(shifts[opener].on(sketch.texts[marker]))
        have = indentation(least)
        return (
            wanted[: len(wanted) - len(have)] if len(wanted) > len(have) and wanted.endswith(have) else None
        )

    def _new_opener(self, path: Sequence[Step], at: int) -> int | None:
        """The sketch line that encloses the marker, if it is new code."""
        sketch = self._sketch
        marker = path[at].sketch
        assert marker is not None
        width = sketch.widths[marker]
        for step in reversed(path[:at]):
            if step.sketch is None or sketch.ink[step.sketch] == BLANK or step.layer is Layer.MARK:
                continue
            if sketch.widths[step.sketch] < width:
                return step.sketch if step.layer is Layer.NEW else None
        return None


@dataclass(frozen=True, slots=True)
class Shift:
    """What is taken off and what is put before an indentation."""

    off: str
    before: str

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
