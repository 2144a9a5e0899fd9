"""What a new text tells by itself: that it stands in the file already, or that it leaves code out."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from fastedit.formats.base import Replacement
from fastedit.formats.resolution.ladder import HunkPlace, as_lines, placed
from fastedit.formats.resolution.scopes import TextScopes
from fastedit.formats.resolution.words import NAME, names_beside, stands_apart
from fastedit.formats.text.views import WORD, ViewedText, lines_of, occurrences
from fastedit.source.document import Document
from fastedit.source.examples import examples
from fastedit.source.hunks import diff_lines, differing
from fastedit.source.language import language_in, notation_in
from fastedit.source.languages import named
from fastedit.source.lines import with_lf
from fastedit.source.markers import looks_like_marker, parse_update, said_in_comment, said_in_example

_LEAST_LINES, _LEAST_CHARACTERS = 2, 20  # a new text of less may stand anywhere


def literal_marker(document: Document, before: str, after: str) -> str | None:
    """A line of what becomes of a text of the document that stands for code left out, and would be written as it is."""
    old = {line.strip() for line in before.split("\n")}
    lines = after.split("\n")
    if not any(looks_like_marker(line) and line.strip() not in old for line in lines):
        return None
    update = parse_update(after, language_in(document), document.lines)
    shown = set(examples_added(before.split("\n"), lines)) if named(notation_in(document)).prose else set()
    markers = (line.text for row, line in enumerate(update.lines) if line.marker and row not in shown)
    return next((marker for marker in markers if marker.strip() not in old), None)


def may_leave_out(document: Document, text: str) -> bool:
    """Whether a line of a whole text of the document may stand for lines of it that the text lacks: one spelled like a
    marker, or a comment that sounds like one and comes alone where more lines go."""
    if literal_marker(document, document.text, text):
        return True
    comments = list(_in_place(document, lines_of(with_lf(text))))
    if not comments:
        return False
    from fastedit.sketch.paths.fitted import fitted  # a file of weights, which few texts need
    from fastedit.sketch.read.wording import Wording

    words = Wording(**fitted()["words"])
    return any(words.speaks(comment) > 0 for comment in comments)


def _in_place(document: Document, lines: Sequence[str]) -> Iterator[str]:
    """The comments of a whole text that the document lacks, where they alone come and more lines go."""
    old, new = ([line.strip() for line in each if line.strip()] for each in (document.lines, lines))
    known = set(old)
    added = {line for line in new if line not in known and said_in_comment(line) is not None}
    if not added:
        return
    for start, stop, first, last in differing(old, new):
        if last - first < stop - start and added.issuperset(new[first:last]):
            yield from new[first:last]


def examples_added(old: Sequence[str], new: Sequence[str]) -> Iterator[int]:
    """The rows of a new text of prose in examples that say something, all of which it adds: nothing of them is in the
    file for a marker to stand for."""
    added = {row for a, b, c, d in differing(old, new) if a == b for row in range(c, d)}
    for example in examples(new):
        if added.issuperset(example) and said_in_example(new[example.start : example.stop]):
            yield from example


def stands_already(text: ViewedText, hunk: Replacement) -> HunkPlace | None:
    """The one place where the new text stands, if it is long enough to tell and not a part of the old text, and nothing
    that it takes out of that is in its lines."""
    old = {line.strip() for line in hunk.old.split("\n")}
    said = [line.strip() for line in hunk.new.split("\n") if line.strip()]
    if len(said) < _LEAST_LINES and len("".join(said)) < _LEAST_CHARACTERS:
        return None
    places = places_of_new(text, hunk)
    if len(places) != 1:
        return None
    if (old.issuperset(said) or hunk.new in hunk.old) and not _closes_up(text, hunk):
        return None
    removed = set(NAME.findall(hunk.old)).difference(NAME.findall(hunk.new))
    return None if removed & names_beside(text, places[0]) else places[0]


def _closes_up(text: ViewedText, hunk: Replacement) -> bool:
    """Whether a hunk takes away lines that the file does not have, between others: where these stand together, nothing
    is left of what it takes away."""
    lines = as_lines(hunk)
    if lines is None or not hunk.whole_lines:
        return False
    shown = [at for at, line in enumerate(lines.old) if line.strip()]
    for group in diff_lines(lines.old, lines.new):
        taken = [line.strip() for line in lines.old[group.start : group.stop] if line.strip()]
        if group.lines or not taken or not (shown[0] < group.start and group.stop <= shown[-1]):
            return False
        if not text.compact.places.keys().isdisjoint(taken):
            return False
    return True


def added(text: ViewedText, hunk: Replacement, place: HunkPlace) -> frozenset[int]:
    """The lines of the file at the place of a new text that this adds to the old one, each as a whole."""
    first, new = text.row(place.start), hunk.new.split("\n")
    rows = (
        first + at
        for _, _, start, stop in differing(hunk.old.split("\n"), new)
        for at in range(start, stop)
        if new[at].strip()
    )
    return frozenset(row for row in rows if text.covers(place.start, place.stop, row))


def repeated(text: ViewedText, hunk: Replacement, place: HunkPlace) -> range | None:
    """The lines next to the old text of an addition that it would add a second time, on a side where it shows nothing
    else: others may have written on behind them."""
    lines = as_lines(hunk)
    groups = diff_lines(lines.old, lines.new) if lines else ()
    if lines is None or len(groups) != 1 or groups[0].start < groups[0].stop:
        return None
    said = [line.strip() for line in groups[0].lines if line.strip()]
    covered = text.rows(place.start, place.stop)
    is_whole = [line.rstrip() for line in lines.old] == [text.lines[row].rstrip() for row in covered]
    if not (place.rows or is_whole):
        return None
    rows = place.rows or covered
    shown = [(at, row) for at, row in enumerate(rows) if row is not None and lines.old[at].strip()]
    above = [row for at, row in shown if at < groups[0].start]
    below = [row for at, row in shown if at >= groups[0].start]
    if not WORD.search(" ".join(said)) or bool(above) == bool(below):
        return None
    view = text.compact
    at = bisect_right(view.rows, above[-1]) if above else bisect_left(view.rows, below[0]) - len(said)
    if at < 0 or list(view.keys[at : at + len(said)]) != said:
        return None
    return range(view.rows[at], view.rows[at + len(said) - 1] + 1)


def belongs(text: ViewedText, hunk: Replacement, place: HunkPlace) -> bool:
    """Whether nothing else in the file may be the old text, misquoted, than what is at this place of the new one.

    All lines and words that the hunk keeps of its old text would be together at both.
    """
    old, new = hunk.old.split("\n"), hunk.new.split("\n")
    lines = {line.strip() for line in old if WORD.search(line)} & {line.strip() for line in new}
    words = set(WORD.findall(hunk.old)) & set(WORD.findall(hunk.new))
    view = text.compact
    kept = {line: [view.rows[at] for at in view.places[line]] for line in lines & view.places.keys()}
    kept |= {word: text.words.get(word, []) for word in words}
    found = sorted((row, part) for part, rows in kept.items() for row in rows)
    here, scopes = text.rows(place.start, place.stop), TextScopes(text)
    sides = [one for one in found if one[0] < here.start], [one for one in found if one[0] >= here.stop]
    elsewhere = (row for side in sides for row in _together(side, len(kept), len(old)))
    return bool(kept) and not any(scopes.agreeing(hunk, [placed(text, (row,))]) for row in elsewhere)


def _together(found: Sequence[tuple[int, str]], count: int, size: int) -> Iterator[int]:
    """The rows from which on so many different parts are on so many lines. `found` are parts by their rows, rising."""
    among: Counter[str] = Counter()
    first = 0
    for row, part in found:
        among[part] += 1
        while found[first][0] <= row - size:
            among[found[first][1]] -= 1
            if not among[found[first][1]]:
                del among[found[first][1]]
            first += 1
        if len(among) == count:
            yield found[first][0]


def places_of_new(text: ViewedText, hunk: Replacement) -> list[HunkPlace]:
    """Where the new text stands in the file."""
    if not hunk.new.strip():
        return []
    if not hunk.whole_lines:
        found = (HunkPlace(at, at + len(hunk.new)) for at in occurrences(text.whole, hunk.new))
        return [place for place in found if stands_apart(text, place)]
    lines = [line.rstrip() for line in lines_of(hunk.new)]
    return [
        HunkPlace(text.starts[row], text.starts[row + len(lines)]) for row in text.right_stripped.find(lines)
    ]
