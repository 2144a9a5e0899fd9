"""The readings of an update in a few lines each, for who sees no diff of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from fastedit.readings import Option, share
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, alike, trim

_MOST_LINES = 8  # of one reading
_MOST_CHARACTERS = 100


def titled(number: int | None, count: int, posterior: float | None) -> str:
    """Such as `reading 2 of 3, 31 %`."""
    return f"reading {number} of {count}" + ("" if posterior is None else f", {share(posterior)}")


def excerpts(
    document: Document,
    first: Option,
    others: Sequence[Option],
    whole: Callable[[int], str],
) -> Iterator[str]:
    """For each reading of an update of a document the lines that it changes and not all others do too; all changes of
    the first where it is the only one. `whole` says how to see all of a reading, by its number, or 0 for the only one.
    """
    readings = {first.number or 1: first} | {one.number: one for one in others if one.number is not None}
    if len(readings) == 1:
        if first.hunks:
            yield "the change:"
            yield from _excerpt(list(_lines(document, first.hunks)), {}, whole(0))
        return
    shared = frozenset(first.hunks).intersection(*(one.hunks for one in readings.values()))
    lines = {
        number: list(_lines(document, [hunk for hunk in one.hunks if hunk not in shared]))
        for number, one in readings.items()
    }
    for number in sorted(readings):
        yield f"{titled(number, len(readings), readings[number].posterior)}:"
        rest = {other: found for other, found in lines.items() if other != number}
        yield from _excerpt(lines[number], rest, whole(number))


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


def _lines(document: Document, hunks: Sequence[Hunk]) -> Iterator[str]:
    """A diff without context, a heading for each place."""
    old = document.lines
    if not hunks:
        yield "only what all readings change"
    for hunk in filter(None, (trim(hunk, old) for hunk in hunks)):
        below = f"after line {hunk.start}:" if hunk.start else "at the top:"
        yield f"line {hunk.start + 1}:" if hunk.stop > hunk.start else below
        yield from (f"-{line}" for line in old[hunk.start : hunk.stop])
        yield from (f"+{line}" for line in hunk.lines)


def _cut(line: str) -> str:
    return line if len(line) <= _MOST_CHARACTERS else f"{line[: _MOST_CHARACTERS - 1]}…"
