"""What a path takes the lines of an update and of a file for, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fastedit.sketch.paths.lattice import Layer, PathStep, singly
from fastedit.sketch.read.reading import Outline


@dataclass(frozen=True, slots=True)
class TakenLines:
    """Lines that are taken for one thing: `update` and `file` are theirs, from 0 and empty where there are none, and
    `place` is how many lines of the file stand above what is new. `changed` are lines of both that differ."""

    layer: Layer
    update: range
    file: range
    place: int
    changed: bool = False
    blank: bool = False

    def __str__(self) -> str:
        return f"{self.subject} {self.predicate}"

    @property
    def subject(self) -> str:
        return numbered(self.update, "update line") if self.update else numbered(self.file)

    @property
    def pronoun(self) -> str:
        return "it" if len(self.update or self.file) == 1 else "they"

    @property
    def predicate(self) -> str:
        one = len(self.update or self.file) == 1
        be, lines = "is" if one else "are", numbered(self.file)
        if self.layer is Layer.MATCH:
            return f"change{'s' * one} {lines}" if self.changed else f"{be} {lines}"
        if self.layer is Layer.NEW:
            return f"{be} new, " + (f"after file line {self.place}" if self.place else "at the top")
        if self.layer is Layer.GONE and not self.update:
            return f"{'goes, as' if one else 'go, as'} nothing in the update keeps {'it' if one else 'them'}"
        if self.layer is Layer.GONE:
            return f"says that {lines or 'nothing'} go{'es' * (len(self.file) < 2)}"
        if self.layer is Layer.MARK:
            return f"is a marker for {lines}" if lines else "is left out"
        return f"stay{'s' * one} without a marker"

    def joined(self, below: TakenLines) -> TakenLines | None:
        """Both as one, where the lines below are taken for the same."""
        beside = self.update.stop == below.update.start if below.update else not self.update
        kind = (Layer.NEW, Layer.MATCH) if below.update else (Layer.GONE, Layer.KEEP, Layer.LEAP)
        alike = (self.layer, self.changed) == (below.layer, below.changed)
        if not beside or not alike or self.layer not in kind or self.file.stop != below.file.start:
            return None
        update, file = range(self.update.start, below.update.stop), range(self.file.start, below.file.stop)
        return replace(self, update=update, file=file, blank=self.blank and below.blank)


def numbered(rows: range, noun: str = "file line") -> str:
    """Such as `file lines 4-7`; nothing for none."""
    if not rows:
        return ""
    return f"{noun} {rows.start + 1}" if len(rows) == 1 else f"{noun}s {rows.start + 1}-{rows.stop}"


def taken(
    path: Sequence[PathStep], file: Outline, sketch: Outline, start: int = 0, first: int = 0
) -> Iterator[TakenLines]:
    """What each line is taken for, in the order of the path. The first line of `file` is its line `start`, and that of
    `sketch` the update's line `first`."""
    i = j = 0
    held: TakenLines | None = None  # a comment and the lines that it keeps or says to go
    for step in singly(path):
        mine = range(first + i, first + i + (step.sketch is not None))
        lines = range(start + j, start + j + len(step.lines))
        goes = step.layer is Layer.GONE
        if (
            held
            and not mine
            and step.layer in (Layer.KEEP, Layer.GONE)
            and goes is (held.layer is Layer.GONE)
        ):
            held = replace(held, file=range(held.file.start, lines.stop))
        else:
            if held:
                yield held
            changed = step.layer is Layer.MATCH and sketch.stripped[i] != file.stripped[j]
            blank = not (sketch.stripped[i] if mine else file.stripped[j])
            one = TakenLines(step.layer, mine, lines, start + j, changed, blank)
            held = one if mine and (goes or step.layer is Layer.MARK) else None
            if not held:
                yield one
        i += len(mine)
        j += len(lines)
    if held:
        yield held


def runs(every: Iterable[TakenLines]) -> list[TakenLines]:
    """Neighbours that are taken for the same in one, without blank lines that the update does not show."""
    return [run for (run,) in _runs((one,) for one in every) if run.update or not run.blank]


def parted(mine: Iterable[TakenLines], theirs: Iterable[TakenLines]) -> Iterator[tuple[TakenLines, ...]]:
    """Pairs of what two paths take lines for differently: lines of the update, then lines of the file that it does not
    show."""
    mine, theirs = list(mine), list(theirs)
    by_line = {row: one for one in theirs for row in one.update}
    shown = ((one, by_line[row]) for one in mine for row in one.update)
    alone = {row: one for one in theirs if not one.update for row in one.file}
    unshown = ((one, alone[row]) for one in mine if not one.update for row in one.file if row in alone)
    for pairs in (shown, unshown):
        for one, other in _runs((one, other) for one, other in pairs if one.predicate != other.predicate):
            if not one.blank:
                yield one, other


def replaced(pair: Sequence[TakenLines], paths: Sequence[Sequence[TakenLines]]) -> tuple[range, int] | None:
    """The lines of the file that one of two paths has new lines in place of, while the other has both next to each
    other, and which path that is. `pair` is what the paths take the lines of the update for."""
    bounds = [
        (one.place, one.place) if one.layer is Layer.NEW else (one.file.start, one.file.stop) for one in pair
    ]
    if not all(one.layer is Layer.NEW or one.changed for one in pair):
        return None
    near = range(min(start for start, _ in bounds), max(stop for _, stop in bounds))
    stay = [_staying(path, near) for path in paths]
    for which, (mine, theirs) in enumerate((stay, stay[::-1])):
        if theirs and not mine:
            return range(min(theirs), max(theirs) + 1), which
    return None


def _staying(path: Iterable[TakenLines], near: range) -> set[int]:
    """The lines that stay as they are, blank ones aside."""
    return {
        row
        for one in path
        if one.layer is not Layer.GONE and not one.changed and not one.blank
        for row in one.file
        if row in near
    }


def _runs(every: Iterable[tuple[TakenLines, ...]]) -> list[tuple[TakenLines, ...]]:
    """Neighbours that are taken for the same in one."""
    runs: list[tuple[TakenLines, ...]] = []
    for below in every:
        both = [one.joined(other) for one, other in zip(runs[-1], below, strict=True)] if runs else [None]
        if all(both):
            runs[-1] = tuple(filter(None, both))
        else:
            runs.append(below)
    return runs
