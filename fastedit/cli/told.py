"""The readings of an update in a few lines each, for who sees no diff of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastedit.readings import Option, share
from fastedit.result import EditResult
from fastedit.source.hunks import Hunk, trim

_MOST_LINES = 8  # of one reading
_MOST_CHARACTERS = 100
_DIGITS = 8  # of a hash that tells two states of one file apart


def titled(number: int | None, count: int, posterior: float | None) -> str:
    """Such as `reading 2 of 3, 31 %`."""
    return f"reading {number} of {count}" + ("" if posterior is None else f", {share(posterior)}")


def reading_of(result: EditResult, number: int) -> str:
    """A reading as `--choose` takes it, for this file alone."""
    return f"{number}@{result.document.sha256[:_DIGITS]}"


def readings_told(result: EditResult, others: Sequence[Option], choice: int | None) -> Iterator[str]:
    """For each reading the lines that it changes and not all others do too; nothing where there is one alone."""
    numbered = [(other.number, other.posterior, other.hunks) for other in others if other.number is not None]
    if not numbered:
        return
    readings = sorted([(choice or 1, result.receipt.confidence, result.hunks), *numbered])
    shared = frozenset(result.hunks).intersection(*(hunks for _, _, hunks in numbered))
    for number, posterior, hunks in readings:
        yield f"{titled(number, len(readings), posterior)}:"
        lines = list(_lines(result, [hunk for hunk in hunks if hunk not in shared]))
        most = len(lines) if len(lines) <= _MOST_LINES + 1 else _MOST_LINES
        yield from (f"  {_cut(line)}" for line in lines[:most])
        if len(lines) > most:
            yield f"  and {len(lines) - most} more lines; --choose {reading_of(result, number)} --diff shows all"


def _lines(result: EditResult, hunks: Sequence[Hunk]) -> Iterator[str]:
    """A diff without context, a heading for each place."""
    old = result.document.lines
    if not hunks:
        yield "only what all readings change"
    for hunk in filter(None, (trim(hunk, old) for hunk in hunks)):
        below = f"after line {hunk.start}:" if hunk.start else "at the top:"
        yield f"line {hunk.start + 1}:" if hunk.stop > hunk.start else below
        yield from (f"-{line}" for line in old[hunk.start : hunk.stop])
        yield from (f"+{line}" for line in hunk.lines)


def _cut(line: str) -> str:
    return line if len(line) <= _MOST_CHARACTERS else f"{line[: _MOST_CHARACTERS - 1]}…"
