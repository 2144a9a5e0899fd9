"""Places the hunks of an edit in a document, each by the strictest reading that fits.

A hunk that fits nowhere, or in several places, is refused: nothing is placed by similarity.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from fastedit.formats.base import FormatHunk, LineSpan, Replacement, Tag, TextRange
from fastedit.formats.report import PlacementStep, Report, Unplaced, quoted, spans
from fastedit.formats.resolution.already import added, belongs, literal_marker, repeated, stands_already
from fastedit.formats.resolution.ladder import HunkPlace, Match, climb
from fastedit.formats.resolution.place import settle
from fastedit.formats.resolution.placements import Placements
from fastedit.formats.resolution.refusals import (
    absent,
    ambiguous,
    counted,
    out_of_scope,
    scope_missing,
    unclear_depth,
)
from fastedit.formats.resolution.rewriting import IS_SAME, is_there, remarks, rewrite
from fastedit.formats.resolution.scopes import TextScopes, insertion
from fastedit.formats.resolution.spans import range_change, span_change
from fastedit.formats.resolution.words import divided
from fastedit.formats.text.changes import TextChange, apply, line_hunks
from fastedit.formats.text.escapes import break_written_out, entity_in_code, escapes_in
from fastedit.formats.text.indentation import UnclearDepth
from fastedit.formats.text.views import ViewedText, ended
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk
from fastedit.source.lines import with_lf
from fastedit.source.outline import is_closer


@dataclass(frozen=True, slots=True)
class Resolution:
    """`hunks` are sorted and disjoint, and hold only lines that really change; `reports` are in the order of the input.

    `drops_final_newline`: the edit takes away the end of the file's last line, which line hunks cannot say.
    `keeps_final_newline`: a string that has this end becomes one without, of which its author may know nothing.
    """

    hunks: tuple[Hunk, ...]
    reports: tuple[Report, ...]
    drops_final_newline: bool = False
    keeps_final_newline: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether every hunk is placed."""
        return all(report.step.placed for report in self.reports)


def resolve(document: Document, hunks: Sequence[FormatHunk], within: LineRange | None = None) -> Resolution:
    """The hunks of one edit, in the author's order, placed in the document; of several places those `within` lines.

    Raises TypeError for a Sketch or TypedOperation.
    """
    tags = {hunk.tag for hunk in hunks if isinstance(hunk, Replacement) and hunk.tag}
    valid = {tag for tag in tags if tag.digest(document.text) == tag.value}
    text = ViewedText(document)
    edit = _Placing(text, [_checked(text, hunk, valid) for hunk in hunks], within)
    edit.place_named()
    edit.place_matched()
    edit.place_after_others()
    edit.place_drifted()
    edit.keep_added()
    edit.refuse_escaped()
    return edit.resolution()


def resolve_alone(text: ViewedText, hunk: Replacement) -> Resolution | None:
    """A hunk that has one place by itself; None where it takes other hunks to tell it."""
    edit = _Placing(text, [_checked(text, hunk, ())])
    edit.place_matched()
    found = edit.resolution()
    return found if found.reports and found.is_complete else None


def _checked(
    text: ViewedText, hunk: FormatHunk, valid: Collection[Tag]
) -> Replacement | LineSpan | TextRange:
    """The hunk, its texts with LF and the blanks that are their own, and without a tag that is not valid."""
    if isinstance(hunk, (LineSpan, TextRange)):
        return hunk
    if not isinstance(hunk, Replacement):
        raise TypeError(f"a {type(hunk).__name__} is not placed by its text or lines")
    known = text.right_stripped.places if hunk.context else {}
    cut = {line for line in hunk.context if line.rstrip() not in known and f" {line.rstrip()}" in known}
    old, new = (
        "\n".join(f" {line}" if line in cut else line for line in with_lf(part).split("\n"))
        for part in (hunk.old, hunk.new)
    )
    # A diff that only adds the end of the last line has nothing to add where that is there.
    ends = text.document.ends
    has_end = bool(ends) and ends[-1] != ""
    if hunk.at_end and not hunk.whole_lines and has_end and not old.endswith("\n"):
        new = new.removesuffix("\n")
    return replace(hunk, old=old, new=new, tag=hunk.tag if hunk.tag in valid else None)


class _Placing:
    """An edit on its way into a document. Hunks are known by their number, from 1."""

    def __init__(
        self,
        text: ViewedText,
        hunks: Sequence[Replacement | LineSpan | TextRange],
        within: LineRange | None = None,
    ) -> None:
        self._text, self._within = text, within
        self._hunks = dict(enumerate(hunks, 1))
        self._placements = Placements(self._text)
        self._added: dict[int, frozenset[int]] = {}  # the lines that hunks which were made before have added

    def resolution(self) -> Resolution:
        placements = self._placements
        hunks = tuple(line_hunks(self._text, placements.changes))
        reports = tuple(report for _, report in sorted(placements.reports.items()))
        leaves_out = self._leaves_out_final_newline()
        known = leaves_out and self._knows_end()
        return Resolution(hunks, reports, known, leaves_out and not known)

    def place_named(self) -> None:
        """Places the hunks that name lines or positions."""
        for number, hunk in self._hunks.items():
            if isinstance(hunk, Replacement):
                continue
            with self._placements.refusing(number):
                if isinstance(hunk, LineSpan):
                    self._check_complete(ended(self._text.lines[hunk.start : hunk.stop]), ended(hunk.lines))
                    step, change = span_change(self._text, hunk)
                else:
                    step, change = PlacementStep.LINE, range_change(self._text, hunk)
                self._placements.add(number, step, [change], [self._text.rows(change.start, change.stop)])

    def place_matched(self) -> None:
        """Places the hunks whose old text stands in the document."""
        matches: dict[int, Match] = {}
        for number, hunk in self._open():
            with self._placements.refusing(number):
                if match := self._match(number, hunk):
                    matches[number] = self._allowed(self._in_scope(self._text, match))
        settled = settle(self._text, matches, len(self._hunks))
        for number, match in matches.items():
            with self._placements.refusing(number):
                self._put(number, match, settled.get(number))
        self._placements.refuse_collisions()

    def place_after_others(self) -> None:
        """Places the hunks that want all places, and those whose old text earlier hunks write."""
        for number, hunk in self._open():
            text = self._placements.text_before(number)
            if text is self._text and hunk.count == 1:
                continue
            with self._placements.refusing(number):
                if match := climb(text, hunk):
                    self._put_after_others(number, text, self._in_scope(text, match))

    def place_drifted(self) -> None:
        """Places the hunks whose surroundings have changed. What is left then has no place."""
        for number, hunk in self._open():
            # Not above: it imports arrays, and few hunks get here.
            from fastedit.formats.resolution.drift import drifted

            with self._placements.refusing(number):
                place = stands_already(self._text, hunk) if hunk.count == 1 else None
                if place:
                    self._in_scope(self._text, Match(PlacementStep.ALREADY, hunk, (place,)))
                if place and belongs(self._text, hunk, place):
                    self._leave_made(number, hunk, place)
                # Of two guesses none is made: that it was applied, or that its surroundings have changed.
                elif hunk.count == 1 and not place and (place := drifted(self._text, hunk)):
                    match = self._in_scope(self._text, Match(PlacementStep.DRIFT, hunk, (place,)))
                    self._put(number, match, place)
                else:
                    self._check_named(hunk)
                    raise absent(self._text, hunk)
        self._placements.refuse_collisions()

    def keep_added(self) -> None:
        """Keeps what was added when the edit was made before: a hunk that moves these lines away from elsewhere finds
        them there, and nowhere else."""
        kept = frozenset[int]().union(*self._added.values())
        removing = (each for each in self._placements.changes if not kept.isdisjoint(self._removed(each)))
        for number in sorted({number for change in removing for number in change.owners}):
            hunk = self._hunks[number]
            own = [change for change in self._placements.changes if number in change.owners]
            removed = {row for change in own for row in self._removed(change)}
            adding = next(
                (other for other, rows in self._added.items() if not rows.isdisjoint(removed)), None
            )
            if adding is None or not isinstance(hunk, Replacement):
                continue
            lines = [self._text.rows(change.start, change.stop) for change in own]
            found = f"stands only where hunk {adding} has put it before, at {spans(lines)}"
            self._placements.take_out(number)
            if removed <= self._added[adding] and not any(change.new.strip() for change in own):
                self._placements.leave(number, lines, f"its old text {found}, so nothing is removed for it")
                continue
            with self._placements.refusing(number):
                raise Unplaced(
                    f"its old text {found}; leave the hunk out if it was made before", tuple(lines)
                )

    def refuse_escaped(self) -> None:
        """Refuses new text with escapes such as the old text of another hunk has for the signs that the file has: what
        escaped the one escaped all of the edit."""
        steps = {number: report.step for number, report in self._placements.reports.items()}
        hunks = {number: hunk for number, hunk in self._hunks.items() if isinstance(hunk, Replacement)}
        foreign = {
            escape: number
            for number, hunk in hunks.items()
            if steps[number] is PlacementStep.ESCAPES
            for escape in escapes_in(hunk.old)
        }
        for number, hunk in hunks.items() if foreign else ():
            if steps[number] is PlacementStep.ESCAPES or not steps[number].placed:
                continue
            if written := sorted((escapes_in(hunk.new) - escapes_in(hunk.old)) & foreign.keys()):
                self._placements.take_out(number)
                problem = f"its new text has `{written[0]}`, which hunk {foreign[written[0]]} has for the sign itself"
                with self._placements.refusing(number):
                    raise Unplaced(f"{problem}; send the signs that the file is to have")

    def _removed(self, change: TextChange) -> Iterator[int]:
        """The lines, but for blank ones, that a change replaces as a whole."""
        text = self._text
        for row in text.rows(change.start, change.stop):
            if text.lines[row].strip() and text.covers(change.start, change.stop, row):
                yield row

    def _leave_made(self, number: int, hunk: Replacement, place: HunkPlace) -> None:
        """Leaves out a hunk that was made before: its new text is at this place."""
        rows = self._text.rows(place.start, place.stop)
        self._added[number] = added(self._text, hunk, place)
        self._placements.leave(number, [rows], is_there(rows))

    def _open(self) -> Iterator[tuple[int, Replacement]]:
        for number, hunk in self._hunks.items():
            if isinstance(hunk, Replacement) and number not in self._placements.reports:
                yield number, hunk

    def _match(self, number: int, hunk: Replacement) -> Match | None:
        """All places of a hunk that wants one. Raises Unplaced where none can be right."""
        if not (hunk.old or hunk.new) and self._text.lines:
            way_out = "repeat a line next to it in both"
            raise Unplaced(f"it has neither an old nor a new text, or a blank line for each; {way_out}")
        if hunk.old == hunk.new:
            self._placements.leave(number, remark=IS_SAME)
            return None
        self._check_complete(hunk.old, hunk.new)
        if not hunk.old:
            return insertion(self._text, hunk)
        return climb(self._text, hunk) if hunk.count == 1 else None

    def _check_complete(self, old: str, new: str) -> None:
        """Raises Unplaced for a new text that leaves code out."""
        if marker := literal_marker(self._text.document, old, new):
            problem = f"its new text leaves code out at {quoted(marker)}, which would be written as it is"
            raise Unplaced(f"{problem}; write that code out, or send a sketch")

    def _check_plain(self, hunk: Replacement, rows: range, changes: Sequence[TextChange]) -> None:
        """Raises Unplaced for a new text that was escaped on its way."""
        if line := break_written_out(self._text, hunk, rows):
            problem = f"its new text has `\\n` in place of a line break, at {quoted(line)}"
            raise Unplaced(f"{problem}; send the line break itself")
        if entity := entity_in_code(self._text, hunk, changes):
            raise Unplaced(f"its new text has `{entity}` in code; send the sign that it stands for")

    def _check_extent(self, hunk: Replacement, rows: range) -> None:
        """Raises Unplaced for a new text that has a line next to the old one, which lacks it: it may be that of the
        whole block."""
        brought = {line.strip() for line in hunk.new.split("\n")} - {
            line.strip() for line in hunk.old.split("\n")
        }
        for side in (reversed(range(rows.start)), range(rows.stop, len(self._text.lines))):
            row = next((row for row in side if self._text.lines[row].strip()), None)
            if row is not None and (line := self._text.lines[row].strip()) in brought and not is_closer(line):
                rows = range(row, row + 1)
                problem = (
                    f"its new text has {quoted(line)}, which stands next to its old text at {spans([rows])}"
                )
                raise Unplaced(f"{problem}; show that line in both, or in none", (rows,))

    def _in_scope(self, text: ViewedText, match: Match) -> Match:
        """The match without the places that the hunk's scopes contradict. Raises Unplaced where none is left.

        Named blocks are those of the file; hunks before this one may have renamed them in `text`.
        """
        hunk, scopes = match.hunk, TextScopes(text)
        self._check_named(hunk)
        agreeing = scopes.agreeing(hunk, match.places)
        if match.places and not agreeing:
            raise out_of_scope(text, match, scopes)
        return match._replace(places=tuple(agreeing))

    def _allowed(self, match: Match) -> Match:
        """The match without the places where nothing may change, if any is left."""
        if self._within is None or len(match.places) < 2:
            return match
        spans = ((place, self._text.rows(place.start, place.stop)) for place in match.places)
        inside = [
            place
            for place, rows in spans
            if self._within.start <= rows.start and rows.stop <= self._within.stop
        ]
        return match._replace(places=tuple(inside)) if inside else match

    def _check_named(self, hunk: Replacement) -> None:
        """Raises Unplaced for a block that the hunk names and the file lacks."""
        if hunk.named and (scope := TextScopes(self._text).missing(hunk.scopes)):
            raise scope_missing(scope)

    def _put(self, number: int, match: Match, place: HunkPlace | None) -> None:
        """Places a hunk. Raises Unplaced."""
        if place is None:
            raise ambiguous(self._text, match)
        if made := self._sent_again(match.hunk, place):
            self._leave_made(number, match.hunk, made)
            return
        if rows := repeated(self._text, match.hunk, place):
            self._added[number] = frozenset(rows)
            self._placements.leave(number, [rows], is_there(rows))
            return
        changes = _changes(self._text, match, [place])
        lines = [self._text.rows(place.start, place.stop)]
        self._check_plain(match.hunk, lines[0], changes)
        if match.hunk.in_words:
            self._check_extent(match.hunk, lines[0])
        if self._placements.has(changes) and match.hunk.old:
            self._placements.leave(number, lines)
        else:
            self._placements.add(number, match.step, changes, lines, remarks(self._text, match.hunk, place))

    def _sent_again(self, hunk: Replacement, place: HunkPlace) -> HunkPlace | None:
        """Where the new text of an addition stands around its old text: it was made before. None for any other hunk."""
        old = self._text.whole[place.start : place.stop].split("\n")
        if not all(line.strip() in hunk.new for line in old):  # which spares most hunks the search
            return None
        made = stands_already(self._text, hunk)
        return made if made and made.start <= place.start and place.stop <= made.stop else None

    def _put_after_others(self, number: int, text: ViewedText, match: Match) -> None:
        """Places a hunk in the text that the hunks before it make. Raises Unplaced."""
        try:
            changes = _changes(text, match, counted(text, match))
        except Unplaced as error:
            if text is self._text:
                raise
            problem = f"in the text that the hunks before it make, {error.problem}"
            raise Unplaced(problem, step=error.step) from None
        self._placements.add_after(number, match.step, changes)

    def _leaves_out_final_newline(self) -> bool:
        """Whether a hunk that reaches the end of the file leaves the last line without an end."""
        ends, changes = self._text.document.ends, self._placements.changes
        if ends[-1:] == ("",) or not changes or changes[-1].stop < len(self._text.whole):
            return False
        made = apply(self._text.whole, changes)
        return bool(made) and not made.endswith("\n")

    def _knows_end(self) -> bool:
        """Whether a hunk of the last change knows that it reaches the end of the file."""
        hunks = [self._hunks[number] for number in self._placements.changes[-1].owners]
        return any(
            isinstance(hunk, TextRange) or (isinstance(hunk, Replacement) and hunk.at_end) for hunk in hunks
        )


def _changes(text: ViewedText, match: Match, places: Sequence[HunkPlace]) -> list[TextChange]:
    if match.hunk.count == 1 and (word := divided(text, match.hunk, places[0])):
        problem = f"its old text begins or ends within {quoted(word)}, which it changes"
        raise Unplaced(
            f"{problem}; copy the whole word from the file", (text.rows(places[0].start, places[0].stop),)
        )
    try:
        return [change for place in places for change in rewrite(text, match.hunk, place)]
    except UnclearDepth:
        raise unclear_depth(text, places) from None
