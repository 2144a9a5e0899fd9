"""What an update makes of a document: its readings, the most likely first, and what speaks against each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, takewhile
from math import exp, prod
from typing import TYPE_CHECKING, NamedTuple

from fastedit.check import Objection, held_against_merge
from fastedit.check.change import short
from fastedit.engine.merge.evidence import (
    evidence,
    lead,
    looked_at,
    weighed,
)
from fastedit.engine.merge.reading import SURE, Reading
from fastedit.engine.merge.spoken import Spoken
from fastedit.engine.merge.whole import Whole
from fastedit.errors import NARROWER, AnchorNotFound, TooLong, UnreadableEdit
from fastedit.readings import LIKELY
from fastedit.request import LineRange
from fastedit.sketch import align
from fastedit.sketch.candidate import TextCandidate
from fastedit.sketch.evened import evened
from fastedit.sketch.explain.grounds import grounds
from fastedit.sketch.explain.taken import TakenLines, taken
from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update, without_label
from fastedit.sketch.remarks import LEFT_OUT, Remark, in_update, without_remarks
from fastedit.sketch.rivals import kinds
from fastedit.sketch.rivals.base import Laid
from fastedit.sketch.rivals.omitted import left_as_they_are
from fastedit.sketch.signs.signs import OF_TEXTS, Signs
from fastedit.sketch.trimmed import shared_ends
from fastedit.sketch.whole import anew, is_whole
from fastedit.source.around import without_copied
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk
from fastedit.source.language import notation_in
from fastedit.source.lines import with_lf
from fastedit.source.markers import begins_with_dots
from fastedit.source.update import REST, Update, UpdateLine

if TYPE_CHECKING:
    from fastedit.connect import Hangup
    from fastedit.prompt.base import RegionTask

_OFFERED = 3
# Signs that there is another text to look at, however sure one is.
_CONTESTED = frozenset(name for name, sign in (kinds.SIGNS | OF_TEXTS).items() if sign.contests)
# Pairs of a line of the file and one of the update: from where on equal ends are left out, and the most there may be.
_MANY_PAIRS, _MOST_PAIRS = 100_000, 3_000_000
_MOST_LINES = 4_000  # of an update
_NO_CODE = "the update holds no code, only markers or a fence; write the changed code into it"


class _Sketched(NamedTuple):
    """An update aligned with lines, its most likely text, and what signs of a text are read from."""

    alignment: align.Alignment
    best: TextCandidate
    signs: Signs
    spoken: Spoken


def _without_equal_ends(lines: Sequence[str], update: Update) -> tuple[LineRange, LineRange]:
    """The lines that an update is aligned with, and which of its own: without those that are the same in both above and
    below all changes, where there is no marker and aligning them too would take long."""
    if len(lines) * len(update.lines) < _MANY_PAIRS or any(line.marker for line in update.lines):
        return LineRange(0, len(lines)), LineRange(0, len(update.lines))
    # An update has no blank lines at its end.
    non_blank = max((row + 1 for row, line in enumerate(lines) if line.strip()), default=0)
    above, below = shared_ends(lines[:non_blank], update.texts)
    stop = non_blank - below if below else len(lines)
    return LineRange(above, stop), LineRange(above, len(update.lines) - below)


class Merge:
    """An update aligned with the lines `scope` of a document. Rules with a code in `ignore` are left out.

    Once `hangup` is called, whatever is asked of it raises Cancelled before its next reading is looked at. Raises
    UnreadableEdit for an update without code, TooLong for one with too many lines, AnchorNotFound where
    nothing of it stands there.
    """

    def __init__(
        self,
        document: Document,
        text: str,
        scope: LineRange,
        ignore: frozenset[str] = frozenset(),
        hangup: Hangup | None = None,
    ) -> None:
        self._document, self._ignore, self._hangup = document, ignore, hangup
        lines = document.lines[scope.start : scope.stop]
        copied = without_copied(with_lf(text).split("\n"), document)
        self._copied = [f"{said} is left out" for said in copied.said]
        read = read_update("\n".join(copied.lines) if copied.said else text, notation_in(document), lines)
        wording = align.shipped().wording
        self._file = Outline(lines, language=read.language)
        read = without_label(read, document.path, self._file)
        certainty = 1.0 if copied.is_file else is_whole(self._file, read, wording)
        self.remarks: tuple[Remark, ...] = ()
        update = read
        if certainty < SURE:
            update, self.remarks = without_remarks(read, lines, wording)
        if all(line.marker or not line.text.strip() for line in read.lines):
            raise UnreadableEdit(_NO_CODE)
        name = document.path or "the input"
        if not any(line.strip() for line in lines) and any(line.marker for line in read.lines):
            raise AnchorNotFound(
                f"{name}: is empty, so the update's markers stand for nothing; give the whole text, or another file"
            )
        within, self._aligned = _without_equal_ends(lines, read)
        aligned = slice(self._aligned.start, self._aligned.stop)
        self._whole, self._sent = update, read.texts[aligned]
        self._whole_file = Whole(document, self._file, update, certainty)
        update = replace(update, lines=update.lines[aligned])
        self._lines = lines[within.start : within.stop]
        self._scope = LineRange(scope.start + within.start, scope.start + within.stop)
        self._update, self._name = update, name
        self._known: dict[tuple[PathStep, ...], Reading] = {}
        if certainty >= SURE:
            return
        if not self._says_anything(self._sketched.best):
            raise UnreadableEdit(_NO_CODE)
        if not self._anchored(self._sketched.best):
            raise AnchorNotFound(
                f"{name}: nothing in the update tells where it belongs; "
                "give a line of context that stands only there, or say which lines it is about",
                ways_out=NARROWER,
            )

    @cached_property
    def _sketched(self) -> _Sketched:
        """The update taken for a sketch."""
        count = len(self._update.lines)
        if count > _MOST_LINES or len(self._lines) * count > _MOST_PAIRS:
            raise TooLong(
                f"the update has {count} lines, too many to look for their places among the {len(self._lines)} of "
                f"{self._name}; send a diff or blocks, or the whole file in the format `whole`"
            )
        self._go_on()
        found = align.Alignment(self._lines, self._update)
        return _Sketched(found, found.best(), Signs.about(found), Spoken(found))

    @cached_property
    def _as_whole(self) -> Reading:
        """The update as all of the file's new text."""
        path, prediction = anew(self._lines, self._sent)
        hunks = prediction.hunks(self._lines, self._scope.start)
        held = held_against_merge(
            self._document, hunks, self._with_ends(self._update), frozenset(), self._ignore
        )
        return Reading(hunks, self._whole_file.probability, held, {}, path)

    @cached_property
    def best(self) -> Reading:
        """The most likely reading."""
        if self._whole_file.probability >= SURE:
            return self._as_whole
        if self._sketched.best.only_blanks:
            return self.readings[0]
        alone = self._ranked([self._sketched.best])[0]
        if alone.sure and not _CONTESTED.isdisjoint(alone.evidence):
            alone = self._ranked(evened(self._sketched.alignment, [self._sketched.best]))[0]
        return alone if alone.sure else self.readings[0]

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """Up to three, the most likely first, given what the checks say of each: no other that is hardly meant, or that
        they rule out."""
        first, *others = self.every
        if (other := self._with_remarks_taken_otherwise(first)) is not None:
            others = sorted((other, *others), key=lambda one: -one.posterior)
        likely = takewhile(lambda one: one.posterior >= LIKELY, others)
        return (first, *islice((one for one in likely if not one.broken), _OFFERED - 1))

    def left_out(self, reading: Reading) -> list[str]:
        """What is said of the comments about the edit that a reading does not have, of what was copied with it, and of
        the definitions that go because an update is the whole file."""
        if self.takes_for_whole(reading):
            return self._copied + self._whole_file.lacking()
        otherwise = self.takes_remarks_otherwise(reading)
        after_code = [one.note for one in self.remarks if one.left_out is not otherwise]
        rows = map(self._aligned.start.__add__, self._sketched.spoken.left_out(reading.path))
        found = self._copied + after_code
        return found + [
            f"{in_update(line.text.strip(), row)} {LEFT_OUT}"
            for row in rows
            if not ((line := self._whole.lines[row]).marker or begins_with_dots(line.text))
        ]

    def unheard(self, reading: Reading) -> Iterator[int]:
        """The comments of the update that the file lacks, and that a reading takes neither for code nor for markers of
        what they say stays."""
        if not self.takes_for_whole(reading):
            yield from map(self._aligned.start.__add__, self._sketched.spoken.unheard(reading.path))

    def abbreviating(self, reading: Reading) -> dict[int, float]:
        """The lines of the update that a reading takes for markers or notes and that rather say that what they stand
        for changes too, with the logarithm of the odds that they do."""
        if self.takes_for_whole(reading):
            return {}
        found = self._sketched.spoken.abbreviating(reading.path)
        return {self._aligned.start + row: odds for row, odds in found.items()}

    def left_as_they_are(self, reading: Reading) -> Iterator[range]:
        """The lines of the file that a reading keeps and that may be to go, by what the update shows around them."""
        if self.takes_for_whole(reading):
            return
        found, start = self._sketched.alignment, self._scope.start
        for rows in left_as_they_are(Laid(found.file, found.sketch, reading.path)):
            yield range(start + rows.start, start + rows.stop)

    def takes_remarks_otherwise(self, reading: Reading) -> bool:
        """Whether a reading takes the comments after code for the other thing than the best one, which it shares the
        path of."""
        return reading.path == self.best.path and reading.hunks != self.best.hunks

    @property
    def _certainty(self) -> float:
        """The probability that the comments after code are what they are taken for."""
        return self.remarks[0].certainty if self.remarks else 1.0

    def _with_remarks_taken_otherwise(self, reading: Reading) -> Reading | None:
        """The text with the comments after code taken for the other thing, if that changes anything."""
        hunks = reading.hunks
        for remark in self.remarks:
            hunks = remark.otherwise(hunks)
        if hunks == reading.hunks:
            return None
        share = reading.posterior * (1.0 - self._certainty) / self._certainty
        return replace(reading, hunks=hunks, posterior=share)

    @cached_property
    def every(self) -> list[Reading]:
        """All texts that were looked at, the most likely first; what they leave of 1 is of others."""
        found = looked_at(self._sketched.alignment, self._sketched.best, self._objected)
        return self._ranked(found, likely=True)

    def _ranked(self, candidates: Sequence[TextCandidate], likely: bool = False) -> list[Reading]:
        """What these texts come to, the most likely path's first among them, by all that tells of each. `likely` are
        they if all likely texts are among them."""
        found = [self._reading(candidate) for candidate in candidates]
        posteriors = [candidate.posterior for candidate in candidates]
        shares = weighed(posteriors, [one.evidence for one in found], candidates[0].rare, likely)
        weighted = [
            replace(one, posterior=share * self._certainty * self._sketched.spoken.certainty(one.path))
            for one, share in zip(found, shares, strict=True)
        ]
        if self._whole_file.may_be or self._whole_file.is_piece:
            weighted = self._whole_file.among(weighted, self._as_whole)
        ranked = sorted(weighted, key=lambda one: -one.posterior)
        # How certain it is that no marker stands for changes, which no reading has.
        certainty = prod(1.0 / (1.0 + exp(odds)) for odds in self.abbreviating(ranked[0]).values())
        return [replace(one, posterior=one.posterior * certainty) for one in ranked]

    def takes_for_whole(self, reading: Reading) -> bool:
        """Whether a reading takes the update for all of the file's new text."""
        return self._whole_file.may_be and reading.path == self._as_whole.path

    @property
    def offered(self) -> tuple[Reading, ...]:
        """The readings that a person or a model may choose from, in this order: one alone where that is sure."""
        return (self.best,) if self.best.sure else self.readings

    @property
    def standing(self) -> list[Reading]:
        """The readings that no check rules out, of which a model may choose one."""
        return [reading for reading in self.readings if not reading.broken]

    @property
    def runner_up(self) -> Reading | None:
        """The most likely text beside the best that was looked at, however unlikely it is."""
        return next((reading for reading in self.every if reading.hunks != self.best.hunks), None)

    def taken(self, reading: Reading) -> list[TakenLines]:
        """What each line is taken for; equal lines at the ends of the update go without saying."""
        self._go_on()
        file, sketch = self._sketched.alignment.file, self._sketched.alignment.sketch
        return list(taken(reading.path, file, sketch, self._scope.start, self._aligned.start))

    def quoted(self, one: TakenLines) -> str:
        """The first of the lines that are taken for one thing, as a reason quotes it."""
        lines, rows = (self._whole.texts, one.update) if one.update else (self._document.lines, one.file)
        text = next((lines[row] for row in rows if lines[row].strip()), "")
        return f" ({'from ' * (len(rows) > 1)}{short(text)}{' on' * (len(rows) > 1)})" if text else ""

    def line_of(self, sign: str, reading: Reading) -> int | None:
        """The line of the update that a sign of a reading is told of; None for one of the text as a whole."""
        if self.takes_for_whole(reading):
            return None
        line = self._sketched.signs.line_of(sign, reading.path)
        return None if line is None else self._aligned.start + line

    def grounds(self, one: Reading, other: Reading) -> dict[str, tuple[float, float]]:
        """For each feature that tells between two readings how much oftener it counts in the first, and what that adds
        to its score."""
        return grounds(self._sketched.alignment.features, align.shipped(), one.path, other.path)

    @property
    def update(self) -> Update:
        """The sketch as it is taken."""
        if self._whole_file.probability >= SURE:
            return self._whole
        return self._with_ends(self._sketched.best.sketch)

    def says_gone(self, hunk: Hunk) -> bool:
        """Whether a comment of the update says of a line of the hunk that it goes."""
        return any(
            hunk.start <= line + self._scope.start < hunk.stop for line in self._sketched.best.told_gone
        )

    def task(self, lines: LineRange, instruction: str | None, language: str) -> RegionTask:
        """What a model is asked for these lines of the document: they, and the part of the update that is theirs."""
        from fastedit.prompt.base import RegionTask

        inside = self._document.lines[lines.start : lines.stop]
        update, targets = self._cut(lines.start - self._scope.start, lines.stop - self._scope.start)
        return RegionTask(inside, instruction, update, targets, language)

    def _objected(self, candidate: TextCandidate) -> list[Objection]:
        """What the checks say against a text, about the lines that the update is aligned with."""
        found = self._examined(candidate)
        start, rows = self._scope.start, range(self._scope.start, self._scope.stop)
        return [
            one._replace(
                lost=tuple((row - start, name) for row, name in one.lost if row in rows),
                doubled=tuple(row - start for row in one.doubled if row in rows),
            )
            for one in found.objections
        ]

    def _reading(self, candidate: TextCandidate) -> Reading:
        found = self._examined(candidate)
        return replace(found, evidence=found.evidence | lead(candidate))

    def _examined(self, candidate: TextCandidate) -> Reading:
        """What a path's text comes to by itself. Some are asked for several times."""
        if candidate.path not in self._known:
            self._known[candidate.path] = self._examine(candidate)
        return self._known[candidate.path]

    def _go_on(self) -> None:
        if self._hangup is not None:
            self._hangup.check()

    def _examine(self, candidate: TextCandidate) -> Reading:
        self._go_on()
        start = self._scope.start
        hunks = candidate.prediction.hunks(self._lines, start)
        aligned, told_gone = candidate.sketch, candidate.told_gone
        gone = frozenset(line + start for line in told_gone)
        held = held_against_merge(self._document, hunks, self._with_ends(aligned), gone, self._ignore)
        told = evidence(self._sketched.signs, candidate, held.rules)
        return Reading(hunks, candidate.posterior, held, told, candidate.path)

    def _with_ends(self, aligned: Update) -> Update:
        """What was aligned, between the equal lines that were not."""
        above, below = self._whole.lines[: self._aligned.start], self._whole.lines[self._aligned.stop :]
        return Update((*above, *aligned.lines, *below))

    def _says_anything(self, candidate: TextCandidate) -> bool:
        """Whether a line of the update is taken for more than a marker; what was not aligned is code."""
        sketch = self._sketched.alignment.sketch.stripped
        return len(sketch) < len(self._whole.lines) or any(
            step.sketch is not None and sketch[step.sketch] and step.layer is not Layer.MARK
            for step in candidate.path
        )

    def _anchored(self, candidate: TextCandidate) -> bool:
        """Whether anything but the ends of the document says where the update's lines go."""
        if not any(line.strip() for line in self._lines):
            return True
        held = (step for step in candidate.path if step.layer in (Layer.MATCH, Layer.KEEP))
        return any(self._lines[row].strip() for step in held for row in step.lines) or bool(
            candidate.told_gone
        )

    def _cut(self, start: int, stop: int) -> tuple[Update, tuple[int | None, ...]]:
        """The part of the sketch for lines [start, stop), with a marker where there is more of it, and its targets."""
        last = stop == len(self._lines)
        at, taken = 0, list[int]()
        for step in self._sketched.best.path:
            here = start <= at < stop or (last and at == stop)
            if step.sketch is not None and here and step.layer is not Layer.MARK:
                taken.append(step.sketch)
            at += len(step.lines)
        sketch, targets = self._sketched.best.sketch.lines, self._sketched.best.targets
        if not taken:
            return Update(()), ()
        first, end = taken[0], taken[-1] + 1
        # Equal lines that were not aligned are more of it too.
        before = [_marker_at(sketch, first - 1)] if first or start < 0 else []
        after = [_marker_at(sketch, end)] if end < len(sketch) or stop > len(self._lines) else []
        places = [None if place is None else place - start for place in targets[first:end]]
        return (
            Update((*before, *sketch[first:end], *after)),
            (*[None] * len(before), *places, *[None] * len(after)),
        )


def _marker_at(sketch: Sequence[UpdateLine], row: int) -> UpdateLine:
    """The marker that stands there, or one of our own."""
    return sketch[row] if 0 <= row < len(sketch) and sketch[row].marker else REST
