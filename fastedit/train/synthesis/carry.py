"""Marks of a line that an instruction changes: where the new line has what the instruction names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate

from fastedit.prompt.mentioned import MentionSpan

_PIECE = re.compile(r"\w+|\W")


def carried(old: str, new: str, spans: Sequence[MentionSpan], handed: Sequence[str]) -> list[MentionSpan]:
    """The spans of line `old` as they stand in line `new`; those that have no place there are left out.

    Where putting one of the texts that the instruction hands over in the place of what it names gives the new line,
    that text is what the marks stand around, else whatever the line's other words leave for them.
    """
    for mention in dict.fromkeys(span.mention for span in spans):
        for text in handed:
            line, places = _replaced(old, spans, mention, text)
            if line == new:
                return places
    return _aligned(old, new, spans)


def _replaced(
    old: str, spans: Sequence[MentionSpan], mention: int, text: str
) -> tuple[str, list[MentionSpan]]:
    line, done, places = "", 0, []
    for span in spans:
        line += old[done : span.start]
        piece = text if span.mention == mention else old[span.start : span.stop]
        places.append(MentionSpan(len(line), len(line) + len(piece), span.mention))
        line += piece
        done = span.stop
    return line + old[done:], places


def _aligned(old: str, new: str, spans: Sequence[MentionSpan]) -> list[MentionSpan]:
    left, right = _PIECE.findall(old), _PIECE.findall(new)
    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    index = {place: piece for piece, place in enumerate(accumulate(map(len, left), initial=0))}
    place = list(accumulate(map(len, right), initial=0))
    found: list[MentionSpan] = []
    for span in spans:
        if span.start not in index or span.stop not in index:
            continue
        start, stop = _begin(codes, index[span.start]), _end(codes, index[span.stop])
        if start is None or stop is None or start > stop or (found and place[start] < found[-1].stop):
            continue
        found.append(MentionSpan(place[start], place[stop], span.mention))
    return found


Codes = Sequence[tuple[str, int, int, int, int]]


def _begin(codes: Codes, at: int) -> int | None:
    """Where what begins at piece `at` begins now."""
    for kind, i, stop, j, _ in codes:
        if i <= at < stop and (kind == "equal" or i == at):
            return j + at - i
    return None


def _end(codes: Codes, at: int) -> int | None:
    """Where what ends before piece `at` ends now."""
    for kind, i, stop, j, end in codes:
        if i < at <= stop and (kind == "equal" or stop == at):
            return j + at - i if kind == "equal" else end
    return None
