"""Blocks of the file that go for blocks of a sketch which are no versions of them by what identifies a block, next to
what is hidden: what is shown may as well be new, and the old block among what is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import islice
from typing import Final, NamedTuple

from fastedit.sketch.paths.lattice import HIDES, Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.reading import BARE, BLANK, FULL, WORD, Outline, target_of
from fastedit.sketch.rivals.base import MOST, Kind, Laid, Sign
from fastedit.sketch.rivals.siblings import entry_at, neighbours, shared, words_on
from fastedit.source.outline import STRING, is_closer

UNLIKE: Final = Sign("a block goes for one that is unlike it, next to what is hidden", -1.0)
_PARTING: Final = Sign("a block goes for another one, next to what is hidden", 0.0)
AWAY: Final = Sign("a block goes that stands in another block than what is shown next to it", -2.5)
_SPANS: Final = Sign("a block goes for one that takes lines of the next as well", -1.0)
_HOLLOW: Final = Sign("the first line of a block stays above another block that takes the rest", -1.0)
_MOST = 0.5  # share of words, and of lines
_TELLING = 2  # words of a line that identifies a block
_RECEIVER = re.compile(r"\(\s*+(?:\w++\s++)?+[^\w()]*+(\w++)[^()]*+\)\s*+$")  # right before a name, as in Go
_LONGEST = 200  # words of an entry that are compared


class Replaced(NamedTuple):
    """The lines of a block of the file, those of the sketch that are laid onto it, the lines that both begin with,
    comments aside, the first and last step over any of them, with what goes next to them, what tells that the old
    block may be meant to stay, and whether other lines between it and one that has the rest go."""

    old: range
    new: tuple[int, ...]
    head: int
    top: int
    first: int
    last: int
    signs: tuple[Sign, ...] = ()
    beyond: bool = False


def _told(laid: Laid) -> dict[str, float]:
    """What tells of such blocks that they may be meant to stay."""
    blocks = replaced(laid.file, laid.sketch, laid.inked)
    return {sign.name: 1.0 for block in blocks for sign in block.signs}


def _as_new(laid: Laid, relaid: Relaid) -> Iterator[list[PathStep] | None]:
    """For each such block the likeliest path in which it is new, and the old one and what goes with it stay; or in
    which it takes no lines of the next block, where it does."""
    for block in islice(replaced(laid.file, laid.sketch, laid.inked), MOST):
        if block.beyond:
            shown = range(block.top, entry_at(laid.sketch, block.top).stop)
            yield relaid.laid_on(shown, block.old, {block.top: block.head}, whole=True)
        else:
            over = (step.lines for step in laid.inked[block.first : block.last + 1])
            yield relaid.with_new(block.new, (block.old, *over))


def goes_for_another(laid: Laid) -> bool:
    """Whether there is such a block: that both have some lines tells nothing then."""
    return next(replaced(laid.file, laid.sketch, laid.inked), None) is not None


def _signs(file: Outline, sketch: Outline, inked: Sequence[PathStep], block: Replaced) -> Iterator[Sign]:
    """What tells that a block is no version of the old one, and then whether its head stays; none for one that is."""
    is_version = True
    if _is_another(file, sketch, block):
        is_version = False
        yield UNLIKE if _differ(file, range(block.head, block.old.stop), sketch, _shown(block)) else _PARTING
    if _is_away(file, sketch, inked, block):
        is_version = False
        yield AWAY
    if _spans_another(file, inked, block):
        is_version = False
        yield _SPANS
    if not is_version and not any(block.head in step.lines for step in inked[block.first : block.last + 1]):
        yield _HOLLOW


def _shown(block: Replaced) -> list[int]:
    """The lines of the sketch's block without what stands above its first."""
    return [row for row in block.new if row >= block.top]


def are_unlike(file: Outline, old: Sequence[int], sketch: Outline, new: Sequence[int]) -> bool:
    """Whether a block of the sketch has neither half of what identifies one of the file, of several lines, nor most of
    these."""
    return len(old) > 1 and _differ(file, old, sketch, new)


def _differ(file: Outline, old: Sequence[int], sketch: Outline, new: Sequence[int]) -> bool:
    """Whether two blocks have less than half of the words that identify them in common, and the new one has no more
    than half of the other lines of the old one."""
    rows = [row for row in old if file.ink[row] != BLANK]
    one_line = (len(rows) == 1) != (len(new) == 1)  # which one of them words stand on tells nothing then
    if one_line and _share(set(words_on(file, rows)), set(words_on(sketch, new))) >= _MOST:
        return False
    told, kind = _identifying(file, rows)
    said = set(islice(words_on(file, [told]), kind, None))
    says = set(islice(words_on(sketch, [_opposite(rows, told, new)]), kind, None))
    lines = [_said(file, row) for row in rows if row > told and file.ink[row] == FULL]
    shown = {_said(sketch, row) for row in new}
    share = sum(line in shown for line in lines) / len(lines) if lines else _MOST
    return _share(said, says) < _MOST and share <= _MOST


def _share(one: Set[str], other: Set[str]) -> float:
    """Of the words of both, those that they have in common."""
    return len(one & other) / max(len(one | other), 1)


def _opposite(rows: Sequence[int], row: int, new: Sequence[int]) -> int:
    """The line of the sketch's block that stands as far below its first as one of these does, or its last."""
    return new[min(rows.index(row), len(new) - 1)]


def _said(text: Outline, row: int) -> str:
    return text.stripped[row].rstrip(",")  # which belongs to the list


def _said_in(text: Outline, rows: Sequence[int]) -> set[str]:
    return {_said(text, row) for row in rows if text.ink[row] == FULL}


def _are_of_a_kind(file: Outline, sketch: Outline, block: Replaced) -> bool:
    """Whether both blocks begin with the same line, as others next to the old one do, and have a key in common."""
    first = file.stripped[block.head]
    if sketch.stripped[block.top] != first or not any(
        file.stripped[rows.start] == first for rows in neighbours(file, block.old)
    ):
        return False
    old, new = (
        {target_of(text.texts[row]) for row in entry_at(text, head)[1:]} - {None}
        for text, head in ((file, block.head), (sketch, block.top))
    )
    return not old.isdisjoint(new)


def _is_away(file: Outline, sketch: Outline, inked: Sequence[PathStep], block: Replaced) -> bool:
    """Whether the old block stands beyond the end of the block that the sketch shows the line above it in, with no
    marker between."""
    at = block.first - 1
    while at >= 0 and inked[at].layer is not Layer.MATCH:
        if inked[at].sketch in sketch.hidden:
            return False
        at -= 1
    if at < 0 or file.row_above(block.head) == inked[at].lines.start:
        return False
    line, row = inked[at].sketch, inked[at].lines.start
    if line is None or sketch.parents[line] != sketch.parents[block.top]:
        return False
    return file.chains[row] != file.chains[block.head] or file.parents[row] != file.parents[block.head]


def _spans_another(file: Outline, inked: Sequence[PathStep], block: Replaced) -> bool:
    """Whether lines of the sketch's block are those of the next block of the file as well. A line that goes for one
    that opens a block around what is below it is none."""
    return len(block.old) > 1 and any(
        step.layer is Layer.MATCH and step.lines.start >= block.old.stop and file.ink[step.lines.start] > BARE
        for step in inked[block.first : block.last + 1]
    )


def _goes_beyond(file: Outline, inked: Sequence[PathStep], block: Replaced) -> bool:
    """Whether lines between the old block and another go that is as deep, of which lines stay."""
    return any(
        step.layer is Layer.GONE
        and row >= block.old.stop
        and file.widths[row] == file.widths[block.head]
        and file.ink[row] > BARE
        and not file.comments(row)
        and file.stripped[row] != file.stripped[block.head]
        for step in inked[block.first : block.last + 1]
        for row in step.lines
    )


def _telling(text: Outline, rows: Sequence[int]) -> int:
    """The line that identifies a block: the first that says more than what kind of block it is."""
    return next(
        (row for row in rows if sum(1 for _ in islice(words_on(text, [row]), _TELLING)) == _TELLING), rows[0]
    )


def replaced(file: Outline, sketch: Outline, inked: Sequence[PathStep]) -> Iterator[Replaced]:
    """`inked` are a path's steps over lines that are not blank."""
    at: dict[int | None, int] = {
        step.sketch: place for place, step in enumerate(inked) if step.sketch is not None
    }
    done = 0
    for top in sorted(row for row in at if row is not None):
        if top < done or top in sketch.hidden or sketch.comments(top) or is_closer(sketch.texts[top]):
            continue
        entry = entry_at(sketch, top)
        new = [row for row in entry if row in at]
        if not sketch.hidden.isdisjoint(new):
            continue
        steps = [inked[at[row]] for row in new]
        found = _block(file, sketch, inked, at, new)
        beyond = found is not None and _goes_beyond(file, inked, found)
        if all(_is_same(file, sketch, step) for step in steps) and not beyond:
            done = entry.stop
            continue
        # Lines or keys that both have are what such a text is likely for.
        if found is None or (
            _said_in(sketch, new).isdisjoint(_said_in(file, found.old))
            and not _are_of_a_kind(file, sketch, found)
        ):
            continue
        if signs := tuple(_signs(file, sketch, inked, found)):
            done = entry.stop
            if _next_to_hidden(file, inked, found):
                yield found._replace(signs=signs, beyond=beyond)


def _is_same(file: Outline, sketch: Outline, step: PathStep) -> bool:
    return (
        step.layer is Layer.MATCH
        and step.sketch is not None
        and sketch.stripped[step.sketch] == file.stripped[step.lines.start]
    )


def _block(
    file: Outline, sketch: Outline, inked: Sequence[PathStep], at: dict[int | None, int], new: Sequence[int]
) -> Replaced | None:
    """The block of the file that these lines of the sketch are laid onto."""
    top, first, last = new[0], at[new[0]], at[new[-1]]
    while first and inked[first - 1].layer is Layer.GONE and inked[first - 1].sketch is None:
        first -= 1
    while last + 1 < len(inked) and inked[last + 1].layer is Layer.GONE and inked[last + 1].sketch is None:
        last += 1
    within = inked[first : last + 1]
    if any(step.layer in HIDES for step in within):
        return None
    gone = (step.lines for step in within if step.layer in (Layer.GONE, Layer.MATCH))
    rows = [row for lines in gone for row in lines if file.ink[row] != BLANK]
    if not rows:
        return None
    head = _head(file, sketch, within, top, rows)
    if head is None:
        return None
    start, lead = head, top
    while start and file.leads(start - 1) and file.stripped[start - 1]:
        start -= 1
    while lead and _leads(sketch, inked, at, lead - 1):
        lead -= 1
    above = list(range(lead, top))
    if above:
        first = min(first, at[above[0]])
    return Replaced(range(start, entry_at(file, head).stop), (*above, *new), head, top, first, last)


def _leads(sketch: Outline, inked: Sequence[PathStep], at: dict[int | None, int], line: int) -> bool:
    """Whether a line of the sketch is a comment or decorator of the code below it."""
    return line in at and sketch.leads(line) and inked[at[line]].layer in (Layer.MATCH, Layer.NEW)


def _head(
    file: Outline, sketch: Outline, within: Sequence[PathStep], top: int, rows: Sequence[int]
) -> int | None:
    matched = [(step.sketch, step.lines.start) for step in within if step.layer is Layer.MATCH]
    for line, row in matched:
        assert line is not None
        if line == top:
            return row
    width = min(file.widths[row] for row in rows)
    if matched:
        line, row = matched[0]
        assert line is not None
        width = file.widths[row] + sketch.widths[top] - sketch.widths[line]
    for row in rows:
        if file.widths[row] == width and not is_closer(file.texts[row]) and not file.comments(row):
            return row
    above: int | None = rows[0]
    while above is not None and file.widths[above] > width:
        above = file.parents[above]
    if above is None or file.widths[above] != width or file.ink[above] == BLANK:
        return None
    return above


def _is_another(file: Outline, sketch: Outline, block: Replaced) -> bool:
    """Whether what identifies the old block is another in the sketch: the name of a definition, with what it is of and
    what it takes where there are several; the key of an entry; the first line on which others of its kind differ."""
    head, top = block.head, block.top
    old, mine = file.heads.get(head), sketch.heads.get(top)
    if old is not None and mine is not None and not (old == mine and _are_of_a_kind(file, sketch, block)):
        return old != mine or _is_namesake(file, sketch, block)
    if head in file.imports:
        return False
    rows = [row for row in range(head, block.old.stop) if file.ink[row] != BLANK]
    told, _ = _identifying(file, rows)
    target = target_of(file.texts[told])
    if told == head and target is not None:
        return target != target_of(sketch.texts[top])
    said = _said(file, told)
    if any(_said(sketch, row) == said for row in block.new):
        return False
    return not is_version(file.texts[told], sketch.texts[_opposite(rows, told, _shown(block))])


def is_version(old: str, new: str) -> bool:
    """Whether words only come to a line, or only go from it; what a string says is one word."""
    one, other = ({*STRING.findall(text), *WORD.findall(STRING.sub("", text))} for text in (old, new))
    return bool(one and other) and (one <= other or other <= one)


def _is_namesake(file: Outline, sketch: Outline, block: Replaced) -> bool:
    """Whether a definition of the same name is of something else, or takes something else than one of several."""
    head, top = block.head, block.top
    name = file.heads.get(head)
    if name is None or sketch.heads.get(top) != name:
        return False
    theirs, mine = file.stripped[head].partition(name), sketch.stripped[top].partition(name)
    of, other = (_RECEIVER.search(one[0]) for one in (theirs, mine))
    if (of and of[1]) != (other and other[1]):
        return True
    around = file.chains[head][:-1]
    several = sum(known == name and file.chains[row][:-1] == around for row, known in file.heads.items())
    if several > 1:
        return theirs[2] != mine[2]
    old, new = _types(theirs[2]), _types(mine[2])
    return file.language.overloads and old != new and len(old) == len(new)


def _types(signature: str) -> list[tuple[str, ...]]:
    """What each parameter takes, of what stands behind the name of a definition."""
    inner = signature.partition("(")[2].rpartition(")")[0]
    found = list[tuple[str, ...]]()
    for parameter in inner.split(","):
        declared, _, _ = parameter.partition("=")
        _, colon, kind = declared.partition(":")
        words = tuple(WORD.findall(kind if colon and "::" not in declared else declared))
        found.append(words if colon and "::" not in declared else words[:-1])
    return found


def _identifying(file: Outline, rows: Sequence[int]) -> tuple[int, int]:
    """The line on which a block parts from those of its kind next to it, and how many words of it these begin with as
    well; where there are none, the first that says more than of what kind it is."""
    whole = range(rows[0], rows[-1] + 1)
    words = list(islice(words_on(file, whole), _LONGEST))
    both = max((shared(words_on(file, near), words) for near in neighbours(file, whole)), default=0)
    for row in rows if both else ():
        own = sum(1 for _ in words_on(file, [row]))
        if both < own:
            return row, both
        both -= own
    return _telling(file, rows), 0


def _next_to_hidden(file: Outline, inked: Sequence[PathStep], block: Replaced) -> bool:
    around = [step for step in _around(inked, block) if step is not None]
    if any(step.layer in HIDES for step in around):
        return True
    return len(around) < 2 and any(step.layer in HIDES for step in inked)


def _around(inked: Sequence[PathStep], block: Replaced) -> tuple[PathStep | None, PathStep | None]:
    """What is shown, hidden or stays above and below the block and others that come or go next to it."""
    before, after = block.first - 1, block.last + 1
    while before >= 0 and inked[before].layer in (Layer.NEW, Layer.GONE):
        before -= 1
    while after < len(inked) and inked[after].layer in (Layer.NEW, Layer.GONE):
        after += 1
    return (
        inked[before] if before >= 0 else None,
        inked[after] if after < len(inked) else None,
    )


REPLACED: Final = Kind(
    "Does a block go for one of another name, key, condition or receiver, or is that one new?",
    (UNLIKE, _PARTING, AWAY, _SPANS, _HOLLOW),
    _told,
    _as_new,
    of_best=True,
)
