"""What a prompt shows of a long file besides its outline: the places in question, what they use and what uses them, and
what else tells of the instruction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from fastedit.english.said import read
from fastedit.locate.filemap import FileMap, file_map
from fastedit.locate.naming import SIMPLE
from fastedit.plan.base import DocumentTask, tokens_of
from fastedit.plan.context import file_part, is_whole, place_part
from fastedit.plan.telling import Telling
from fastedit.request import LineRange
from fastedit.source.definitions import Definition

# Of the budget: for the places, for what else is shown even where they leave less, and for that where there are none.
_PLACES, _BESIDE, _TELLING = 3 / 4, 3 / 16, 1 / 4
_UNIT = 1 / 16  # of the budget, that a part of the file may take which is shown for its words
_SMALL = 24  # lines of a definition that is shown whole for a use of it, or in it
_NEAR = 2  # lines around a use in a longer one
_WORD = re.compile(r"[^\W\d]\w*")


def places_budget(task: DocumentTask) -> int:
    """Tokens of the regions that a prompt shows of a longer file."""
    return int(_PLACES * task.budget)


def places_part(task: DocumentTask) -> str:
    """The places, and which names of the instruction the file has not got."""
    found = [] if is_whole(task) else [*(_said(task, lines) for lines in places(task)), _absent(task)]
    return "\n\n".join(filter(None, found))


def places(task: DocumentTask) -> list[LineRange]:
    """The lines of a long file that a prompt shows besides its imports: the regions, in whole definitions as far as
    these have room, and as much of the rest as the budget has tokens for."""
    found = _around(task)
    spent = tokens_of(file_part(task)) + sum(tokens_of(_said(task, lines)) for lines in found)
    shown = _head(task).union(*(range(lines.start, lines.stop) for lines in found))
    rest = max(task.budget - spent, _BESIDE * task.budget) if found else _TELLING * task.budget
    return [*found, *_within(task, _beside(task, found), rest, shown)]


def _said(task: DocumentTask, lines: LineRange) -> str:
    around = file_map(task.document).innermost(lines.start, lines.stop)
    inside = "in " if around and len(around) > len(lines) else ""
    return place_part(task, lines, f"{inside}{around.kind} {around.dotted}" if around else "")


def _absent(task: DocumentTask) -> str:
    text = task.document.text
    names = [m.text for m in read(task.instruction or "").mentions if m.sure and SIMPLE.fullmatch(m.text)]
    absent = [name for name in dict.fromkeys(names) if any(part not in text for part in _WORD.findall(name))]
    return f"Not in this file: {', '.join(f'`{name}`' for name in absent)}." if absent else ""


def _head(task: DocumentTask) -> set[int]:
    block = file_map(task.document).import_block
    return {*range(block.start, block.stop)}


def _around(task: DocumentTask) -> list[LineRange]:
    """As many of the regions as their part of the budget has tokens for, at least one; around each the definition that
    it is in where that has room, too."""
    left, found = places_budget(task), list[LineRange]()
    for region in task.regions:
        left -= tokens_of(task.text_of(region))
        if left < 0 and found:
            break
        found.append(LineRange(region.start, region.stop))
    for at, lines in enumerate(found if task.stretch is None else ()):
        if definition := file_map(task.document).innermost(lines.start, lines.stop):
            whole = LineRange(definition.start, definition.stop)
            more = tokens_of(task.text_of(whole)) - tokens_of(task.text_of(lines))
            found[at], left = (whole, left - more) if more <= left else (lines, left)
    return [lines for lines in dict.fromkeys(found) if not any(_inside(lines, other) for other in found)]


def _inside(lines: LineRange, other: LineRange) -> bool:
    return other.holds(lines.start, lines.stop) and lines != other


def _within(
    task: DocumentTask, parts: Iterable[LineRange], budget: float, shown: set[int]
) -> list[LineRange]:
    """As many of the parts as the budget has tokens for, without what is `shown`; in the file's order, and those that
    follow on each other as one."""
    found, texts = list[LineRange](), task.document.lines
    for lines in (each for part in parts for each in _hidden(task, part, shown)):
        budget -= tokens_of(_said(task, lines)) + 1
        if budget < 0:
            break
        found.append(lines)
        shown.update(range(lines.start, lines.stop))
    joined = list[LineRange]()
    for lines in sorted(found, key=lambda each: each.start):
        follows = bool(joined) and not any(texts[joined[-1].stop : lines.start])
        joined.append(LineRange(joined.pop().start, lines.stop) if follows else lines)
    return joined


def _hidden(task: DocumentTask, lines: LineRange, shown: set[int]) -> Iterator[LineRange]:
    """What of the lines is not shown yet, without blank ones at its ends."""
    for is_shown, rows in groupby(range(lines.start, lines.stop), shown.__contains__):
        inked = [row for row in rows if task.document.lines[row].strip()]
        if inked and not is_shown:
            yield LineRange(inked[0], inked[-1] + 1)


def _beside(task: DocumentTask, around: Sequence[LineRange]) -> list[LineRange]:
    """What else may be needed, what tells most of the instruction first."""
    telling, parts = _telling(task), [*_used(task, around)]
    if not around or (task.scope is None and task.stretch is None):
        parts += [*_users(task, around), *telling.ranked()]
    return sorted(parts, key=telling.of, reverse=True)


def _telling(task: DocumentTask) -> Telling:
    said = task.unplaced or task.instruction or task.update or ""
    return Telling(file_map(task.document), said, int(_UNIT * task.budget))


def _used(task: DocumentTask, around: Sequence[LineRange]) -> Iterator[LineRange]:
    """The definitions elsewhere in the file that the places name."""
    structure = file_map(task.document)
    words = {word for lines in around for word in _WORD.findall(task.text_of(lines))}
    for item in _told_by_name(structure):
        beside = not any(lines.start < item.stop and item.start < lines.stop for lines in around)
        if item.name in words and beside and _stands_in(around, structure.lines_with(item.name)):
            stop = item.stop if len(item) <= _SMALL else max(item.body, item.header + 1)
            yield LineRange(item.start, stop)


def _users(task: DocumentTask, around: Sequence[LineRange]) -> Iterator[LineRange]:
    """Where else in the file the definitions at the places are used: what a change of them may have to change too."""
    structure = file_map(task.document)
    for item in _told_by_name(structure):
        for line in structure.lines_with(item.name) if _stands_in(around, (item.header,)) else ():
            user = structure.innermost(line, line + 1)
            lines = LineRange(max(line - _NEAR, 0), min(line + _NEAR + 1, len(structure.lines)))
            yield LineRange(user.start, user.stop) if user and len(user) <= _SMALL else lines


def _told_by_name(structure: FileMap) -> list[Definition]:
    """The definitions whose name tells them from all others of the file, as `__init__` does not."""
    paths: dict[str, set[tuple[str, ...]]] = {}
    for item in structure.definitions:
        paths.setdefault(item.name, set()).add(item.path)
    return [item for item in structure.definitions if len(paths[item.name]) == 1]


def _stands_in(around: Sequence[LineRange], lines: Iterable[int]) -> bool:
    """Whether one of the lines is among the places."""
    return any(place.start <= line < place.stop for line in lines for place in around)
