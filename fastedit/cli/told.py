"""The readings of an update in a few lines each, for who sees no diff of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fastedit.readings import Option, share
from fastedit.result import EditResult
from fastedit.source.hunks import Hunk, alike, trim

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
    """For each reading the lines that it changes and not all others do too; all changes where there is one alone."""
    numbered = [(other.number, other.posterior, other.hunks) for other in others if other.number is not None]
    if not numbered:
        yield from _alone(result)
        return
    readings = sorted([(choice or 1, result.receipt.confidence, result.hunks), *numbered])
    shared = frozenset(result.hunks).intersection(*(hunks for _, _, hunks in numbered))
    lines = {
        number: list(_lines(result, [hunk for hunk in hunks if hunk not in shared]))
        for number, _, hunks in readings
    }
    for number, posterior, _ in readings:
        yield f"{titled(number, len(readings), posterior)}:"
        more = f"--choose {reading_of(result, number)} --diff shows all"
        rest = {other: found for other, found in lines.items() if other != number}
        yield from _excerpt(lines[number], rest, more)


def _alone(result: EditResult) -> Iterator[str]:
    """The lines of a change without another reading."""
    if result.hunks:
        yield "the change:"
        yield from _excerpt(list(_lines(result, result.hunks)), {}, "--force --diff shows all")


def _excerpt(lines: list[str], others: Mapping[int, list[str]], more: str) -> Iterator[str]:
    """The first lines of many; the first of all those that tell them apart from another reading's, which begins as they
    do. `more` is how to see all of them."""
    if len(lines) > _MOST_LINES + 1 and others:
        first, like = max((alike(lines, found), other) for other, found in others.items())
        if first > 1:
            place = max(at for at in range(first) if not lines[at].startswith(("-", "+")))
            yield f"  {lines[place]}"
            yield f"  … {first - 1} line{'s' * (first > 2)} as in reading {like}"
            lines = lines[first:]
    most = len(lines) if len(lines) <= _MOST_LINES + 1 else _MOST_LINES
    yield from (f"  {_cut(line)}" for line in lines[:most])
    if len(lines) > most:
        yield f"  and {len(lines) - most} more lines; {more}"


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
