"""Whether a code fence next to an edit shows what the edit makes of a file, and so asks for nothing more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from fastedit.engine.changes.file_change import FileChange
from fastedit.source.hunks import Hunk


def shows(text: str, file: FileChange) -> bool:
    """Whether lines of the new file are the text, blank lines and indentation aside: some that the edit writes, and
    some that it leaves. Without the latter the same might be asked for elsewhere."""
    wanted = [line.strip() for line in text.split("\n") if line.strip()]
    if file.before is None or file.after is None or not wanted:
        return False
    lines = file.after.lines
    inked = [row for row in range(len(lines)) if lines[row].strip()]
    new = set(_new_rows(file.hunks))
    written = list(accumulate((row in new for row in inked), initial=0))
    places = _places([lines[row].strip() for row in inked], wanted)
    return any(0 < written[at + len(wanted)] - written[at] < len(wanted) for at in places)


def _new_rows(hunks: Sequence[Hunk]) -> Iterator[int]:
    grown = 0
    for hunk in hunks:
        yield from range(hunk.start + grown, hunk.start + grown + len(hunk.lines))
        grown += len(hunk.lines) - (hunk.stop - hunk.start)


def _places(lines: Sequence[str], wanted: Sequence[str]) -> Iterator[int]:
    """Where all of `wanted` stand in a row."""
    whole, part = ("\n".join(["", *each, ""]) for each in (lines, wanted))
    at, index, seen = whole.find(part), 0, 0
    while at >= 0:
        index += whole.count("\n", seen, at)
        yield index
        seen, at = at, whole.find(part, at + 1)
