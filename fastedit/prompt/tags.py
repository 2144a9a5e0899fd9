"""The embedded format's vocabulary above the text: tags that begin lines, and marks inside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from fastedit.prompt.mentioned import MentionSpan, Named

ORIGINAL_TAGS = 256
UPDATE_TAGS = 128
MARKS = 13
NAMES = ("pad", "end", "instruction", "update", "original", "answer", "given", "close", "drop")
SPECIALS = len(NAMES) + MARKS + 2 + UPDATE_TAGS + 2 * ORIGINAL_TAGS


class TagIds:
    """The ids above the text vocabulary, for one region.

    `named` is what the instruction names, with `marks` around it where it is a part of a line; `shown` are the lines
    that the update shows. `first_original` and `first_update` shift the round count.
    """

    def __init__(
        self,
        text_vocab: int,
        first_original: int = 0,
        first_update: int = 0,
        named: Sequence[Named] = (),
        shown: frozenset[int] = frozenset(),
        *,
        marks: bool = True,
    ) -> None:
        self.base = text_vocab
        self.pad, self.end, self.instruction, self.update = range(text_vocab, text_vocab + 4)
        self.original, self.answer, self.given, self.close, self.drop = range(text_vocab + 4, text_vocab + 9)
        self.first_mark = text_vocab + len(NAMES)
        self.keep, self.new = self.first_mark + MARKS, self.first_mark + MARKS + 1
        self.first_update_id = self.new + 1
        self.first_original_id = self.first_update_id + UPDATE_TAGS
        self.first_named_id = self.first_original_id + ORIGINAL_TAGS
        self._first_original, self._first_update = first_original, first_update
        self.named = tuple(named)
        self._apart = shown.union(*(place.lines for place in named))
        self.spans = _spans(named) if marks else {}

    def of_original(self, line: int) -> int:
        first = self.first_named_id if line in self._apart else self.first_original_id
        return first + (self._first_original + line) % ORIGINAL_TAGS

    def of_update(self, line: int) -> int:
        return self.first_update_id + (self._first_update + line) % UPDATE_TAGS

    def mark(self, mention: int) -> int:
        """What stands in front of the text that the instruction's mention number `mention` names."""
        return self.first_mark + mention % MARKS

    def starts_line(self, token: int) -> bool:
        return token >= self.new

    def inside_line(self, token: int) -> bool:
        """Whether it stands between the tokens of a line's text and is none of them."""
        return token == self.close or self.first_mark <= token < self.keep

    def original_line(self, token: int, after: int, count: int) -> int | None:
        """The line below `count` that this tag names, the nearest one after line `after`, else the nearest before."""
        if token < self.first_original_id:
            return None
        first = self.first_named_id if token >= self.first_named_id else self.first_original_id
        line = (token - first - self._first_original) % ORIGINAL_TAGS
        while line + ORIGINAL_TAGS < count and line <= after:
            line += ORIGINAL_TAGS
        return line if line < count else None


def _spans(named: Sequence[Named]) -> Mapping[int, tuple[MentionSpan, ...]]:
    """By line, what the mentions name in it, in its order; where two overlap, the earlier and then the longer one."""
    found = sorted(
        (line, start, -stop, number)
        for number, place in enumerate(named)
        for line, start, stop in place.places
    )
    spans: dict[int, tuple[MentionSpan, ...]] = {}
    for line, places in groupby(found, key=lambda place: place[0]):
        chosen: list[MentionSpan] = []
        for _, start, stop, number in places:
            if not chosen or start >= chosen[-1].stop:
                chosen.append(MentionSpan(start, -stop, number))
        spans[line] = tuple(chosen)
    return spans
