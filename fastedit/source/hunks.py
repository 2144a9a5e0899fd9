"""Changes as replaced lines: how they apply, and how they fall out of an answer while it is being written.

A hunk knows line numbers and texts. Line ends belong to the document: `apply_hunks` gives each new line the
end that its surroundings have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import compress, count
from operator import ne
from typing import NamedTuple, TypeVar

from fastedit.source.document import Document

T = TypeVar("T")
_ROW = 3  # lines of unknown origin that tell a place, where only one place has them
_MOST_PAIRS = 20_000  # of equal lines, that are worth comparing one by one
_LONGEST_RUN = 16  # copied lines that are enough to leave out any number of lines


@dataclass(frozen=True, slots=True)
class Hunk:
    """Replaces the document's lines `start` up to but not including `stop`, counted from 0, by `lines`.

    `lines` carry no line ends. Raises ValueError where they do, or where the span is not one.
    """

    start: int
    stop: int
    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.stop:
            raise ValueError(f"not a span of lines: {self.start} to {self.stop}")
        if any("\n" in line or "\r" in line for line in self.lines):
            raise ValueError("a hunk's lines must not contain line ends")


class SplicedHunk(NamedTuple):
    """Whole lines of a document, `start` up to but not including `stop`, that become `text`. They are the characters
    `begin` up to `end` of its own text."""

    start: int
    stop: int
    begin: int
    end: int
    text: str


def changed(
    items: Sequence[T], hunks: Iterable[Hunk], put: Callable[[Hunk], Iterable[T]], within: slice = slice(None)
) -> list[T]:
    """The items of lines, one each, with what `put` makes of sorted disjoint hunks in place of those they replace.

    `within` are the lines that are wanted; all hunks lie in it.
    """
    at, stop, _ = within.indices(len(items))
    made: list[T] = []
    for hunk in hunks:
        made += items[at : hunk.start]
        made += put(hunk)
        at = hunk.stop
    made += items[at:stop]
    return made


def changed_lines(lines: Sequence[str], hunks: Iterable[Hunk], within: slice = slice(None)) -> list[str]:
    return changed(lines, hunks, lambda hunk: hunk.lines, within)


def apply_hunks(document: Document, hunks: Iterable[Hunk], *, drops_final_newline: bool = False) -> str:
    """The new text. Raises ValueError unless the hunks are sorted, disjoint and within the document.

    `drops_final_newline`: the last line loses its end, which line hunks cannot express.
    """
    text, at, made = document.text, 0, list[str]()
    for one in splice(document, hunks):
        made += text[at : one.begin], one.text
        at = one.end
    made.append(text[at:])
    new = "".join(made)
    return new.removesuffix("\n").removesuffix("\r") if drops_final_newline else new


def splice(document: Document, hunks: Iterable[Hunk]) -> Iterator[SplicedHunk]:
    """What hunks replace, with line ends: all that stands between two of them stays as it is, and is a line at least.

    A new line takes the end of the line it replaces (the last one of those for lines beyond), an inserted line the end
    of the line before it, else of the line after. Whether the file ends with a line end stays as it was; a file that
    was empty ends with one. Raises ValueError like `apply_hunks`.
    """
    lines, ends = document.lines, document.ends
    at, row = 0, 0
    for start, stop, texts in _kept_apart(document, _with_ends(document, hunks)):
        begin = at + _size(lines, ends, row, start)
        at, row = begin + _size(lines, ends, start, stop), stop
        yield SplicedHunk(start, stop, begin, at, "".join(texts))


_WithEnds = tuple[int, int, list[str]]


def _with_ends(document: Document, hunks: Iterable[Hunk]) -> list[_WithEnds]:
    """The lines that hunks replace, and the new ones with their ends. Those that meet are one."""
    lines, ends = document.lines, document.ends
    found: list[_WithEnds] = []
    for hunk in _checked(hunks, len(lines)):
        own = ends[hunk.start : hunk.stop] or ends[max(hunk.start - 1, 0) : hunk.start + 1][:1] or ("",)
        if hunk.lines or hunk.start < hunk.stop:
            texts = [
                text + (own[min(k, len(own) - 1)] or document.newline) for k, text in enumerate(hunk.lines)
            ]
            _add(found, hunk.start, hunk.stop, texts)
    if found and found[-1][1] == len(lines) and ends and not ends[-1]:
        start, stop, texts = found.pop()
        # The line before gets an end where others follow it, and loses its own where none does any more.
        if start and (start == stop or not texts):
            start, texts = start - 1, [lines[start - 1] + (ends[start - 1] or document.newline), *texts]
        _add(found, start, stop, [*texts[:-1], *(text.rstrip("\r\n") for text in texts[-1:])])
    return found


def _add(found: list[_WithEnds], start: int, stop: int, texts: list[str]) -> None:
    if found and found[-1][1] == start:
        first, _, before = found[-1]
        found[-1] = first, stop, [*before, *texts]
    else:
        found.append((start, stop, texts))


def _kept_apart(document: Document, found: Iterable[_WithEnds]) -> list[_WithEnds]:
    """The same, where a CR and an LF that end two lines would read as one line end with CR LF for one of them."""
    kept: list[_WithEnds] = []
    for start, stop, texts in found:
        _keep_apart(document, start, stop, texts)
        below = "".join(document.lines[stop : stop + 1] + document.ends[stop : stop + 1])
        fused = start and not texts and document.ends[start - 1] == "\r" and below == "\n"
        _add(kept, start, stop + 1 if fused else stop, ["\r\n"] if fused else texts)
    return kept


def _size(lines: Sequence[str], ends: Sequence[str], start: int, stop: int) -> int:
    return sum(map(len, lines[start:stop])) + sum(map(len, ends[start:stop]))


def _checked(hunks: Iterable[Hunk], most: int) -> Iterator[Hunk]:
    at = 0
    for hunk in hunks:
        if not at <= hunk.start <= hunk.stop <= most:
            raise ValueError(f"hunk {hunk.start}:{hunk.stop} overlaps, is out of order or beyond the end")
        yield hunk
        at = hunk.stop


def _keep_apart(document: Document, start: int, stop: int, texts: list[str]) -> None:
    """Makes a new line's end CR LF where a CR and an LF that end two lines would read as one line end."""
    if start and texts and texts[0] == "\n" and document.ends[start - 1] == "\r":
        texts[0] = "\r\n"
    following = [""] if stop == len(document.lines) else [document.lines[stop] + document.ends[stop]]
    for k, after in enumerate((*texts[1:], *following)[: len(texts)]):
        if after == "\n" and texts[k].endswith("\r"):
            texts[k] += "\n"


def diff_lines(old: Sequence[str], new: Sequence[str], start: int = 0) -> tuple[Hunk, ...]:
    """Hunks that turn `old`, the document's lines from `start`, into `new`, whose provenance is unknown."""
    return tuple(Hunk(start + a, start + b, tuple(new[c:d])) for a, b, c, d in differing(old, new))


def differing(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """The items a:b of the one that the items c:d of the other stand for, `(a, b, c, d)` each."""
    head, tail = common_ends(old, new)
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    if not old or not new:
        if old or new:
            yield head, head + len(old), head, head + len(new)
        return
    counts = Counter(old)
    frequent = frozenset[str]()
    if sum(counts[line] for line in new) > _MOST_PAIRS:
        # Among many equal lines the search takes cubic time: it begins at none that a hundredth of all are like.
        frequent = frozenset(line for line, number in counts.items() if number > 1 + len(old) // 100)
    matcher = SequenceMatcher(frequent.__contains__, old, new, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield head + a, head + b, head + c, head + d


def along_equal_lines(hunk: Hunk, lines: Sequence[str]) -> range:
    """The lines of a hunk and those that repeat what it only adds or only removes: which of several equal blocks that
    is, nobody can tell."""
    start, stop = hunk.start, hunk.stop
    block = list(lines[start:stop] or hunk.lines)
    if not (hunk.lines and stop > start):
        while start > 0 and lines[start - 1] == block[(start - 1 - hunk.start) % len(block)]:
            start -= 1
        while stop < len(lines) and lines[stop] == block[(stop - hunk.start) % len(block)]:
            stop += 1
    return range(start, stop)


def trim(hunk: Hunk, lines: Sequence[str]) -> Hunk | None:
    """The hunk without what it shares with the document's `lines` at head and tail; None if that is all."""
    head, tail = common_ends(lines[hunk.start : hunk.stop], hunk.lines)
    kept = hunk.lines[head : len(hunk.lines) - tail]
    if not kept and hunk.start + head == hunk.stop - tail:
        return None
    return Hunk(hunk.start + head, hunk.stop - tail, kept)


def meets(one: Hunk, other: Hunk) -> bool:
    """Whether two hunks over the same lines change one that is the same, or add next to what the other changes."""
    if one.start == one.stop or other.start == other.stop:
        return one.start <= other.stop and other.start <= one.stop
    return one.start < other.stop and other.start < one.stop


def common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines two texts share at the head, and after that at the tail."""
    head = alike(old, new)
    return head, min(alike(old[::-1], new[::-1]), len(old) - head, len(new) - head)


def alike(one: Sequence[object], other: Sequence[object]) -> int:
    """How many items two sequences share at the head. Goes over most of a long file, so without a loop of its own."""
    return next(compress(count(), map(ne, one, other)), min(len(one), len(other)))


class HunkStream:
    """Finds a region's hunks while its new lines arrive.

    `push` takes one line at a time and returns hunks, in document coordinates, that no later line can change.
    The hunks of all calls, applied, give exactly the lines pushed, whatever the origins claimed.

    A copied line far ahead may be where the answer goes on, or a line that moved up. Leaving out what lies
    between is final, so it waits for a run of copied lines to say the first: the longer the gap, the longer.
    """

    def __init__(self, lines: Sequence[str], start: int = 0) -> None:
        self._lines = tuple(lines)
        self._start = start
        self._cursor = 0  # the first of the region's lines whose fate is open
        self._pending: list[str] = []  # lines of the answer after the last one settled
        self._run, self._run_length = 0, 0  # the last pending lines are copies of the region's from `_run` on
        self._places: dict[tuple[str, ...], int] = {}  # lines in a row to where they are; -1 for several
        for i, row in enumerate(_rows(self._lines)):
            self._places[row] = i if row not in self._places else -1

    def push(self, text: str, origin: int | None) -> list[Hunk]:
        """Adds a copy of the region's line `origin`, or a new line: None, a false claim or one going back."""
        if not self._is(origin, text):
            origin = None
        goes_on = self._run_length > 0 and self._is(self._run + self._run_length, text)
        # Taking the next line where it fits never makes the hunks larger than a later copy of it would.
        if origin == self._cursor or (self._is(self._cursor, text) and not goes_on):
            return self._settle(self._cursor, 1)
        self._pending.append(text)
        if goes_on:
            self._run_length += 1
        elif origin is not None:
            self._run, self._run_length = origin, 1
        else:
            self._run = self._places.get(tuple(self._pending[-_ROW:]), -1)
            self._run_length = _ROW if self._run >= self._cursor else 0
        if self._run_length and self._run_length >= min(_LONGEST_RUN, 1 + (self._run - self._cursor) // 4):
            del self._pending[-self._run_length :]
            return self._settle(self._run, self._run_length)
        return []

    def finish(self) -> list[Hunk]:
        """The hunks still open when no line follows."""
        return self._settle(len(self._lines), 0)

    def _is(self, index: int | None, text: str) -> bool:
        """Whether the region has the text at `index`, at or after the cursor."""
        return index is not None and self._cursor <= index < len(self._lines) and self._lines[index] == text

    def _settle(self, index: int, kept: int) -> list[Hunk]:
        """Closes everything before the region's line `index`, where `kept` lines are copied."""
        gap, hunks = self._lines[self._cursor : index], list[Hunk]()
        if gap or self._pending:  # most lines of a long region are copies in a row
            hunks += diff_lines(gap, self._pending, self._start + self._cursor)
            self._pending.clear()
        self._run_length = 0
        self._cursor = index + kept
        return hunks


def _rows(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(lines[k:] for k in range(_ROW)), strict=False)
