"""What a new text tells by itself: that it stands in the file already, or that it leaves code out."""

from __future__ import annotations

from fastedit.formats.base import Replacement
from fastedit.formats.ladder import HunkPlace
from fastedit.formats.views import ViewedText, lines_of, occurrences
from fastedit.source.document import Document
from fastedit.source.language import language_in
from fastedit.source.markers import looks_like_marker, parse_update

_LEAST_LINES, _LEAST_CHARACTERS = 2, 20  # a new text of less may stand anywhere


def literal_marker(document: Document, hunk: Replacement) -> str | None:
    """A line of the new text that stands for code left out, and would be written as it is."""
    old = {line.strip() for line in hunk.old.split("\n")}
    lines = hunk.new.split("\n")
    if not any(looks_like_marker(line) and line.strip() not in old for line in lines):
        return None
    update = parse_update(hunk.new, language_in(document), document.lines)
    return next((line.text for line in update.lines if line.marker and line.text.strip() not in old), None)


def stands_already(text: ViewedText, hunk: Replacement) -> HunkPlace | None:
    """The one place where the new text stands, if it is long enough to tell and not a part of the old text."""
    old = {line.strip() for line in hunk.old.split("\n")}
    said = [line.strip() for line in hunk.new.split("\n") if line.strip()]
    if len(said) < _LEAST_LINES and len("".join(said)) < _LEAST_CHARACTERS:
        return None
    if old.issuperset(said) or hunk.new in hunk.old:
        return None
    places = places_of_new(text, hunk)
    return places[0] if len(places) == 1 else None


def places_of_new(text: ViewedText, hunk: Replacement) -> list[HunkPlace]:
    """Where the new text stands in the file."""
    if not hunk.new.strip():
        return []
    if not hunk.whole_lines:
        return [HunkPlace(at, at + len(hunk.new)) for at in occurrences(text.whole, hunk.new)]
    lines = [line.rstrip() for line in lines_of(hunk.new)]
    return [
        HunkPlace(text.starts[row], text.starts[row + len(lines)]) for row in text.right_stripped.find(lines)
    ]
