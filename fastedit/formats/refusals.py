"""Why a hunk is not placed, in one line that its author can act on."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.formats.already import places_of_new
from fastedit.formats.base import Replacement
from fastedit.formats.ladder import Match, Place, as_lines
from fastedit.formats.nearest import in_words
from fastedit.formats.report import Step, Unplaced, quoted, spans
from fastedit.formats.scopes import Scopes
from fastedit.formats.views import Text


def ambiguous(text: Text, match: Match) -> Unplaced:
    """A hunk has several places, or nothing but a line that other hunks do not confirm."""
    lines = _lines(text, match.places)
    if not lines:
        problem = f"only its line tells where it inserts, and the file may have changed above line {match.hunk.line}"
        return Unplaced(f"{problem}; add the lines around it")
    if not match.hunk.old:
        return Unplaced(
            f"could insert at {spans(lines)}; add the lines around it", lines, step=Step.AMBIGUOUS
        )
    problem = f"its old text stands {len(lines)} times, at {spans(lines)}"
    return Unplaced(f"{problem}; add lines around it that only one place has", lines, step=Step.AMBIGUOUS)


def counted(text: Text, match: Match) -> Sequence[Place]:
    """The places that do not overlap. Raises Unplaced unless they are as many as the hunk wants."""
    places: list[Place] = []
    for place in match.places:
        if not places or place.start >= places[-1].stop:
            places.append(place)
    if match.hunk.count in (None, len(places)):
        return places
    if match.hunk.count == 1:
        raise ambiguous(text, match)
    lines = _lines(text, places)
    problem = f"its old text stands {len(places)} times, not {match.hunk.count}, at {spans(lines)}"
    raise Unplaced(f"{problem}; correct the number or the text", lines, step=Step.AMBIGUOUS)


def unclear_depth(text: Text, places: Sequence[Place]) -> Unplaced:
    lines = _lines(text, places)
    problem = (
        f"its old text is not indented like {spans(lines)}, so how deep its new lines belong is not known"
    )
    return Unplaced(f"{problem}; copy the old lines from the file", lines)


def scope_missing(scope: str) -> Unplaced:
    problem = f"cannot find the line {quoted(scope)} that it names as the block around it"
    return Unplaced(f"{problem}; copy that line from the file")


def out_of_scope(text: Text, match: Match, scopes: Scopes) -> Unplaced:
    """All places contradict a scope that the file has."""
    hunk, lines = match.hunk, _lines(text, match.places)
    heads = spans([range(row, row + 1) for row in scopes.heads(hunk)])
    outside = "outside of" if hunk.named else "above"
    problem = f"its old text stands at {spans(lines)}, {outside} {quoted(hunk.scopes[-1])} at {heads}"
    return Unplaced(f"{problem}, so the file has changed since it was read; read it again", lines)


def absent(text: Text, hunk: Replacement) -> Unplaced:
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


def _lines(text: Text, places: Sequence[Place]) -> tuple[range, ...]:
    return tuple(text.rows(place.start, place.stop) for place in places)
