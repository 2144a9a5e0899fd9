"""New entries that come next to what is hidden, where that may have an old version of them: the reverse of
`siblings`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice, pairwise, takewhile
from typing import Final, NamedTuple

from fastedit.sketch.features.rests import is_statement
from fastedit.sketch.paths.lattice import HIDES, Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.reading import BARE, BLANK, FULL, Outline
from fastedit.sketch.rivals.base import Kind, Laid, Sign
from fastedit.sketch.rivals.replaced import are_unlike
from fastedit.sketch.rivals.siblings import entry_at, is_blank, shared, words_on
from fastedit.source.outline import is_closer

_OLD_VERSION: Final = "an entry would stand next to what may be its old version"
BESIDE: Final = Sign("an entry comes next to one that begins as it does", -0.5, said=_OLD_VERSION)
_SHARED: Final = Sign(
    "share of the words of that one that both begin with", -0.8, contests=False, said=_OLD_VERSION
)
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


def _told(laid: Laid) -> dict[str, float]:
    """What tells of new entries that they may be new versions of what is hidden next to them."""
    alike = [version.alike for version in _versions(laid.file, laid.sketch, laid.path)]
    return {BESIDE.name: 1.0, _SHARED.name: max(alike)} if alike else {}


def _in_place_of_hidden(laid: Laid, _: Relaid) -> Iterator[list[PathStep]]:
    """For each such entry a path that puts it in the place of the old one."""
    for version in _versions(laid.file, laid.sketch, laid.path):
        yield list(_in_place(laid.file, laid.path, version))


def passes_comments(file: Outline, path: Sequence[PathStep]) -> bool:
    """Whether comments stay between lines that are shown: what leaving them out takes tells nothing of these."""
    return any(
        step.layer is Layer.LEAP and not _has_code(file, step.lines) and _has_ink(file, step.lines)
        for step in path
    )


def _in_place(file: Outline, path: Sequence[PathStep], version: _Version) -> Iterator[PathStep]:
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
        yield from _unshown(file, range(first, old.start))
    # Where lines go and others come, those that go are first.
    at = new.index(top)
    yield from (PathStep(Layer.NEW, line, range(old.start, old.start)) for line in new[:at])
    yield PathStep(Layer.MATCH, top, range(old.start, old.start + 1))
    yield from _gone(range(old.start + 1, old.stop))
    end = old.stop
    if hides_below is None:
        yield from _unshown(file, range(old.stop, last))
        end = last
    yield from (PathStep(Layer.NEW, line, range(end, end)) for line in new[at + 1 :])
    yield from mark
    if hides_below is not None and old.stop < last:
        yield PathStep(hides_below, None, range(old.stop, last))
    yield from below


def _unshown(file: Outline, rows: range) -> Iterator[PathStep]:
    """Lines between an entry and the next one that is shown: comments stay, blank lines are no part of a path."""
    if _has_ink(file, rows):
        yield PathStep(Layer.LEAP, None, rows)
    else:
        yield from _gone(rows)


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
            for entry, alike in _hidden_entries(file, sketch, path, start, stop, new)
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
    tops = [at for at, line in enumerate(inked) if sketch.widths[line] == width and sketch.ink[line] > BARE]
    for at, after in pairwise([*tops, len(inked)]):
        if not (sketch.comments(inked[at]) or is_closer(sketch.texts[inked[at]])):
            yield inked[at], tuple(inked[at:after])


def _hidden_entries(
    file: Outline, sketch: Outline, path: Sequence[PathStep], start: int, stop: int, new: tuple[int, ...]
) -> Iterator[tuple[range, float]]:
    """The entries that a new one may be a version of, and the share of their words that both begin with: at its depth,
    of all that is hidden where markers are above and below, else of what is next to it. None where another line of the
    file begins with these words as well, as with `if`."""
    above = path[start - 1].lines if start and path[start - 1].layer in (Layer.KEEP, Layer.LEAP) else range(0)
    behind = list(takewhile(lambda step: step.layer in HIDES, path[stop : stop + 2]))
    kept = [step.lines for step in behind if step.layer is not Layer.MARK]
    below = kept[0] if kept else range(0)
    alike = _begun(file, sketch).alike(new)
    words = list(islice(words_on(sketch, new), _LONGEST))
    found = {row for row, _, _ in alike}
    for row in _next_to(file, sketch.widths[new[0]], above, below):
        entry = entry_at(file, row)
        if row not in found and (both := _in_one_place(words, list(islice(words_on(file, entry), _LONGEST)))):
            alike = [*alike, (row, entry, both)]
    for row, entry, both in alike:
        if not (row in above or row in below) or not (entry.stop - 1 in above or entry.stop - 1 in below):
            continue
        after, before = range(entry.stop, above.stop), range(below.start, row)
        is_next = not _has_code(file, after) if row in above else not (above or _has_code(file, before))
        wrapped = len(new) == 1 and is_statement(file, entry)
        if ((above and behind) or is_next) and (wrapped or not are_unlike(file, entry, sketch, new)):
            yield entry, both / sum(1 for _ in islice(words_on(file, entry), _LONGEST))


def _next_to(file: Outline, width: int, above: range, below: range) -> Iterator[int]:
    """The first lines of the entries at this depth that are the last of those above and the first of those below."""
    for rows in (reversed(above), below):
        for row in rows:
            if (
                file.ink[row] == BLANK
                or file.widths[row] > width
                or is_closer(file.texts[row])
                or file.comments(row)
            ):
                continue
            if file.widths[row] == width and file.ink[row] == FULL:
                yield row
            break


def _in_one_place(words: Sequence[str], old: Sequence[str]) -> int:
    """How many words both have, if they differ in words that come or go in one place; none if they do otherwise."""
    begun = shared(words, old)
    both = begun + shared(reversed(words[begun:]), reversed(old[begun:]))
    return both if 2 <= both == min(len(words), len(old)) < max(len(words), len(old)) else 0


def _has_ink(file: Outline, rows: range) -> bool:
    return any(file.ink[row] != BLANK for row in rows)


def _has_code(file: Outline, rows: range) -> bool:
    return any(file.ink[row] != BLANK and not file.comments(row) for row in rows)


@lru_cache(maxsize=4)  # each reading asks it of the same two
def _begun(file: Outline, sketch: Outline) -> _Begun:
    return _Begun(file, sketch)


class _Begun:
    """What lines of a file begin with, compared with what new entries of a sketch do."""

    def __init__(self, file: Outline, sketch: Outline) -> None:
        self._file, self._sketch = file, sketch
        self._known = dict[tuple[int, ...], list[tuple[int, range, int]]]()

    def alike(self, new: tuple[int, ...]) -> list[tuple[int, range, int]]:
        """The lines that begin an entry at the depth of a new one, that entry, and how many words both begin with, as
        no other line of the file does."""
        if new not in self._known:
            self._known[new] = list(self._alike(new))
        return self._known[new]

    def _alike(self, new: tuple[int, ...]) -> Iterator[tuple[int, range, int]]:
        file, width = self._file, self._sketch.widths[new[0]]
        words = list(islice(words_on(self._sketch, new), _LONGEST))
        last = len(file.texts)
        begun = {
            row: shared(words, words_on(file, range(row, min(row + len(words), last))))
            for row in self._rows.get("".join(words[:1]), ())
        }
        most = 0
        for row, alike in begun.items():
            # A line above is in no entry that begins here.
            begins = file.widths[row] == width and file.ink[row] == FULL and not is_closer(file.texts[row])
            if alike > most and begins:
                entry = entry_at(file, row)
                both = shared(words, islice(words_on(file, entry), _LONGEST))
                if not any(begun[other] >= both for other in begun if other not in entry):
                    yield row, entry, both
            most = max(most, alike)

    @cached_property
    def _rows(self) -> dict[str, list[int]]:
        """By first word the lines that are no comments, from above."""
        file, found = self._file, dict[str, list[int]]()
        for row in file.inked:
            if word := next(words_on(file, [row]), None):
                found.setdefault(word, []).append(row)
        return found


VERSIONS: Final = Kind(
    "Is a new entry next to what is hidden a new version of one there?",
    (BESIDE, _SHARED),
    _told,
    _in_place_of_hidden,
)
