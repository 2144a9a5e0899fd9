"""The lines of a file that are most like an old text that stands nowhere in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from fastedit.formats.report import numbered, quoted, spans
from fastedit.formats.views import Text, in_ascii
from fastedit.source.hunks import diff_lines

_WORD = re.compile(r"\w+")
_RARE = 20  # lines with the same text or word, beyond which it tells no place
_SHOWN = 12  # lines


def nearest(text: Text, old: Sequence[str]) -> range | None:
    """The lines where most of the old lines stand, or most of their words; the most alike of several."""
    votes: Counter[int] = Counter()
    for at, line in enumerate(old):
        for index in _few(text.compact.places.get(line.strip(), ())):
            votes[text.compact.rows[index] - at] += 100
        for word in set(_WORD.findall(line)):
            for row in _few(text.words.get(word, ())):
                votes[row - at] += 1
    if not votes:
        return None
    most = max(votes.values())
    start = max(
        (row for row, count in votes.items() if count == most), key=lambda row: _alikeness(text, old, row)
    )
    return range(max(start, 0), min(max(start, 0) + len(old), len(text.lines)))


def _alikeness(text: Text, old: Sequence[str], row: int) -> tuple[float, int]:
    """How alike the lines from `row` on are to the old ones; of several, the first."""
    there = "\n".join(text.lines[max(row, 0) : max(row, 0) + len(old)])
    return SequenceMatcher(None, "\n".join(old), there).ratio(), -row


def _few(rows: Sequence[int]) -> Sequence[int]:
    return rows if len(rows) <= _RARE else ()


def in_words(text: Text, old: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Where the nearest lines are and what first differs; and the lines themselves, numbered."""
    rows = nearest(text, old)
    if rows is None:
        return "nothing in it is like the old text", ()
    where = f"nearest {'are' if len(rows) > 1 else 'is'} {spans([rows])}"
    shown = numbered(text.lines, rows[:_SHOWN])
    groups = diff_lines(
        [in_ascii(line).strip() for line in old], [in_ascii(text.lines[row]).strip() for row in rows]
    )
    if not groups:
        return f"{where}, which differ from it in blanks or look-alikes", shown
    at = groups[0].start
    expected = f"where it has {quoted(old[at])}" if at < len(old) else "after its last line"
    there = rows.start + at
    actual = (
        f"line {there + 1} is {quoted(text.lines[there])}" if there < len(text.lines) else "the file ends"
    )
    return f"{where}, but {actual} {expected}", shown
