"""Changes of a text as replaced characters: how they apply, compose and collide, and which lines they touch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from fastedit.formats.text.views import ViewedText, lines_of
from fastedit.source.hunks import Hunk, diff_lines


class TextChange(NamedTuple):
    """Replaces the characters `start` up to but not including `stop` by `new`.

    `owners` are the numbers of the hunks that ask for it. Insertions that `stack` may stand at one position.
    """

    start: int
    stop: int
    new: str
    owners: frozenset[int] = frozenset()
    stack: bool = False


def ordered(changes: Iterable[TextChange]) -> list[TextChange]:
    """By position. Insertions at one position keep their order, before what is replaced from there."""
    return sorted(changes, key=lambda change: (change.start, change.stop))


def apply(text: str, changes: Iterable[TextChange]) -> str:
    """The text after ordered, disjoint changes."""
    parts: list[str] = []
    at = 0
    for change in changes:
        parts += text[at : change.start], change.new
        at = change.stop
    return "".join([*parts, text[at:]])


def collisions(changes: Sequence[TextChange]) -> Iterator[tuple[TextChange, TextChange]]:
    """Pairs of ordered changes that replace the same characters, or insert at one position in no order."""
    longest: TextChange | None = None
    for one, other in pairwise(changes):
        if longest is None or one.stop > longest.stop:
            longest = one
        inserts = one.start == one.stop == other.start == other.stop
        in_order = (one.stack and other.stack) or not one.owners.isdisjoint(other.owners)
        if other.start < longest.stop:
            yield longest, other
        elif inserts and not in_order:
            yield one, other


def compose(changes: Sequence[TextChange], then: TextChange) -> list[TextChange]:
    """Ordered changes of a text, and after them one of the text that they make, as changes of the first text."""
    before: list[TextChange] = []
    touched: list[tuple[int, TextChange]] = []  # with the position in the text that they make
    after: list[TextChange] = []
    grown = grown_before = grown_touched = 0
    for change in changes:
        at = change.start + grown
        grown += len(change.new) - (change.stop - change.start)
        if at + len(change.new) < then.start:
            before.append(change)
            grown_before = grown_touched = grown
        elif at > then.stop:
            after.append(change)
        else:
            touched.append((at, change))
            grown_touched = grown
    start, stop, new = then.start - grown_before, then.stop - grown_touched, then.new
    if touched:
        (first_at, first), (last_at, last) = touched[0], touched[-1]
        start, stop = min(start, first.start), max(stop, last.stop)
        new = first.new[: max(then.start - first_at, 0)] + new + last.new[max(then.stop - last_at, 0) :]
    owners = then.owners.union(*(change.owners for _, change in touched))
    return [*before, TextChange(start, stop, new, owners), *after]


def line_hunks(text: ViewedText, changes: Sequence[TextChange]) -> list[Hunk]:
    """Ordered, disjoint changes as hunks that hold only lines that really change."""
    hunks: list[Hunk] = []
    at = 0
    while at < len(changes):
        first = text.row(changes[at].start)
        made = text.whole[text.starts[first] : changes[at].start]
        while True:
            made += changes[at].new
            stop, at = changes[at].stop, at + 1
            row = text.row(stop)
            complete = stop == text.starts[row] and (made.endswith("\n") or not made)
            end = row if complete or row == len(text.lines) else row + 1
            following = changes[at].start if at < len(changes) else inf
            if following > text.starts[end]:
                break
            made += text.whole[stop : int(following)]
        made += text.whole[stop : text.starts[end]]
        hunks += diff_lines(text.lines[first:end], lines_of(made), first)
    return hunks
