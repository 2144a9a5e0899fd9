"""A real edit, or some hunks of it, and what its sketches ask of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from fastedit.sketch.reading import FULL, Outline
from fastedit.source.hunks import Hunk
from fastedit.source.markers import looks_like_marker
from fastedit.source.outline import block_end, indent_width, is_closer, opens_block
from fastedit.train.merge.places import hunks_between

_MOST = 60  # new lines of one hunk
_HUNKS = (1, 1, 1, 2, 2, 3, 4, 6)
_LONGEST_HEAD = 12


class Span(NamedTuple):
    """New lines [start, stop); `lost`: old lines go there."""

    start: int
    stop: int
    lost: bool


class Edit:
    """Lines before and after. `origins` are the old lines that new ones are, None for what is new."""

    def __init__(self, old: Sequence[str], hunks: Sequence[Hunk], language: str) -> None:
        self.old, self.language = tuple(old), language
        new: list[str] = []
        origins: list[int | None] = []
        self.spans: list[Span] = []
        self._gone: dict[Span, tuple[str, ...]] = {}
        at = 0
        for hunk in hunks:
            new += old[at : hunk.start]
            origins += range(at, hunk.start)
            span = Span(len(new), len(new) + len(hunk.lines), hunk.stop > hunk.start)
            self.spans.append(span)
            self._gone[span] = tuple(line for line in old[hunk.start : hunk.stop] if line.strip())
            new += hunk.lines
            origins += [None] * len(hunk.lines)
            at = hunk.stop
        self.new, self.origins = (*new, *old[at:]), (*origins, *range(at, len(old)))

    @classmethod
    def of_some(cls, old: Sequence[str], hunks: Sequence[Hunk], language: str, rng: random.Random) -> Edit:
        """Some neighbouring hunks of a difference."""
        count = min(rng.choice(_HUNKS), len(hunks))
        start = rng.randrange(len(hunks) - count + 1)
        return cls(old, hunks[start : start + count], language)

    @cached_property
    def outline(self) -> Outline:
        return Outline(self.new, language=self.language)

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(line.strip() for line in self.old)

    @cached_property
    def _names(self) -> Counter[str]:
        return Counter(Outline(self.old, language=self.language).heads.values())

    def gone(self, span: Span) -> tuple[str, ...]:
        """The inked lines that go at a span."""
        return self._gone[span]

    def telling(self, row: int) -> bool:
        """Whether a new line is an old one that the file has once."""
        text = self.new[row].strip()
        return self.origins[row] is not None and self.outline.ink[row] == FULL and self._counts[text] == 1

    def inked(self, row: int, step: int, count: int) -> int:
        """The row so many inked rows on, or the last one there is."""
        at = row
        while count and 0 <= at + step < len(self.new):
            at += step
            count -= bool(self.new[at].strip())
        return at

    def head_rows(self, head: int) -> range:
        """The lines from a head to where its brackets are closed."""
        depth = 0
        for row in range(head, min(head + _LONGEST_HEAD, len(self.new))):
            depth += sum(map(self.new[row].count, "([")) - sum(map(self.new[row].count, ")]"))
            if depth <= 0:
                return range(head, row + 1)
        return range(head, head + 1)

    def definition(self, span: Span, outermost: bool) -> range | None:
        """A definition that holds the whole span, with the comments and decorators above it."""
        first = self.inked(span.start, -1, 1) if span.start == span.stop else self.inked(span.start - 1, 1, 1)
        last = max(self.inked(span.stop, -1, 1), first)
        for head in self.outline.chains[first][:: 1 if outermost else -1]:
            start = head
            while start and self.outline.leads(start - 1) and self.new[start - 1].strip():
                start -= 1
            rows = range(start, block_end(self.new, head))
            if len(rows) > 1 and last in rows and self._inside(span, rows, indent_width(self.new[head])):
                return rows
        return None

    def _inside(self, span: Span, rows: range, width: int) -> bool:
        """Whether nothing of a change stands outside of a definition that is indented so far."""
        if span.start < span.stop:
            return rows.start <= span.start and span.stop <= rows.stop
        return rows.start < span.start <= rows.stop and all(
            indent_width(line) > width for line in self._gone[span]
        )

    def known(self, rows: range) -> bool:
        """Whether the old file has a definition of its name."""
        head = self._head(rows)
        return head is not None and self._names[self.outline.heads[head]] > 0

    def named_once(self, rows: range) -> bool:
        head = self._head(rows)
        return head is not None and self._names[self.outline.heads[head]] == 1

    def _head(self, rows: range) -> int | None:
        return next((row for row in rows if row in self.outline.heads), None)

    def gap_above(self, rows: range) -> int:
        """Blank lines above a definition."""
        return rows.start - 1 - self.inked(rows.start, -1, 1)

    def siblings(self, shown: set[int]) -> list[range]:
        """Short definitions that stand right beside what is shown, at the depth of one shown."""
        outline = self.outline
        depths = {len(outline.chains[row]) for row in shown if row in outline.heads}
        return [
            range(head, stop)
            for head in outline.heads
            if len(outline.chains[head]) in depths
            and outline.opens(head)
            and 2 < (stop := block_end(self.new, head)) - head < 40
            and (head - 2 in shown or stop + 1 in shown)
        ]

    def closing(self, rows: range) -> str:
        """What closes a definition, "" for one that nothing closes."""
        last = self.new[rows[-1]]
        return last.strip() if is_closer(last) else ""

    def moved_in(self, span: Span) -> range | None:
        """The new lines of a span that are all its old ones, each deeper by the same, behind what opens their block."""
        old, new = self._gone[span], [row for row in range(span.start, span.stop) if self.new[row].strip()]
        for at in range(1, len(new) - len(old) + 1) if len(old) > 1 else ():
            texts = [self.new[row] for row in new[at : at + len(old)]]
            same = [text.strip() for text in texts] == [was.strip() for was in old]
            steps = {len(text) - len(was) for text, was in zip(texts, old, strict=True)}
            if same and len(steps) == 1 and min(steps) > 0 and opens_block(self.new[new[at - 1]]):
                return range(new[at], new[at + len(old) - 1] + 1)
        return None


def fit_hunks(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """The hunks that a sketch can tell: neither blank nor endless, without markers, not at the file's ends."""
    return [hunk for hunk in hunks_between(old, new) if _fit(old, hunk)]


def _fit(old: Sequence[str], hunk: Hunk) -> bool:
    gone = old[hunk.start : hunk.stop]
    said = any(line.strip() for line in (*gone, *hunk.lines))
    respaced = [line.rstrip() for line in gone if line.strip()] == [
        line.rstrip() for line in hunk.lines if line.strip()
    ]
    inside = hunk.start > 0 and hunk.stop < len(old)
    short = len(hunk.lines) <= _MOST
    return said and not respaced and inside and short and not any(map(looks_like_marker, hunk.lines))
