"""Whether an answer does what the instruction says: cheap tests that a wrong answer of a small model rarely passes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from fastedit.edit.change import Change, inked, short
from fastedit.edit.definitions import definitions, named
from fastedit.edit.imports import imports
from fastedit.edit.instruction import Instruction, whole_word
from fastedit.edit.outline import blank_lines
from fastedit.edit.request import LineRange

# Words of an instruction that only adds, unless one of the others stands beside them.
_ADDITIVE = re.compile(
    r"\b(?:add|also|insert|append|put|prepend|annotate|document|decorate|docstring|default|guard|early|wrap|surround"
    r"|catch|accept|take|parameter|log|begin|first|start)\b",
    re.IGNORECASE,
)
_CHANGING = re.compile(
    r"\b(?:replace|change|rename|instead|rather|swap|convert|move|remove|delete|drop|fix|refactor|rewrite|simplify|update"
    r"|modify|turn|use|rid|inline|extract|split|merge|sort|clean|improve)\b",
    re.IGNORECASE,
)

Check = Callable[[Change, Instruction, Sequence[LineRange]], Iterator[str]]

_ADDS = re.compile(r"\b(?:add|insert|append|put|write|create|prepend)\b", re.IGNORECASE)


def _renamed(change: Change, said: Instruction, regions: Sequence[LineRange]) -> Iterator[str]:
    """A rename leaves none of the old name in its regions, but for what an import has of the same name, and changes
    nothing else."""
    rename = said.rename
    if rename is None:
        return
    old, new = (re.split(r"\.|::", name)[-1] for name in (rename.old, rename.new))
    pattern = whole_word(old)
    others = _of_imports(change, old, pattern)
    if others is not None and (place := _first_loss(change, others)) is not None:
        yield f"`{others.findall(change.old[place])[0]}` changes too at line {place + 1}, which is not the file's own"
        return
    if change.new_syntax is not None:
        left = [
            line
            for line in change.new_syntax.identifiers.get(old, ())
            if others is None or pattern.search(others.sub("", change.new[line]))
        ]
        still = [line for line in left if any(a <= line < b for a, b in _moved(change, regions))]
        if still:
            yield f"`{old}` still stands on line {still[0] + 1}"
    elif not change.hunks:
        yield f"`{old}` was not renamed"
    if change.update is not None or not rename.alone:
        return
    for hunk in change.hunks:
        before = [pattern.sub(new, line) for line in change.old[hunk.start : hunk.stop]]
        if before != [pattern.sub(new, line) for line in hunk.lines]:
            yield f"more than the name `{old}` changes at line {hunk.start + 1}"
            return


def _of_imports(change: Change, name: str, pattern: re.Pattern[str]) -> re.Pattern[str] | None:
    """Finds `module.name` for what the file imports, where the name also stands on its own."""
    if change.old_syntax is None:
        return None
    modules = {module for found in imports(change.old_syntax) for module in found.names}
    if not modules:
        return None
    spelled = "|".join(map(re.escape, sorted(modules)))
    others = re.compile(rf"(?<![\w$.])(?:{spelled})\.{re.escape(name)}(?![\w$])")
    own = any(pattern.search(others.sub("", line)) for line in change.old)
    return others if own else None


def _first_loss(change: Change, pattern: re.Pattern[str]) -> int | None:
    """The first line that has what the pattern finds, in a hunk that leaves less of it."""
    for hunk in change.hunks:
        had = [line for line in range(hunk.start, hunk.stop) if pattern.search(change.old[line])]
        if sum(bool(pattern.search(line)) for line in hunk.lines) < len(had):
            return had[0]
    return None


def _moved(change: Change, regions: Sequence[LineRange]) -> list[tuple[int, int]]:
    """Where the regions lie in the result."""

    def behind(line: int) -> int:
        hunks = [hunk for hunk in change.hunks if hunk.stop <= line]
        return line + sum(len(hunk.lines) - (hunk.stop - hunk.start) for hunk in hunks)

    return [(behind(region.start), behind(region.stop)) for region in regions]


def _replaced(change: Change, said: Instruction, regions: Sequence[LineRange]) -> Iterator[str]:
    """A replacement changes nothing but what is replaced."""
    asked = said.replacement
    if asked is None or change.update is not None or asked.old not in change.document.text:
        return
    for hunk in change.hunks:
        before, after = "\n".join(change.old[hunk.start : hunk.stop]), "\n".join(hunk.lines)
        if not _becomes(before, after, asked.old, asked.new):
            yield f"more than {short(asked.old)} changes at line {hunk.start + 1}"
            return
    if not change.hunks:
        yield f"{short(asked.old)} is still there"


def _becomes(before: str, after: str, old: str, new: str) -> bool:
    """Whether `after` is `before` with one or all of the `old` in it made `new`."""
    places = [found.start() for found in re.finditer(re.escape(old), before)]
    one = (before[:at] + new + before[at + len(old) :] for at in places)
    return bool(places) and after in (before.replace(old, new), *one)


def _inserted(change: Change, said: Instruction, regions: Sequence[LineRange]) -> Iterator[str]:
    """Lines to be inserted next to a line stand there, and nothing else changes."""
    asked = said.insertion
    places = [] if asked is None else [n for n, line in enumerate(change.old) if line.strip() == asked.anchor]
    if asked is None or not places or change.update is not None:
        return
    old, new = ([line.strip() for line in lines] for lines in (change.old, change.new))
    cuts = [place + (not asked.before) for place in places]
    if not any([*old[:cut], *asked.lines, *old[cut:]] == new for cut in cuts):
        side = "before" if asked.before else "behind"
        yield f"{short(asked.lines[0])} is not all that is new, right {side} {short(asked.anchor)}"


def _deleted(change: Change, said: Instruction, regions: Sequence[LineRange]) -> Iterator[str]:
    """What was to be deleted is gone, and with a definition or a line nothing but that unless more is asked for."""
    target = said.deleted
    if target is None or change.update is not None:
        return
    alone = len(said.parts) == 1
    named_so = named(change.old_syntax, target.text)
    item = named_so[0] if len(named_so) == 1 else None
    if item is not None and change.new_syntax is not None:
        if any(d.path == item.path for d in definitions(change.new_syntax)):
            # "remove the decorator cache from load" may name a definition by chance.
            if target.kind or not change.hunks or not any(m.place for m in said.mentions):
                yield f"{item.dotted} is still there"
        elif alone:
            cuts = [range(first, item.stop) for first in range(item.start, item.header + 1)]
            yield from _nothing_else(change, cuts)
        return
    lines = [n for n, line in enumerate(change.old) if line.strip() == target.text.strip()]
    if lines and target.quoted:
        if Counter(inked(change.new))[target.text.strip()] >= len(lines):
            yield f"{short(target.text)} is still there"
        elif alone and not _ADDS.search(said.prose):
            yield from _nothing_else(change, [lines, *([line] for line in lines)])
    elif not change.hunks:
        yield "nothing was deleted"


def _nothing_else(change: Change, cuts: Sequence[Sequence[int]]) -> Iterator[str]:
    """The result is the original without the lines of one of the `cuts`; with a definition, which is a range, go the
    blank lines on one side of it.
    """
    for cut in cuts:
        rest = tuple(line for n, line in enumerate(change.old) if n not in cut)
        if inked(rest) == inked(change.new):
            sides = {blank_lines(change.old, cut[0] - 1, -1), blank_lines(change.old, cut[-1] + 1, 1)}
            spare = (sides | {0} if 0 in sides else sides) if isinstance(cut, range) else {0}
            if len(rest) - len(change.new) not in spare:
                yield "blank lines change that were not to be deleted"
            return
    yield "more changes than what was to be deleted"


def _added(change: Change, said: Instruction, regions: Sequence[LineRange]) -> Iterator[str]:
    """What only adds takes nothing away, and adds within a line only where the line has something that it names."""
    only = _ADDITIVE.search(said.prose) and not _CHANGING.search(said.prose)
    if not only or said.deletes or change.update is not None:
        return
    names = [mention.text for mention in said.mentions]
    for hunk in change.hunks:
        before, after = "\n".join(change.old[hunk.start : hunk.stop]), "\n".join(hunk.lines)
        if not _within("".join(before.split()), "".join(after.split())):
            yield f"text goes at line {hunk.start + 1}, and nothing was to go"
            return
        if before.strip() and not any(name in before for name in names):
            yield f"line {hunk.start + 1} changes, which the instruction does not name"
            return


def _within(less: str, more: str) -> bool:
    """Whether `more` is `less` with something put in."""
    rest = iter(more)
    return all(character in rest for character in less)


CONSISTENCY_CHECKS: tuple[Check, ...] = (_renamed, _replaced, _inserted, _deleted, _added)
