"""Line spans of one file as every hashline dialect builds them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fastedit.formats.base import FormatHunk, LineSpan, Replacement, Tag, unreadable
from fastedit.formats.hashline.anchor import NAME, NIBBLES
from fastedit.formats.text.views import ended

_COPIED_HASH = re.compile(
    rf"\A\s*+(?:>>>?\s*+)?[1-9]\d*(?::[0-9A-Fa-f]{{2,3}}\||#[{NIBBLES}]{{2}}[:|]|[a-z]{{2}}\|)"
)
# `1: "one"` is a mapping with a number for its key, `1:    one` and `1:one` are lines as a reading tool shows them.
_COPIED_NUMBER = re.compile(r"\A\s*+([1-9]\d*)[:|](?! \S)")


def replace(
    first: int, last: int, lines: Sequence[str], tags: Sequence[Tag], hunk: int, *, delete: bool = False
) -> LineSpan:
    """Replaces the lines `first` to `last`, counted from 1 and both included."""
    if last < first:
        raise unreadable(
            NAME, hunk, f"the range {first} to {last} ends before it begins", "name the first line first"
        )
    if not lines and not delete:
        raise unreadable(
            NAME, hunk, f"no new text for the lines {first} to {last}", "give it, or delete the lines"
        )
    return LineSpan(first - 1, last, without_prefixes(lines, first), tuple(dict.fromkeys(tags)))


def insert(after: int | None, lines: Sequence[str], tags: Sequence[Tag], hunk: int) -> LineSpan | Replacement:
    """Inserts below line `after`, counted from 1; 0 is the start of the file, None its end."""
    if not lines:
        raise unreadable(NAME, hunk, "it inserts nothing", "give the lines to insert, or leave the hunk out")
    if after is None:
        return Replacement("", ended(without_prefixes(lines, None)), whole_lines=True)
    return LineSpan(after, after, without_prefixes(lines, after + 1), tuple(dict.fromkeys(tags)))


def without_prefixes(lines: Sequence[str], first: int | None) -> tuple[str, ...]:
    """The lines without the anchors or line numbers that were copied with them, if every line has one.

    Numbers alone count as copied only where they go on from line `first`.
    """
    filled = [line for line in lines if line.strip()]
    if filled and all(_COPIED_HASH.match(line) for line in filled):
        return tuple(_COPIED_HASH.sub("", line, count=1) for line in lines)
    if first is not None and _numbered_from(first, lines):
        return tuple(_COPIED_NUMBER.sub("", line, count=1) for line in lines)
    return tuple(lines)


def coalesced(hunks: Sequence[FormatHunk]) -> tuple[FormatHunk, ...]:
    """The hunks of one file, a repeated span once."""
    return tuple(
        hunk for at, hunk in enumerate(hunks) if not isinstance(hunk, LineSpan) or hunk not in hunks[:at]
    )


def _numbered_from(first: int, lines: Sequence[str]) -> bool:
    """Whether every filled line has the number of its place, counted from line `first` or one beside it."""
    starts = set()
    for index, line in enumerate(lines):
        if line.strip():
            match = _COPIED_NUMBER.match(line)
            starts.add(int(match[1]) - index if match else None)
    return any(starts == {start} for start in (first - 1, first, first + 1))
