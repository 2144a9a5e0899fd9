"""Lines above a place that tell which block it is in: `@@ def f():` in diffs and V4A patches."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from fastedit.formats.base import Replacement
from fastedit.formats.report import PlacementStep, Unplaced, quoted
from fastedit.formats.resolution.ladder import HunkPlace, Match, head_of
from fastedit.formats.text.views import ViewedText
from fastedit.source.outline import goes_on, indent_width, is_closer


class TextScopes:
    """The blocks of one text. Nothing is worked out twice."""

    def __init__(self, text: ViewedText) -> None:
        self._text = text
        self._lines: dict[str, Sequence[int]] = {}
        self._ends: dict[int, int] = {}

    def places_in(self, scopes: Sequence[str], places: Sequence[HunkPlace]) -> Sequence[HunkPlace]:
        """The places within all scopes."""
        return [place for place in places if self._is_within(scopes, self._rows(place))]

    def agreeing(self, hunk: Replacement, places: Sequence[HunkPlace]) -> list[HunkPlace]:
        """The places that the hunk's scopes do not contradict: within its named blocks, or not above its last heading.

        A named line that opens no block, or is as deep as a place, has that below. Scopes that the text lacks
        contradict nothing, nor does a heading among the old lines.
        """
        heads = self.heads(hunk)
        if not heads:
            return list(places)
        if not hunk.named:
            return [place for place in places if self._is_below(heads[0], self._rows(place))]
        return [place for place in places if self._agrees(hunk.scopes, heads, self._rows(place))]

    def _agrees(self, scopes: Sequence[str], heads: Sequence[int], rows: range) -> bool:
        if any(self._may_enclose(head, rows) for head in heads):
            return self._is_within(scopes, rows)
        return self._is_below(heads[0], rows) and self._is_within(scopes[:-1], rows)

    def heads(self, hunk: Replacement) -> list[int]:
        """The lines that the innermost scope of a hunk may be."""
        scopes = hunk.scopes if hunk.named else hunk.scopes[-1:]
        return self.rows(scopes) if scopes else []

    def missing(self, scopes: Sequence[str]) -> str | None:
        """The first of the scopes that the text does not have within the ones before it."""
        return next((scope for at, scope in enumerate(scopes, 1) if not self.rows(scopes[:at])), None)

    def rows(self, scopes: Sequence[str]) -> list[int]:
        """The lines that the innermost scope may be, of several those that the outer ones enclose."""
        return [row for row in self._lines_of(scopes[-1]) if self._is_within(scopes[:-1], range(row, row))]

    def _rows(self, place: HunkPlace) -> range:
        return self._text.rows(place.start, place.stop)

    def _is_below(self, head: int, rows: range) -> bool:
        """Whether a line is above these lines or among them."""
        return head < max(rows.stop, rows.start)

    def _may_enclose(self, head: int, rows: range) -> bool:
        """Whether a line opens a block, and the first of these lines is deeper."""
        lines = self._text.lines
        first = next((lines[row] for row in rows if lines[row].strip()), lines[head])
        opens = any(line.strip() for line in lines[head + 1 : self._end(head)])
        return opens and indent_width(first) > indent_width(lines[head])

    def _is_within(self, scopes: Sequence[str], rows: range) -> bool:
        """Whether the lines are in a block of the innermost scope or begin it, and that one is in the next scope's."""
        for scope in reversed(scopes):
            lines = self._lines_of(scope)
            above = lines[: bisect_left(lines, max(rows.stop, rows.start))]
            head = next((head for head in reversed(above) if self._end(head) >= rows.start), None)
            if head is None:
                return False
            rows = range(head, head)
        return True

    def _lines_of(self, scope: str) -> Sequence[int]:
        """The lines that are the scope, else those that begin with it: section headings of diffs are cut off."""
        wanted = scope.strip()
        if wanted not in self._lines:
            view = self._text.compact
            found = view.places.get(wanted) or [
                at for at, key in enumerate(view.keys) if wanted and key.startswith(wanted)
            ]
            self._lines[wanted] = [view.rows[at] for at in found]
        return self._lines[wanted]

    def _end(self, head: int) -> int:
        """The first line below a head that is as shallow, but for one with which the head goes on."""
        if head not in self._ends:
            lines, depth = self._text.lines, indent_width(self._text.lines[head])
            self._ends[head] = next(
                (
                    row
                    for row, line in enumerate(lines[head + 1 :], head + 1)
                    if line.strip()
                    and indent_width(line) <= depth
                    and not (is_closer(line) and line.rstrip()[-1] in ":{(")
                    and not goes_on(lines, head, row)
                ),
                len(lines),
            )
        return self._ends[head]


def insertion(text: ViewedText, hunk: Replacement) -> Match:
    """The places of a hunk without an old text: below the block that it names, at its line, else at the end of the
    file. The heading of a diff stands anywhere above.

    Raises Unplaced where the file has no such block, or a string or a heading says no place."""
    if hunk.named and hunk.scopes:
        rows = TextScopes(text).rows(hunk.scopes)
        if not rows:
            scope = quoted(hunk.scopes[-1])
            raise Unplaced(f"the file has no line {scope} to insert below; copy that line from the file")
        return Match(
            PlacementStep.EXACT, replace(hunk, scopes=()), tuple(head_of(text, row + 1) for row in rows)
        )
    is_string = not (hunk.whole_lines or hunk.at_end)
    if hunk.line is None and (is_string or hunk.scopes) and text.lines:
        way_out = "repeat a line next to the new text, or send the whole file"
        raise Unplaced(f"its old text is empty, but the file is not; {way_out}")
    if hunk.line is None or hunk.at_end or not text.lines:
        return Match(PlacementStep.EXACT, hunk, (head_of(text, len(text.lines)),))
    return Match(PlacementStep.LINE, hunk, ())
