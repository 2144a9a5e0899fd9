"""A text to search in, line by line: as it is, and with what a matching step ignores taken out."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from fastedit.source.document import Document
from fastedit.source.fences import fences
from fastedit.source.language import language_in
from fastedit.source.look_alikes import in_ascii
from fastedit.source.outline import indentation

# An ASCII character is in it where a combining mark may follow.
_NOT_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")
WORD = re.compile(r"\w+")


def in_ascii_with_offsets(text: str) -> tuple[str, list[int]]:
    """The same, and for each of its characters where in `text` it comes from; at the end, the length of `text`."""
    parts: list[str] = []
    offsets: list[int] = []
    at = 0
    for run in _NOT_ASCII.finditer(text):
        parts.append(text[at : run.start()])
        offsets += range(at, run.start())
        at = run.start()
        is_composed = unicodedata.is_normalized("NFC", run[0])
        while at < run.end():
            stop = at + 1
            while stop < run.end() and (
                unicodedata.combining(text[stop]) or not (is_composed or _stands_apart(text, at, stop))
            ):
                stop += 1
            parts.append(in_ascii(text[at:stop]))
            offsets += [at] * len(parts[-1])
            at = stop
    parts.append(text[at:])
    offsets += range(at, len(text) + 1)
    return "".join(parts), offsets


def _stands_apart(text: str, at: int, stop: int) -> bool:
    """Whether the character at `stop` makes none with those from `at` on, as a vowel of Hangul does that is no mark."""
    together, before = (unicodedata.normalize("NFC", text[at:end]) for end in (stop + 1, stop))
    return len(together) > len(before)


class KeyedView:
    """The lines of a text under a key that hides what a matching step ignores.

    `rows` are the lines that it has: all, or without `blank` those whose key is not empty.
    """

    def __init__(self, lines: Sequence[str], key: Callable[[str], str], blank: bool) -> None:
        self.key, self._blank = key, blank
        keys = list(map(key, lines))
        self.rows: Sequence[int] = range(len(keys)) if blank else [row for row, k in enumerate(keys) if k]
        self.keys = keys if blank else [keys[row] for row in self.rows]

    def of(self, lines: Sequence[str]) -> list[str]:
        """The keys of other lines."""
        return [k for line in lines if (k := self.key(line)) or self._blank]

    @cached_property
    def _text(self) -> str:
        return "\n".join(["", *self.keys, ""])

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(key) + 1 for key in self.keys), initial=0))

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each key stands, as indices into `rows`."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, key in enumerate(self.keys):
            found[key].append(at)
        return dict(found)

    def find(self, keys: Sequence[str]) -> list[int]:
        """Where these keys stand in a row, as indices into `rows`."""
        if not keys or not self.keys:
            return []
        needle = "\n".join(["", *keys, ""])
        return [bisect_right(self._starts, at) - 1 for at in occurrences(self._text, needle)]


def occurrences(text: str, needle: str) -> Iterator[int]:
    """Where `needle` begins, also within an earlier occurrence."""
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + 1)


def lines_of(whole: str) -> list[str]:
    """The lines of a text that ends each of them with LF, as `ViewedText.whole` does."""
    return whole.removesuffix("\n").split("\n") if whole else []


def ended(lines: Iterable[str]) -> str:
    """Lines as such a text."""
    return "".join(f"{line}\n" for line in lines)


def without_blank_ends(lines: Sequence[str]) -> Sequence[str]:
    """The lines from the first to the last that is not blank."""
    shown = [row for row, line in enumerate(lines) if line.strip()]
    return lines[shown[0] : shown[-1] + 1] if shown else ()


def indents_by_tabs(lines: Iterable[str]) -> bool | None:
    """Whether more of the lines begin with a tab than with a blank; None if no line begins with either."""
    first = Counter(line[0] for line in lines if line[:1] in (" ", "\t"))
    return first["\t"] > first[" "] if first else None


def blank_depths(lines: Iterable[str]) -> list[int]:
    """The depths of the lines that are indented by blanks alone."""
    return [len(indent) for indent in map(indentation, lines) if set(indent) == {" "}]


class ViewedText:
    """The lines of a document, or what an edit makes of them, which carry no line ends.

    In `whole` an LF ends each of them, the last one too.
    """

    def __init__(self, document: Document, lines: Sequence[str] | None = None) -> None:
        self.document = document
        self.lines = document.lines if lines is None else lines

    @cached_property
    def language(self) -> str:
        return language_in(self.document)

    @cached_property
    def fenced(self) -> frozenset[int]:
        """The lines that are in code fences or delimit one."""
        return frozenset(row for fence in fences(self.lines) for row in fence.lines)

    @cached_property
    def whole(self) -> str:
        return ended(self.lines)

    @cached_property
    def starts(self) -> list[int]:
        """Where in `whole` each line begins; at the end, its length."""
        return list(accumulate((len(line) + 1 for line in self.lines), initial=0))

    def row(self, at: int) -> int:
        """The line that the character `at` of `whole` is in; at its end, the number of lines."""
        return bisect_right(self.starts, at) - 1

    def rows(self, start: int, stop: int) -> range:
        """The lines that the characters `start` up to `stop` are in, none for an empty span at the head of a line."""
        first, last = self.row(start), self.row(stop)
        return range(first, last if stop == self.starts[last] else last + 1)

    def covers(self, start: int, stop: int, row: int) -> bool:
        """Whether the characters `start` up to `stop` are all of a line, and maybe more."""
        return start <= self.starts[row] and self.starts[row + 1] - 1 <= stop

    def begins_line(self, at: int) -> bool:
        return at == 0 or self.whole[at - 1] == "\n"

    def only_blanks_from(self, at: int) -> bool:
        """Whether nothing but white space is in `whole` from the character `at` on."""
        return at >= self._non_blank_end

    @cached_property
    def _non_blank_end(self) -> int:
        return len(self.whole.rstrip())

    @cached_property
    def by_tabs(self) -> bool | None:
        """As `indents_by_tabs`."""
        return indents_by_tabs(self.lines)

    @cached_property
    def step(self) -> int:
        """The most common step from one line that is indented by blanks to a deeper one."""
        steps = Counter(
            deep - shallow for shallow, deep in pairwise(blank_depths(self.lines)) if deep > shallow
        )
        return steps.most_common(1)[0][0] if steps else 4

    @cached_property
    def right_stripped(self) -> KeyedView:
        return KeyedView(self.lines, str.rstrip, blank=True)

    @cached_property
    def stripped(self) -> KeyedView:
        return KeyedView(self.lines, str.strip, blank=True)

    @cached_property
    def compact(self) -> KeyedView:
        """Stripped and without blank lines."""
        return KeyedView(self.lines, str.strip, blank=False)

    @cached_property
    def ascii(self) -> KeyedView:
        """Compact, with look-alikes as ASCII."""
        return KeyedView(self.lines, lambda line: in_ascii(line).strip(), blank=False)

    @cached_property
    def ascii_offsets(self) -> tuple[str, list[int]]:
        return in_ascii_with_offsets(self.whole)

    @cached_property
    def words(self) -> dict[str, list[int]]:
        """The lines that each word stands on."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for row, line in enumerate(self.lines):
            for word in set(WORD.findall(line)):
                found[word].append(row)
        return found
