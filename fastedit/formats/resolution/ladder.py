"""The matching steps, strictest first: where the old text of a hunk stands in a file, and how strictly it was read.

The first step that finds a place decides: a looser one never settles what a stricter one leaves ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fastedit.formats.base import Replacement
from fastedit.formats.report import PlacementStep
from fastedit.formats.text.escapes import unescaped
from fastedit.formats.text.indentation import Indentation
from fastedit.formats.text.views import KeyedView, ViewedText, lines_of, occurrences
from fastedit.source.hunks import diff_lines
from fastedit.source.look_alikes import in_ascii


class HunkPlace(NamedTuple):
    """Where an old text stands: the characters `start` up to but not including `stop` of a text.

    Where it is matched line by line, `rows` has for each old line the line that it is, None for one that is missing.
    """

    start: int
    stop: int
    rows: tuple[int | None, ...] = ()


class Match(NamedTuple):
    """All places of a hunk at the first step that finds one. `hunk` is as that step reads it.

    An insertion that has nothing but its line has no places yet: other hunks tell by how much the file has grown.
    """

    step: PlacementStep
    hunk: Replacement
    places: tuple[HunkPlace, ...]


class OldNew(NamedTuple):
    """A replacement as lines."""

    old: list[str]
    new: list[str]

    def is_visible_in(self, view: KeyedView) -> bool:
        """Whether the change remains where lines are compared as in this view."""
        return view.of(self.old) != view.of(self.new)


def climb(text: ViewedText, hunk: Replacement) -> Match | None:
    """The places of a hunk whose old text is not empty. `count` other than 1 asks for exact ones."""
    if found := tuple(_exact(text, hunk)):
        return Match(PlacementStep.EXACT, hunk, found)
    if hunk.count != 1:
        return None
    if found_loosely := _loose(text, hunk):
        return found_loosely
    for plain in unescaped(hunk):
        found = tuple(_exact(text, plain))
        match = Match(PlacementStep.ESCAPES, plain, found) if found else _loose(text, plain)
        if match:
            return match._replace(step=PlacementStep.ESCAPES)
    return None


def as_lines(hunk: Replacement) -> OldNew | None:
    """The hunk as whole lines; None if it joins lines, or tells whether the file's last line has an end."""
    old, new = hunk.old, hunk.new
    if hunk.whole_lines:
        return OldNew(lines_of(old), lines_of(new))
    if hunk.at_end:
        return None
    while old.startswith("\n") and new.startswith("\n"):
        old, new = old[1:], new[1:]
    if old.startswith("\n"):
        return None
    if not old.endswith("\n"):
        return OldNew(old.split("\n"), new.split("\n"))
    if new and not new.endswith("\n"):
        return None
    return OldNew(lines_of(old), lines_of(new))


def with_blank_lines(old: Sequence[str], rows: list[int | None], text: ViewedText) -> tuple[int | None, ...]:
    """`rows`, found for the other lines, with the blank lines of the file that the old text's blank lines are."""
    taken = set(rows)
    for step, order in ((1, range(1, len(old))), (-1, range(len(old) - 2, -1, -1))):
        for at in order:
            beside = rows[at - step]
            if rows[at] is not None or old[at].strip() or beside is None:
                continue
            row = beside + step
            if 0 <= row < len(text.lines) and row not in taken and not text.lines[row].strip():
                rows[at] = row
                taken.add(row)
    return tuple(rows)


def _exact(text: ViewedText, hunk: Replacement) -> Iterator[HunkPlace]:
    for at in occurrences(text.whole, hunk.old):
        stop = at + len(hunk.old)
        fits = text.begins_line(at) if hunk.whole_lines else not hunk.at_end or text.only_blanks_from(stop)
        if fits:
            yield HunkPlace(at, stop)


def _loose(text: ViewedText, hunk: Replacement) -> Match | None:
    lines = as_lines(hunk)
    if lines is None or not any(map(str.strip, lines.old)):
        return _inside_lines(text, hunk)
    if found := _in_view(text, text.right_stripped, lines):
        return Match(PlacementStep.WHITE_SPACE, hunk, found)
    shifted = tuple(
        place for place in _in_view(text, text.stripped, lines) if depths(text, lines, place).is_uniform
    )
    if found := _plausible(text, lines, shifted):
        return Match(PlacementStep.INDENTATION, hunk, found)
    if found := _plausible(text, lines, _without_blank(text, text.compact, lines)):
        kept = all(depths(text, lines, place).is_kept for place in found)
        return Match(PlacementStep.WHITE_SPACE if kept else PlacementStep.INDENTATION, hunk, found)
    if found := _plausible(text, lines, _without_blank(text, text.ascii, lines)):
        return Match(PlacementStep.LOOK_ALIKES, hunk, found)
    return _inside_lines(text, hunk)


def depths(text: ViewedText, lines: OldNew, place: HunkPlace) -> Indentation:
    """How deep the old lines stand at a place."""
    known = [
        (old, text.lines[row]) for old, row in zip(lines.old, place.rows, strict=True) if row is not None
    ]
    return Indentation([old for old, _ in known], [line for _, line in known], lines.new, text)


def _plausible(text: ViewedText, lines: OldNew, places: Sequence[HunkPlace]) -> tuple[HunkPlace, ...]:
    return tuple(place for place in places if depths(text, lines, place).is_plausible)


def _in_view(text: ViewedText, view: KeyedView, lines: OldNew) -> tuple[HunkPlace, ...]:
    """Where the old lines stand in a row in this view, if the change can be seen in it."""
    if not lines.is_visible_in(view):
        return ()
    keys = view.of(lines.old)
    shown = [at for at, line in enumerate(lines.old) if len(keys) == len(lines.old) or view.key(line)]
    found = []
    for at in view.find(keys):
        rows: list[int | None] = [None] * len(lines.old)
        for k, row in zip(shown, view.rows[at : at + len(keys)], strict=True):
            rows[k] = row
        found.append(placed(text, with_blank_lines(lines.old, rows, text)))
    return tuple(found)


def _without_blank(text: ViewedText, view: KeyedView, lines: OldNew) -> Sequence[HunkPlace]:
    """The same in a view without blank lines, where lines that are added next to one have a place without it."""
    return [place for place in _in_view(text, view, lines) if not _goes_on(text, lines, place)]


def _goes_on(text: ViewedText, lines: OldNew, place: HunkPlace) -> bool:
    """Whether lines are added at the outer end of a paragraph, as a blank line next to them shows, that goes on there
    in the file: where it ends now is not known."""
    known = [at for at, line in enumerate(lines.old) if line.strip()]
    first, last = known[0], known[-1]
    rows = text.rows(place.start, place.stop)
    above = first > 0 and place.rows[first - 1] is None and rows.start > 0
    below = last + 1 < len(lines.old) and place.rows[last + 1] is None and rows.stop < len(text.lines)
    groups = diff_lines(lines.old, lines.new) if above or below else ()
    return any((above and group.stop <= first) or (below and group.start > last) for group in groups)


def head_of(text: ViewedText, row: int) -> HunkPlace:
    """The place before a line."""
    return HunkPlace(text.starts[row], text.starts[row])


def placed(text: ViewedText, rows: tuple[int | None, ...]) -> HunkPlace:
    """The place with these lines, which rise."""
    known = [row for row in rows if row is not None]
    return HunkPlace(text.starts[known[0]], text.starts[known[-1] + 1], rows)


def _inside_lines(text: ViewedText, hunk: Replacement) -> Match | None:
    """Look-alikes within lines."""
    if hunk.whole_lines or in_ascii(hunk.old) == in_ascii(hunk.new):
        return None
    if text.whole.isascii() and hunk.old.isascii():
        return None
    whole, offsets = text.ascii_offsets
    needle = in_ascii(hunk.old)
    found = []
    for at in occurrences(whole, needle):
        stop = at + len(needle)
        # What one character of the file stands for is not divided.
        if (at == 0 or offsets[at - 1] < offsets[at]) and offsets[stop - 1] < offsets[stop]:
            found.append(HunkPlace(offsets[at], offsets[stop]))
    return Match(PlacementStep.LOOK_ALIKES, hunk, tuple(found)) if found else None
