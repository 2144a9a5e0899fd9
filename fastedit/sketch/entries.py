"""The entries of two texts, such as a file and an update for it: which of them both have, block by block."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from fastedit.sketch.read.reading import BARE, WORD, Outline, target_of
from fastedit.source.outline import indentation, is_closer, masked

_OPENING, _CLOSING = frozenset("{["), frozenset("}]")
_DEEPEST = 100  # what no file nests beyond, but such as would make long lines of each bracket


class Matched(NamedTuple):
    """The entries of one block in both texts, by their first lines: those that only the old or only the new one has,
    and those that are the same, or changed."""

    gone: Sequence[int]
    added: Sequence[int]
    same: Sequence[tuple[int, int]]
    changed: Sequence[tuple[int, int]]


class Entries:
    """Each line that says something is an entry of the one that opens its block; what only closes a block is none."""

    def __init__(self, text: Outline) -> None:
        self.text = text
        rows = [row for row in text.inked if not self._closes(row)]
        self._within = defaultdict[int | None, list[int]](list)
        for row in rows:
            self._within[text.parents[row]].append(row)
        self._last: dict[int, int] = {}
        self._wholes: dict[int, int] = {}
        for row in reversed(rows):
            inner = self.within(row)
            self._last[row] = self._last.get(inner[-1], row) if inner else row
            self._wholes[row] = hash((self._said(row), *self._inside(row)))

    def within(self, row: int | None) -> Sequence[int]:
        """The entries of an entry's block, None for the outermost ones."""
        return self._within.get(row, ())

    def name(self, row: int) -> str:
        """What an entry is known by though its value changes."""
        return self.text.heads.get(row) or target_of(self.text.texts[row]) or self._said(row)

    def whole(self, row: int) -> int:
        """A number for what an entry says, with all that is within."""
        return self._wholes[row]

    def lines(self, row: int) -> Sequence[int]:
        """The lines of an entry, the last of which may close its block."""
        stop = self._last[row] + 1
        below = next((each for each in range(stop, len(self.text.texts)) if self.text.stripped[each]), None)
        if below is not None and self._closes(below) and self.text.parents[below] == row:
            stop = below + 1
        return range(row, stop)

    def ends(self, row: int) -> Sequence[int]:
        """The first line of an entry, and that which closes its block."""
        last = self.lines(row)[-1]
        return (row, last) if last > self._last[row] else (row,)

    def _inside(self, row: int) -> Iterator[object]:
        """What stands within an entry: the numbers of other entries, and what only closes a block."""
        at = row + 1
        while at <= self._last[row]:
            if at in self._wholes:
                yield self._wholes[at]
                at = self._last[at]
            elif self.text.stripped[at]:
                yield self._said(at)
            at += 1

    def _closes(self, row: int) -> bool:
        return self.text.ink[row] == BARE and is_closer(self.text.stripped[row])

    def _said(self, row: int) -> str:
        return self.text.stripped[row].rstrip(",")  # which belongs to the list


def matched(old: Entries, row: int | None, new: Entries, other: int | None) -> Matched:
    """The entries of a block of the old text and of the same one of the new text."""
    wholes, names = (defaultdict[object, list[int]](list) for _ in range(2))
    for each in reversed(new.within(other)):
        wholes[new.whole(each)].append(each)
    same = [(each, rows.pop()) for each in old.within(row) if (rows := wholes.get(old.whole(each)))]
    known, found = (set(rows) for rows in zip(*same, strict=True)) if same else (set[int](), set[int]())
    for each in reversed(new.within(other)):
        if each not in found:
            names[new.name(each)].append(each)
    left = [each for each in old.within(row) if each not in known]
    changed = [(each, rows.pop()) for each in left if (rows := names.get(old.name(each)))]
    paired = {each for each, _ in changed}
    added = sorted(each for rows in names.values() for each in rows)
    return Matched([each for each in left if each not in paired], added, same, changed)


def shown_of_unchanged(file: Outline, update: Outline, asked: Set[str] = frozenset()) -> float:
    """Of the file's entries that an update does not change, the share that it shows: of those that it leaves out, and
    of those next to them or next to what they stand in. 1.0 where it leaves none out, or none but such as are asked
    for by a word of their names.

    A sketch need not show them; a file sent anew would."""
    blocks = list(_blocks(Entries(_opened(file)), Entries(_opened(update)), asked))
    left_out = [block.left_out for block in blocks]
    for at in range(len(blocks) - 1, 0, -1):
        left_out[blocks[at].around] += left_out[at]
    shown = sum(len(block.entries.same) for block, lost in zip(blocks, left_out, strict=True) if lost)
    return shown / (shown + left_out[0]) if left_out[0] else 1.0


def entries_left_out(file: Outline, update: Outline) -> list[str]:
    """The names of the file's entries that an update neither shows nor has others for."""
    old = Entries(_opened(file))
    blocks = _blocks(old, Entries(_opened(update)))
    return [old.name(row) for block in blocks if block.left_out for row in block.entries.gone]


class _Block(NamedTuple):
    """The entries of a block that file and update have, how many of the file's are left out, and the number of the
    block around it."""

    entries: Matched
    left_out: int
    around: int


def _blocks(file: Entries, update: Entries, asked: Set[str] = frozenset()) -> Iterator[_Block]:
    waiting: list[tuple[int | None, int | None, int]] = [(None, None, 0)]
    for number, (row, other, around) in enumerate(waiting):  # which grows meanwhile
        here = matched(file, row, update, other)
        begun = row is not None or here.same or here.changed
        instead = len(here.added) if begun else 0  # of what is not there
        waiting += ((*pair, number) for pair in here.changed)
        gone = [row for row in here.gone if asked.isdisjoint(WORD.findall(file.name(row)))]
        yield _Block(here, max(len(gone) - instead, 0), around)


def _opened(text: Outline) -> Outline:
    """A text of data with each entry on a line of its own, of those that stand on one line with their brackets."""
    if not text.language.is_data:
        return text
    lines = [part for row in range(len(text.texts)) for part in _parts(text, row)]
    return text if len(lines) == len(text.texts) else Outline(lines, language=text.language.name)


def _parts(text: Outline, row: int) -> Iterator[str]:
    """One entry a line, of a line that begins with a bracket and goes on; any other is one."""
    line, stripped = text.texts[row], text.stripped[row]
    if stripped[:1] not in _OPENING or stripped[1:] in ("", ",") or row in text.heads:
        yield line
        return
    depth, begin = 0, 0
    for at, sign in enumerate(masked(stripped)):
        closes, opens = sign in _CLOSING, sign in _OPENING
        if not (closes or opens or sign == ","):
            continue
        stop = at + (not closes)
        if part := stripped[begin:stop].strip():
            yield f"{indentation(line)}{'  ' * min(depth, _DEEPEST)}{part}"
        depth, begin = max(depth + opens - closes, 0), stop
    if part := stripped[begin:].strip():
        yield f"{indentation(line)}{'  ' * min(depth, _DEEPEST)}{part}"
