"""A change of one file as its author sees it, cut into blocks of changed lines with context.

The author reads text with LF, whatever the file's line ends are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fastedit.source.hunks import Hunk, diff_lines

OPEN = "\0"  # behind a last line without an end, which is another line than one with it


@dataclass(frozen=True, slots=True)
class FileEdit:
    """A file as its author read it, and as it should become.

    The author shows so many lines of `context`, and with `unique` as many more as tell a block from all others.
    """

    path: str
    old: str
    new: str
    context: int = 3
    unique: bool = True

    @property
    def same_end(self) -> bool:
        """Whether both texts end in a newline, or neither. A new text gets one."""
        return not self.new or (not self.old or self.old.endswith("\n")) == self.new.endswith("\n")


@dataclass(frozen=True, slots=True)
class Block:
    """The lines `start` up to but not including `stop` of the old text, with context, and what becomes of them."""

    start: int
    stop: int
    hunks: tuple[Hunk, ...]

    def old(self, lines: Sequence[str]) -> list[str]:
        return list(lines[self.start : self.stop])

    def new(self, lines: Sequence[str]) -> list[str]:
        return [text for sign, text in self.rows(lines) if sign != "-"]

    def rows(self, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Each line with its sign, as in a diff."""
        at = self.start
        for hunk in self.hunks:
            yield from ((" ", line) for line in lines[at : hunk.start])
            yield from (("-", line) for line in lines[hunk.start : hunk.stop])
            yield from (("+", line) for line in hunk.lines)
            at = hunk.stop
        yield from ((" ", line) for line in lines[at : self.stop])


def as_seen(text: str) -> str:
    return text.replace("\r\n", "\n")


def lines_of(text: str, end: str = "") -> list[str]:
    """The lines without their ends; `end` is put behind a last line that has none."""
    lines = as_seen(text).removesuffix("\n").split("\n") if text else []
    if lines and not text.endswith("\n"):
        lines[-1] += end
    return lines


def blocks(edit: FileEdit, is_unique: Callable[[list[str]], bool] | None = None) -> list[Block]:
    """The change in blocks with context; with `is_unique`, as much of it as makes each block so."""
    lines = lines_of(edit.old)
    found = plain_blocks(lines, lines_of(edit.new), edit.context)
    while is_unique is not None:
        wider = _joined([_widened(block, lines, is_unique) for block in found])
        if wider == found:
            break
        found = wider
    return found


def line_blocks(edit: FileEdit) -> list[Block]:
    """Blocks of whole lines, each of them once in the file if the author takes care."""
    lines = lines_of(edit.old)
    return blocks(edit, (lambda part: count_lines(lines, part) == 1) if edit.unique else None)


def plain_blocks(old: Sequence[str], new: Sequence[str], context: int) -> list[Block]:
    """The hunks with so many lines around each, those that meet joined. An insertion has a line beside it."""
    found: list[Block] = []
    for hunk in diff_lines(old, new):
        reach = max(context, hunk.start == hunk.stop)
        found.append(Block(max(hunk.start - reach, 0), min(hunk.stop + reach, len(old)), (hunk,)))
    return _joined(found)


def count_lines(lines: Sequence[str], part: Sequence[str]) -> int:
    """How often lines stand in a row."""
    if not part:
        return len(lines) + 1
    heads = (at for at, line in enumerate(lines) if line == part[0])
    return sum(list(lines[at : at + len(part)]) == list(part) for at in heads)


def count_strings(text: str, part: str) -> int:
    """How often a string that is not empty stands in a text, overlaps included."""
    count, at = 0, text.find(part)
    while at >= 0:
        count, at = count + 1, text.find(part, at + 1)
    return count


def _joined(found: Sequence[Block]) -> list[Block]:
    joined: list[Block] = []
    for block in found:
        last = joined[-1] if joined else None
        if last and block.start <= last.stop:
            joined[-1] = Block(last.start, max(last.stop, block.stop), last.hunks + block.hunks)
        else:
            joined.append(block)
    return joined


def _widened(block: Block, lines: Sequence[str], is_unique: Callable[[list[str]], bool]) -> Block:
    start, stop = block.start, block.stop
    while (start, stop) != (0, len(lines)) and not is_unique(list(lines[start:stop])):
        start, stop = max(start - 1, 0), min(stop + 1, len(lines))
    return Block(start, stop, block.hunks)
