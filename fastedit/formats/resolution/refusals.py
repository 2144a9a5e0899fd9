"""Why a hunk is not placed, in one line that its author can act on, and the lines that are most like its old text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from fastedit.formats.base import Replacement
from fastedit.formats.report import PlacementStep, Unplaced, numbered, quoted, spans
from fastedit.formats.resolution.already import places_of_new
from fastedit.formats.resolution.ladder import HunkPlace, Match, as_lines
from fastedit.formats.resolution.scopes import TextScopes
from fastedit.formats.text.views import WORD, ViewedText
from fastedit.source.hunks import diff_lines
from fastedit.source.look_alikes import in_ascii

_RARE = 20  # lines with the same text or word, beyond which it tells no place
_SHOWN = 12  # lines


def ambiguous(text: ViewedText, match: Match) -> Unplaced:
    """A hunk has several places, or nothing but a line that other hunks do not confirm."""
    lines = _lines(text, match.places)
    if not lines:
        problem = f"only its line tells where it inserts, and the file may have changed above line {match.hunk.line}"
        return Unplaced(f"{problem}; add the lines around it")
    if not match.hunk.old:
        return Unplaced(
            f"could insert at {spans(lines)}; add the lines around it", lines, step=PlacementStep.AMBIGUOUS
        )
    problem = f"its old text stands {len(lines)} times, at {spans(lines)}"
    return Unplaced(
        f"{problem}; add lines around it that only one place has", lines, step=PlacementStep.AMBIGUOUS
    )


def counted(text: ViewedText, match: Match) -> Sequence[HunkPlace]:
    """The places that do not overlap. Raises Unplaced unless they are as many as the hunk wants."""
    places: list[HunkPlace] = []
    for place in match.places:
        if not places or place.start >= places[-1].stop:
            places.append(place)
    if match.hunk.count in (None, len(places)):
        return places
    if match.hunk.count == 1:
        raise ambiguous(text, match)
    lines = _lines(text, places)
    problem = f"its old text stands {len(places)} times, not {match.hunk.count}, at {spans(lines)}"
    raise Unplaced(f"{problem}; correct the number or the text", lines, step=PlacementStep.AMBIGUOUS)


def unclear_depth(text: ViewedText, places: Sequence[HunkPlace]) -> Unplaced:
    lines = _lines(text, places)
    problem = (
        f"its old text is not indented like {spans(lines)}, so how deep its new lines belong is not known"
    )
    return Unplaced(f"{problem}; copy the old lines from the file", lines)


def scope_missing(scope: str) -> Unplaced:
    problem = f"cannot find the line {quoted(scope)} that it names as the block around it"
    return Unplaced(f"{problem}; copy that line from the file")


def out_of_scope(text: ViewedText, match: Match, scopes: TextScopes) -> Unplaced:
    """All places contradict a scope that the file has."""
    hunk, lines = match.hunk, _lines(text, match.places)
    heads = spans([range(row, row + 1) for row in scopes.heads(hunk)])
    outside = "outside of" if hunk.named else "above"
    side = "new" if match.step is PlacementStep.ALREADY else "old"
    problem = f"its {side} text stands at {spans(lines)}, {outside} {quoted(hunk.scopes[-1])} at {heads}"
    return Unplaced(f"{problem}, so the file has changed since it was read; read it again", lines)


def absent(text: ViewedText, hunk: Replacement) -> Unplaced:
    if not text.lines:
        return Unplaced("the file is empty, so its old text is not in it; send the whole text")
    lines = as_lines(hunk)
    near, shown = in_words(text, lines.old if lines else hunk.old.split("\n"))
    problem, way_out = f"its old text is not in the file: {near}", "copy the old lines from the file"
    if made := _lines(text, places_of_new(text, hunk)):
        way_out = (
            f"leave the hunk out if it was made before, as its new text is at {spans(made)}, or {way_out}"
        )
    return Unplaced(f"{problem}; {way_out}", nearest=shown)


def _lines(text: ViewedText, places: Sequence[HunkPlace]) -> tuple[range, ...]:
    return tuple(text.rows(place.start, place.stop) for place in places)


def nearest(text: ViewedText, old: Sequence[str]) -> range | None:
    """The lines where most of the old lines stand, or most of their words; the most alike of several."""
    votes: Counter[int] = Counter()
    for at, line in enumerate(old):
        for index in _few(text.compact.places.get(line.strip(), ())):
            votes[text.compact.rows[index] - at] += 100
        for word in set(WORD.findall(line)):
            for row in _few(text.words.get(word, ())):
                votes[row - at] += 1
    if not votes:
        return None
    most = max(votes.values())
    start = max(
        (row for row, count in votes.items() if count == most), key=lambda row: _alikeness(text, old, row)
    )
    return range(max(start, 0), min(max(start, 0) + len(old), len(text.lines)))


def _alikeness(text: ViewedText, old: Sequence[str], row: int) -> tuple[float, int]:
    """How alike the lines from `row` on are to the old ones; of several, the first."""
    there = "\n".join(text.lines[max(row, 0) : max(row, 0) + len(old)])
    return SequenceMatcher(None, "\n".join(old), there).ratio(), -row


def _few(rows: Sequence[int]) -> Sequence[int]:
    return rows if len(rows) <= _RARE else ()


def in_words(text: ViewedText, old: Sequence[str]) -> tuple[str, tuple[str, ...]]:
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
