"""New entries that come next to what is hidden, where that may have an old version of them: the reverse of
`siblings`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, takewhile
from typing import Final, NamedTuple

from fastedit.sketch.lattice import HIDES, Layer, PathStep
from fastedit.sketch.reading import BLANK, FULL, Outline
from fastedit.sketch.siblings import entry_at, is_blank, shared, words_on
from fastedit.source.outline import is_closer

BESIDE: Final = "an entry comes next to one that begins as it does"
_SHARE: Final = "share of the words of that one that both begin with"
_LONGEST = 200  # words of an entry that are compared


class _Version(NamedTuple):
    """New lines between what is shown or hidden above and below, from step `start` up to step `stop` of a path; the
    line of the sketch among them that begins as an entry of the file does which is hidden there, the lines of that
    entry, and the share of its words that both begin with."""

    start: int
    stop: int
    top: int
    old: range
    alike: float


def version_signs(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> dict[str, float]:
    """What tells of new entries that they may be new versions of what is hidden next to them."""
    alike = [version.alike for version in _versions(file, sketch, path)]
    return {BESIDE: 1.0, _SHARE: max(alike)} if alike else {}


def in_place_of_hidden(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> Iterator[list[PathStep]]:
    """For each such entry a path that puts it in the place of the old one."""
    for version in _versions(file, sketch, path):
        yield list(_in_place(path, version))


def _in_place(path: Sequence[PathStep], version: _Version) -> Iterator[PathStep]:
    start, stop, top, old, _ = version
    above, below = list(path[:start]), list(path[stop:])
    new = [step.sketch for step in path[start:stop] if step.sketch is not None]
    first, last = _rows(path, start, stop)
    hides_above = above[-1].layer if above and above[-1].layer in (Layer.KEEP, Layer.LEAP) else None
    if hides_above is not None:
        first = above.pop().lines.start
    mark = [below.pop(0)] if below and below[0].layer is Layer.MARK else []
    hides_below = Layer.KEEP if mark else None
    if below and below[0].layer in (Layer.KEEP, Layer.LEAP):
        hides_below = below[0].layer
        last = below.pop(0).lines.stop
    yield from above
    if hides_above is not None and first < old.start:
        yield PathStep(hides_above, None, range(first, old.start))
    elif hides_above is None:
        yield from _gone(range(first, old.start))
    # Where lines go and others come, those that go are first.
    at = new.index(top)
    yield from (PathStep(Layer.NEW, line, range(old.start, old.start)) for line in new[:at])
    yield PathStep(Layer.MATCH, top, range(old.start, old.start + 1))
    yield from _gone(range(old.start + 1, old.stop))
    end = old.stop
    if hides_below is None:
        yield from _gone(range(old.stop, last))
        end = last
    yield from (PathStep(Layer.NEW, line, range(end, end)) for line in new[at + 1 :])
    yield from mark
    if hides_below is not None and old.stop < last:
        yield PathStep(hides_below, None, range(old.stop, last))
    yield from below


def _gone(rows: range) -> Iterator[PathStep]:
    return (PathStep(Layer.GONE, None, range(row, row + 1)) for row in rows)


def _rows(path: Sequence[PathStep], start: int, stop: int) -> tuple[int, int]:
    """The lines of the file that these steps are over, from and to."""
    first = next((step.lines.stop for step in reversed(path[:start]) if step.lines), 0)
    return first, first + sum(len(step.lines) for step in path[start:stop])


def _versions(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> Iterator[_Version]:
    for start, stop in _runs(file, sketch, path):
        tops = _tops(sketch, [step.sketch for step in path[start:stop] if step.sketch is not None])
        found = [
            _Version(start, stop, top, entry, alike)
            for top, new in tops
            if (word := next(words_on(sketch, [top]), None))
            for entry in _hidden_entries(file, path, start, stop, sketch.widths[top], word)
            if (alike := _begins_alike(file, sketch, entry, new))
        ]
        if found:
            yield max(found, key=lambda version: version.alike)


def _runs(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> Iterator[tuple[int, int]]:
    """From and to which steps there are new lines, blank ones aside, and neither goes a line there nor is one shown,
    with something hidden above or below."""
    start: int | None = None
    for at in range(len(path) + 1):
        step = path[at] if at < len(path) else None
        within = step is not None and (step.layer is Layer.NEW or is_blank(file, sketch, step))
        if within and start is None:
            start = at
        if within or start is None:
            continue
        inked = any(not is_blank(file, sketch, one) for one in path[start:at])
        around = (path[start - 1] if start else None, step)
        if (
            inked
            and any(one is not None and one.layer in HIDES for one in around)
            and all(one is None or one.layer is not Layer.GONE for one in around)
        ):
            yield start, at
        start = None


def _tops(sketch: Outline, lines: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The lines that new entries begin at, each with all of its own."""
    inked = [line for line in lines if sketch.ink[line] != BLANK]
    width = min(sketch.widths[line] for line in inked)
    tops = [at for at, line in enumerate(inked) if sketch.widths[line] == width and sketch.ink[line] == FULL]
    for at, after in pairwise([*tops, len(inked)]):
        if not (sketch.comments(inked[at]) or is_closer(sketch.texts[inked[at]])):
            yield inked[at], tuple(inked[at:after])


def _hidden_entries(
    file: Outline, path: Sequence[PathStep], start: int, stop: int, width: int, word: str
) -> Iterator[range]:
    """The entries of this depth, with this word on their first line, that a new one may be a version of: all that is
    hidden where markers are above and below, else what is next to it."""
    above = path[start - 1].lines if start and path[start - 1].layer in (Layer.KEEP, Layer.LEAP) else range(0)
    behind = list(takewhile(lambda step: step.layer in HIDES, path[stop : stop + 2]))
    kept = [step.lines for step in behind if step.layer is not Layer.MARK]
    below = kept[0] if kept else range(0)
    hidden = {*above, *below}
    inked = [row for row in (*above, *below) if file.ink[row] != BLANK]
    for row in inked:
        if file.widths[row] != width or file.ink[row] != FULL or word not in file.stripped[row]:
            continue
        entry = entry_at(file, row)
        if file.comments(row) or is_closer(file.texts[row]) or entry.stop - 1 not in hidden:
            continue
        if (
            (above and behind)
            or (row in above and inked[-1] < entry.stop)
            or (row in below and row == inked[0])
        ):
            yield entry


def _begins_alike(file: Outline, sketch: Outline, entry: range, new: Sequence[int]) -> float:
    """The share of the words of an old entry that a new one begins with too; 0 where another line of the file begins
    with them as well, as with `if`."""
    old, other = (list(islice(words, _LONGEST)) for words in (words_on(file, entry), words_on(sketch, new)))
    both = shared(old, other)
    if not both or any(_begin(file, row, old[:both]) for row in file.inked if row not in entry):
        return 0.0
    return both / len(old)


def _begin(file: Outline, row: int, words: Sequence[str]) -> bool:
    """Whether the lines from this one on begin with these words."""
    if words[0] not in file.stripped[row] or file.comments(row):
        return False
    return shared(words, words_on(file, range(row, min(row + len(words), len(file.texts))))) == len(words)
