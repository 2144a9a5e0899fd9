"""New entries that are laid onto old ones: which of both is meant where a marker could hide the old one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from fastedit.sketch.lattice import Layer, Step
from fastedit.sketch.reading import BARE, BLANK, FULL, Outline, target_of
from fastedit.source.outline import block_end, is_closer

_WORD = re.compile(r"\w+")
_HIDES = frozenset((Layer.MARK, Layer.KEEP, Layer.LEAP))


class _Unit(NamedTuple):
    """A line of the file and the block that it opens, the lines of the sketch that are laid onto them, whether what is
    hidden is above these, and whether a marker next to these keeps no line."""

    old: range
    new: tuple[int, ...]
    below: bool
    hides_nothing: bool


def inked_steps(file: Outline, sketch: Outline, path: Sequence[Step]) -> list[Step]:
    """Those over lines that are not blank."""
    return [
        step
        for step in path
        if any(file.ink[row] != BLANK for row in step.lines)
        or (step.sketch is not None and sketch.ink[step.sketch] != BLANK)
    ]


def sibling_signs(file: Outline, sketch: Outline, inked: Sequence[Step]) -> Iterator[str]:
    """What tells, of entries next to a marker or to lines that stay without one, that they are further ones rather than
    new versions of those that they are laid onto: these may be among what is hidden. `inked` are a path's steps over
    lines that are not blank."""
    found = set[str]()
    for unit in _units(file, sketch, inked):
        if _has_a_siblings_key(file, sketch, unit):
            found.add("an entry takes the place of a sibling")
        if unit.hides_nothing:
            found.add("an entry changes by a marker that hides nothing")
    yield from sorted(found)


def beside_siblings(file: Outline, sketch: Outline, path: Sequence[Step]) -> Iterator[list[Step]]:
    """For each entry that may be a further one a path that keeps the old one with what is hidden and adds it there."""
    for unit in _units(file, sketch, inked_steps(file, sketch, path)):
        if unit.hides_nothing or _has_a_siblings_key(file, sketch, unit):
            moved = _beside(path, unit)
            if moved is not None:
                yield moved


def _beside(path: Sequence[Step], unit: _Unit) -> list[Step] | None:
    """The path with the old entry among what is hidden; None where what is shown of it has markers of its own."""
    within = [
        at for at, step in enumerate(path) if step.sketch in unit.new or set(step.lines) & set(unit.old)
    ]
    first, stop = within[0], within[-1] + 1
    steps = path[first:stop]
    if any(step.layer not in (Layer.MATCH, Layer.NEW, Layer.GONE) for step in steps):
        return None
    place = unit.old.stop if unit.below else unit.old.start
    new = [Step(Layer.NEW, step.sketch, range(place, place)) for step in steps if step.sketch is not None]
    above, below = list(path[:first]), list(path[stop:])
    if unit.below:
        match above[-1].layer:
            case Layer.MARK:
                above.append(Step(Layer.KEEP, None, unit.old))
            case Layer.KEEP | Layer.LEAP:
                above[-1] = above[-1]._replace(lines=range(above[-1].lines.start, unit.old.stop))
            case _:
                return None
        return [*above, *new, *below]
    mark = [below.pop(0)] if below and below[0].layer is Layer.MARK else []
    if below and below[0].layer in (Layer.KEEP, Layer.LEAP):
        below[0] = below[0]._replace(lines=range(unit.old.start, below[0].lines.stop))
    elif mark:
        below.insert(0, Step(Layer.KEEP, None, unit.old))
    else:
        return None
    return [*above, *new, *mark, *below]


def _units(file: Outline, sketch: Outline, inked: Sequence[Step]) -> Iterator[_Unit]:
    """The changed entries next to what is hidden that have not the name or key of the old ones."""
    changed = [
        step.lines.start
        for step in inked
        if step.layer is Layer.MATCH
        and step.sketch is not None
        and sketch.ink[step.sketch] == FULL
        and sketch.stripped[step.sketch] != file.stripped[step.lines.start]
    ]
    places = {row: at for at, step in enumerate(inked) for row in step.lines} if changed else {}
    looked_at = set[int]()
    for row in changed:
        for head in _upwards(file, row):
            if head in looked_at or inked[places[head]].layer is not Layer.MATCH:
                break
            looked_at.add(head)
            unit = _beside_what_is_hidden(file, sketch, inked, places, head)
            if unit is not None and not _is_the_same(file, sketch, unit):
                yield unit


def _upwards(file: Outline, row: int) -> Iterator[int]:
    """The line and those that open the blocks around it, the innermost first."""
    head: int | None = row
    while head is not None:
        yield head
        head = file.parents[head]


def _beside_what_is_hidden(
    file: Outline, sketch: Outline, inked: Sequence[Step], places: dict[int, int], head: int
) -> _Unit | None:
    """What begins at a line of the file and is shown, if what stands above or below it is not."""
    old = _entry(file, head)
    at = [places[row] for row in old if row in places]
    first, last = at[0], at[-1]
    top = inked[first].sketch
    assert top is not None
    while last + 1 < len(inked) and inked[last + 1].layer is Layer.NEW:
        line = inked[last + 1].sketch
        if line is None or sketch.widths[line] <= sketch.widths[top]:
            break
        last += 1
    around = [place for place in (first - 1, last + 1) if 0 <= place < len(inked)]
    if {inked[place].layer for place in around}.isdisjoint(_HIDES):
        return None
    new = (step.sketch for step in inked[first : last + 1])
    shown = tuple(line for line in new if line is not None and line not in sketch.hidden)
    idle = any(_hides_nothing(sketch, inked, place, sketch.widths[top]) for place in around)
    above = first > 0 and inked[first - 1].layer in _HIDES
    return _Unit(old, shown, above, idle)


def _hides_nothing(sketch: Outline, inked: Sequence[Step], place: int, width: int) -> bool:
    """Whether a marker of this depth keeps no line."""
    line = inked[place].sketch
    return (
        inked[place].layer is Layer.MARK
        and line is not None
        and sketch.widths[line] == width
        and (place + 1 == len(inked) or inked[place + 1].layer is not Layer.KEEP)
    )


def _is_the_same(file: Outline, sketch: Outline, unit: _Unit) -> bool:
    """Whether both have one name, or give one key its value."""
    head, top = unit.old.start, unit.new[0]
    name, target = file.heads.get(head), target_of(file.texts[head])
    return (name is not None and name == sketch.heads.get(top)) or (
        target is not None and target == target_of(sketch.texts[top])
    )


def _has_a_siblings_key(file: Outline, sketch: Outline, unit: _Unit) -> bool:
    """Whether the entry parts from the old one no later than from that one's neighbours. Where entries of a kind part
    first is their key: the second word of `path("login/", views.login)`."""
    head = unit.old.start
    opener = file.parents[head]
    # A branch begins with another word than what it is a branch of.
    first = 1 if opener is not None and file.widths[opener] == file.widths[head] else 0
    new = list(islice(_words(sketch, unit.new), first, None))
    with_old = _shared(new, islice(_words(file, unit.old), first, None))
    keyed = all(map(target_of, (sketch.texts[unit.new[0]], file.texts[unit.old.start])))
    for rows in _neighbours(file, unit.old):
        with_kin = _shared(new, islice(_words(file, rows), first, None))
        of_a_kind = with_kin > 0 or (keyed and target_of(file.texts[rows.start]) is not None)
        if of_a_kind and with_kin >= with_old:
            return True
    return False


def _shared(one: Iterable[str], other: Iterable[str]) -> int:
    """How many words both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _neighbours(file: Outline, unit: range) -> Iterator[range]:
    """The entries of the same block right above and below, where there are any."""
    width = file.widths[unit.start]
    for rows in (range(unit.start - 1, -1, -1), range(unit.stop, len(file.texts))):
        for row in rows:
            if file.ink[row] == BLANK:
                continue
            if file.widths[row] < width:
                break
            if file.widths[row] == width and not is_closer(file.texts[row]):
                yield _entry(file, row)
                break


def _entry(file: Outline, head: int) -> range:
    """A line and the block that it opens, without branches that go on below."""
    stop = block_end(file.texts, head)
    branches = (
        row
        for row in range(head + 1, stop)
        if file.widths[row] == file.widths[head] and file.ink[row] > BARE and not is_closer(file.texts[row])
    )
    return range(head, next(branches, stop))


def _words(outline: Outline, rows: Sequence[int]) -> Iterator[str]:
    return (word for row in rows for word in _WORD.findall(outline.texts[row]))
