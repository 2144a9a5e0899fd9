"""New entries that are laid onto old ones: which of both is meant where a marker could hide the old one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import Final, NamedTuple

from fastedit.sketch.paths.lattice import HIDES, Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.names import bound_by, imports_of
from fastedit.sketch.read.reading import BARE, BLANK, FULL, Outline, target_of
from fastedit.sketch.read.wording import WITHOUT_BLANKS
from fastedit.sketch.rivals.base import Kind, Laid, Sign, inked_steps
from fastedit.source.outline import is_closer

# A sign that has no blanks around it counts as one, and so does what ends a string: "g[" is another key than "g]".
_END = r"(?<=\w)[^\w\s\"'](?=[\"'])"
_WORD = re.compile(rf"\w[\w-]*|{_END}")
_WORD_OR_SIGN = rf"{WITHOUT_BLANKS}|(?!{WITHOUT_BLANKS})\w(?:(?!{WITHOUT_BLANKS})[\w-])*|{_END}"
_NEW_OR_OLD: Final = "an entry may be a new one, or one of the file in a new version"
CONTESTED: Final = Sign("an entry takes other words next to what is hidden")
_KEPT: Final = Sign("share of its own words that an entry keeps", contests=False, said=_NEW_OR_OLD)
_KEPT_NONE: Final = Sign(
    "an entry keeps no word of its own",
    contests=False,
    said="an entry would be written over another that shares no word with it",
)
_KEYED: Final = Sign("an entry takes the place of a sibling", contests=False, said=_NEW_OR_OLD)


class _Unit(NamedTuple):
    """An entry of the file with what leads to it, the lines of the sketch that are laid onto it, the lines of both that
    it begins with, whether what is hidden is above these, and the line of the sketch between it and that which may be
    its end as well as that of the entry above."""

    old: range
    new: tuple[int, ...]
    head: int
    top: int
    below: bool
    end: int | None


def is_blank(file: Outline, sketch: Outline, step: PathStep) -> bool:
    """Whether a step is over blank lines that are not hidden."""
    return step.layer not in HIDES and not inked_steps(file, sketch, [step])


def _told(laid: Laid) -> dict[str, float]:
    """What tells, of entries next to a marker or to lines that stay without one, whether they are further ones or new
    versions of those that they are laid onto: these may be among what is hidden."""
    file, sketch, found = laid.file, laid.sketch, dict[str, float]()
    for unit in _units(file, sketch, laid.inked):
        if _has_a_siblings_key(file, sketch, unit):
            found[_KEYED.name] = 1.0
        if not takes_other_words(file, unit.old, sketch, unit.new):
            continue
        found[CONTESTED.name] = 1.0
        own, new = _own_words(file, unit), set(words_on(sketch, unit.new))
        if own:
            kept = len(own & new) / len(own)
            found[_KEPT.name] = min(kept, found.get(_KEPT.name, 1.0))
            if not kept:
                found[_KEPT_NONE.name] = 1.0
    return found


def _lines(laid: Laid) -> Iterator[int]:
    """The lines of the sketch that such entries begin with."""
    file, sketch = laid.file, laid.sketch
    for unit in _units(file, sketch, laid.inked):
        if _has_a_siblings_key(file, sketch, unit) or takes_other_words(file, unit.old, sketch, unit.new):
            yield unit.top


def _own_words(file: Outline, unit: _Unit) -> set[str]:
    """The words of the old entry that its neighbours lack."""
    return set(words_on(file, unit.old)).difference(
        word for rows in neighbours(file, unit.old) for word in words_on(file, rows)
    )


def takes_other_words(file: Outline, old: Sequence[int], sketch: Outline, new: Sequence[int]) -> bool:
    """Whether words of the old entry go and others come: one that is only added to is still the same."""
    said, says = Counter(words_on(file, old)), Counter(words_on(sketch, new))
    return bool(said - says) and bool(says - said)


def _beside_siblings(laid: Laid, _: Relaid) -> Iterator[list[PathStep] | None]:
    """For each entry that may be a further one a path that keeps the old one with what is hidden and adds it there."""
    for unit in _units(laid.file, laid.sketch, laid.inked):
        if takes_other_words(laid.file, unit.old, laid.sketch, unit.new):
            yield _beside(laid.file, laid.sketch, laid.path, unit)


def _beside(file: Outline, sketch: Outline, path: Sequence[PathStep], unit: _Unit) -> list[PathStep] | None:
    """The path with the old entry among what is hidden; None where what is shown of it has markers of its own."""
    within = [
        at for at, step in enumerate(path) if step.sketch in unit.new or set(step.lines) & set(unit.old)
    ]
    first, stop = within[0], within[-1] + 1
    # Blank lines between it and what is hidden are no obstacle.
    if unit.below:
        first -= _blank(file, sketch, reversed(path[:first]))
    else:
        stop += _blank(file, sketch, path[stop:])
    steps = path[first:stop]
    if any(step.layer not in (Layer.MATCH, Layer.NEW, Layer.GONE) for step in steps):
        return None
    above, below = list(path[:first]), list(path[stop:])
    # An end is that of the old entry now.
    end = [above.pop()] if unit.end is not None else []
    rows = [row for step in (*end, *steps) for row in step.lines]
    hidden = range(min((*rows, unit.old.start)), max((*rows, unit.old.stop - 1)) + 1 - len(end))
    place = unit.old.stop if unit.below else hidden.start
    new = [PathStep(Layer.NEW, step.sketch, range(place, place)) for step in steps if step.sketch is not None]
    if unit.below:
        match above[-1].layer:
            case Layer.MARK:
                above.append(PathStep(Layer.KEEP, None, hidden))
            case Layer.KEEP | Layer.LEAP:
                above[-1] = above[-1]._replace(lines=range(above[-1].lines.start, hidden.stop))
            case _:
                return None
        return [*above, *(step._replace(lines=range(place - 1, place)) for step in end), *new, *below]
    mark = [below.pop(0)] if below and below[0].layer is Layer.MARK else []
    if below and below[0].layer in (Layer.KEEP, Layer.LEAP):
        below[0] = below[0]._replace(lines=range(hidden.start, below[0].lines.stop))
    elif mark:
        below.insert(0, PathStep(Layer.KEEP, None, hidden))
    elif not below:
        below = [PathStep(Layer.LEAP, None, hidden)]
    else:
        return None
    return [*above, *new, *mark, *below]


def _blank(file: Outline, sketch: Outline, steps: Iterable[PathStep]) -> int:
    """How many steps over blank lines come first."""
    return sum(1 for _ in takewhile(lambda step: is_blank(file, sketch, step), steps))


def _units(file: Outline, sketch: Outline, inked: Sequence[PathStep]) -> Iterator[_Unit]:
    """The changed entries next to what is hidden that have not the name or key of the old ones."""
    inked = _as_changed(file, sketch, inked)
    changed = [
        step.lines.start
        for step in inked
        if step.layer is Layer.MATCH
        and step.sketch is not None
        and sketch.ink[step.sketch] == FULL
        and sketch.stripped[step.sketch] != file.stripped[step.lines.start]
    ]
    starts = [*(file.led_to(row) for row in changed), *_nameless(file, inked)]
    places = {row: at for at, step in enumerate(inked) for row in step.lines} if starts else {}
    looked_at = set[int]()
    for row in starts:
        for head in upwards(file, row):
            if head in looked_at or head not in places or inked[places[head]].layer is not Layer.MATCH:
                break
            looked_at.add(head)
            unit = _beside_what_is_hidden(file, sketch, inked, places, head)
            if unit is not None and not _is_the_same(file, sketch, unit):
                yield unit


def _as_changed(file: Outline, sketch: Outline, inked: Sequence[PathStep]) -> list[PathStep]:
    """The steps with each line that goes and a new one in its place that begins with the same word as one: whether a
    path takes it for changed or for gone makes no other text."""
    found = list[PathStep]()
    for differs, steps in groupby(inked, lambda step: step.layer in (Layer.GONE, Layer.NEW)):
        run = list(steps)
        gone = [step for step in run if step.sketch is None] if differs else []
        new = [step for step in run if step.layer is Layer.NEW] if differs else []
        if len(gone) + len(new) < len(run) or not (gone and new):
            found += run
            continue
        places: dict[tuple[int, str], list[int]] = {}
        for place, step in enumerate(gone):
            if begun := _beginning(file, step.lines.start):
                places.setdefault(begun, []).append(place)
        at = 0
        for step in new:
            assert step.sketch is not None
            begun = _beginning(sketch, step.sketch)
            alike = places.get(begun, []) if begun else []
            first = bisect_left(alike, at)
            if first == len(alike):
                found.append(step)
                continue
            found += [*gone[at : alike[first]], PathStep(Layer.MATCH, step.sketch, gone[alike[first]].lines)]
            at = alike[first] + 1
        found += gone[at:]
    return found


def _beginning(outline: Outline, row: int) -> tuple[int, str] | None:
    """The depth and the first word of a line that says something."""
    word = next(words_on(outline, [row]), None) if outline.ink[row] == FULL else None
    return (outline.widths[row], word) if word else None


def _nameless(file: Outline, inked: Sequence[PathStep]) -> Iterator[int]:
    """The lines that open entries without a name, such as `{` in a list or `[[x]]`, of which lines go where others
    come."""
    for differs, steps in groupby(inked, lambda step: step.layer in (Layer.GONE, Layer.NEW)):
        run = list(steps) if differs else []
        if any(step.layer is Layer.NEW for step in run):
            rows = (row for step in run if step.layer is Layer.GONE for row in step.lines)
            heads = {head for row in rows for head in upwards(file, row) if head != row}
            yield from sorted(head for head in heads if _has_no_name(file, head))


def _has_no_name(file: Outline, head: int) -> bool:
    return file.ink[head] == BARE or (head in file.parts and head not in file.heads)


def upwards(file: Outline, row: int) -> Iterator[int]:
    """The line and those that open the blocks around it, the innermost first."""
    head: int | None = row
    while head is not None:
        yield head
        head = file.parents[head]


def _beside_what_is_hidden(
    file: Outline, sketch: Outline, inked: Sequence[PathStep], places: dict[int, int], head: int
) -> _Unit | None:
    """What begins at a line of the file and is shown, if what stands above or below it is not."""
    entry = entry_at(file, head)
    at = [places[row] for row in entry if row in places]
    first, last = at[0], at[-1]
    top = inked[first].sketch
    assert top is not None
    start = head
    while first and _leads(file, sketch, inked[first - 1], head, start):
        first -= 1
        start -= len(inked[first].lines)
    while last + 1 < len(inked) and inked[last + 1].layer is Layer.NEW:
        line = inked[last + 1].sketch
        if line is None or sketch.widths[line] + is_closer(sketch.texts[line]) <= sketch.widths[top]:
            break
        last += 1
    end = inked[first - 1] if first and _may_end(file, inked[first - 1], entry) else None
    around = [place for place in (first - 1 - (end is not None), last + 1) if 0 <= place < len(inked)]
    # Where a sketch of a part of the file ends, what it is laid onto last may as well stay below.
    ends = len(around) < 2 and any(step.layer in HIDES for step in inked)
    if not ends and not any(_hides_siblings(file, inked[place], head) for place in around):
        return None
    new = (step.sketch for step in inked[first : last + 1])
    shown = tuple(line for line in new if line is not None and line not in sketch.hidden)
    below = bool(around) and around[0] < first and inked[around[0]].layer in HIDES
    return _Unit(range(start, entry.stop), shown, head, top, below, end.sketch if end and below else None)


def _may_end(file: Outline, step: PathStep, entry: range) -> bool:
    """Whether a step shows the end of what is above an entry, which ends with an equal line: what is hidden may go on
    up to that one."""
    last, row = entry.stop - 1, step.lines.start
    return (
        step.layer is Layer.MATCH
        and last > entry.start
        and is_closer(file.texts[last])
        and file.texts[row] == file.texts[last]
    )


def _hides_siblings(file: Outline, step: PathStep, head: int) -> bool:
    """Whether a step hides lines of the block that this line is in. No marker tells where a leap ends."""
    if step.layer is not Layer.LEAP:
        return step.layer in HIDES
    rows = step.lines if step.lines.start > head else reversed(step.lines)
    return file.widths[next(row for row in rows if file.ink[row] != BLANK)] >= file.widths[head]


def _leads(file: Outline, sketch: Outline, step: PathStep, head: int, start: int) -> bool:
    """Whether a step right above what begins at `start` shows or changes what belongs to the entry: a comment, a
    decorator, or a line that begins others too."""
    if step.layer is Layer.NEW:
        return step.sketch is not None and sketch.leads(step.sketch)
    row = step.lines.start
    if row != start - 1 or step.layer not in (Layer.MATCH, Layer.GONE):
        return False
    return file.leads(row) or (step.layer is Layer.MATCH and _begins_others(file, row, head))


def _is_the_same(file: Outline, sketch: Outline, unit: _Unit) -> bool:
    """Whether both have one name, give one key its value, or import a name in common."""
    head, top = unit.head, unit.top
    if any(head in rows for rows in imports_of(file)):
        old, new = (
            bound_by(file.texts, unit.old, file.language),
            bound_by(sketch.texts, unit.new, sketch.language),
        )
        return not old.isdisjoint(new)
    name, target = file.heads.get(head), target_of(file.texts[head])
    several = any(file.heads.get(rows.start) == name for rows in neighbours(file, unit.old))
    return (name is not None and not several and name == sketch.heads.get(top)) or (
        target is not None and target == target_of(sketch.texts[top])
    )


def _has_a_siblings_key(file: Outline, sketch: Outline, unit: _Unit) -> bool:
    """Whether the entry parts from the old one no later than from that one's neighbours. Where entries of a kind part
    first is their key: the second word of `path("login/", views.login)`."""
    new = list(words_on(sketch, unit.new))
    with_old = shared(new, words_on(file, unit.old))
    keyed = all(map(target_of, (sketch.texts[unit.top], file.texts[unit.head])))
    for rows in neighbours(file, unit.old):
        with_kin = shared(new, words_on(file, rows))
        of_a_kind = with_kin > 0 or (keyed and target_of(file.texts[rows.start]) is not None)
        if of_a_kind and with_kin >= with_old:
            return True
    return False


def shared(one: Iterable[str], other: Iterable[str]) -> int:
    """How many words both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def neighbours(file: Outline, unit: range) -> Iterator[range]:
    """The entries of the same block right above and below, where there are any; of parts those of the same level, and
    all of them where they have no names, with what stands above the first."""
    if unit.start in file.parts:
        heads = [head for head, level in file.parts.items() if level == file.parts[unit.start]]
        at = heads.index(unit.start)
        if unit.start not in file.heads:
            yield from (entry_at(file, head) for head in heads if head != unit.start)
            yield range(next(iter(file.parts)))
            return
        yield from (entry_at(file, head) for head in (*heads[at - 1 : at], *heads[at + 1 : at + 2]))
        return
    width = file.widths[unit.start]
    for rows in (range(unit.start - 1, -1, -1), range(unit.stop, len(file.texts))):
        for row in rows:
            if file.ink[row] == BLANK:
                continue
            if file.widths[row] < width:
                break
            if file.widths[row] == width and not (is_closer(file.texts[row]) or file.comments(row)):
                yield range(_start(file, row), entry_at(file, row).stop)
                break


def _start(file: Outline, head: int) -> int:
    """The first of the lines right above that begin other entries too."""
    while head and _begins_others(file, head - 1, head):
        head -= 1
    return head


def _begins_others(file: Outline, row: int, head: int) -> bool:
    return (
        file.counts[file.stripped[row]] > 1
        and file.widths[row] == file.widths[head]
        and file.ink[row] != BLANK
        and not is_closer(file.texts[row])
    )


def entry_at(file: Outline, head: int) -> range:
    """A line and the block that it opens."""
    return range(head, file.block_end(head))


def words_on(outline: Outline, rows: Sequence[int]) -> Iterator[str]:
    """Those of the lines that are no comments."""
    return (word for row in rows if not outline.comments(row) for word in _words(outline.texts[row]))


def _words(text: str) -> list[str]:
    return _WORD.findall(text) if text.isascii() else re.findall(_WORD_OR_SIGN, text)


SIBLINGS: Final = Kind(
    "Is an entry a new one, or a new version of the one that it is aligned with, which may be among what is hidden?",
    (CONTESTED, _KEPT, _KEPT_NONE, _KEYED),
    _told,
    _beside_siblings,
    _lines,
)
