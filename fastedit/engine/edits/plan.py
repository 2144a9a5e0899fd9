"""From a request to what code alone makes of it and to the regions that a model may rewrite. Knows no model."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from fastedit.check import parse_ignored
from fastedit.engine.events import Located
from fastedit.errors import NARROWER, AnchorNotFound, OperationRefused, UnplacedHunk, UsageError, WayOut
from fastedit.locate.scope import check_not_empty, scope_of
from fastedit.request import EditRequest, LineRange
from fastedit.source.hunks import Hunk
from fastedit.source.language import language_in, notation_in
from fastedit.source.languages import TEXT

if TYPE_CHECKING:
    from fastedit.connect import Hangup
    from fastedit.engine.answers.unplaced import UnplacedHunks
    from fastedit.engine.edits.operated import Placed
    from fastedit.engine.merge.merge import Merge
    from fastedit.engine.merge.reading import Reading
    from fastedit.locate.region import Region
    from fastedit.ops import Outcome
    from fastedit.prompt.base import RegionTask
    from fastedit.source.prediction import Prediction

_COMMAND = "the update reads as a command, which belongs in the instruction"
_OUTSIDE = "file line {} would change, which is outside of the lines that may change; widen them"
_NO_COMMAND = "the instruction is not a command such as `rename load to read`"


class PlannedRegion(NamedTuple):
    """One region with what the model is asked and what is predicted of it, if anything is."""

    region: Region
    task: RegionTask
    prediction: Prediction | None


class EditPlan:
    """What an edit comes to without a model, and the parts of the document that one would rewrite.

    Raises UsageError, AnchorNotFound or InputRefused, and Cancelled once `hangup` is called.

    `merge` is what the update says if it is a sketch, `placed` if it is in another format; an instruction with it
    describes it and asks for nothing more. `predicted` is what code alone makes of the request, None for nothing, and
    `unread` why an instruction is left to a model, None where it is made of commands, which say all there is to know.
    `notes` say what of the update is taken for no edit.
    `unplaced` are the hunks of the update that a model is to place in the document, which has what the others change.
    `ignore` are the codes of the rules that hold nothing back. Once `hangup` is called, no further operation is
    carried out.
    """

    def __init__(
        self, request: EditRequest, hangup: Hangup | None = None, unplaced: UnplacedHunks | None = None
    ) -> None:
        instruction = (request.instruction or "").strip() or None
        text = request.update if request.update and request.update.strip() else None
        if instruction is None and text is None and unplaced is None and not request.operations:
            raise UsageError(
                "nothing to do: give an instruction, an update or both",
                ways_out=(WayOut.INSTRUCTION, WayOut.UPDATE),
            )
        if text is not None and request.operations:
            raise UsageError("an update and operations are two edits; send them one after the other")
        document = request.document
        self.ignore = parse_ignored(request.ignore)
        self.request, self._hangup = request, hangup
        self.language = language_in(document)
        self._instruction = instruction
        self._scope = scope_of(document, request.symbol, request.lines)
        self.merge: Merge | None = None
        self.placed: Placed | None = None
        self.notes: tuple[str, ...] = ()
        self.unplaced = unplaced
        if text is not None and unplaced is None:
            self._read(text)
        elif request.operations:
            from fastedit.engine.edits.operated import operated  # not above: most requests have none

            self._put(operated(document, request.operations, self.narrowed, hangup))
        self.unread: str | None = None
        given = unplaced is not None or text is not None or request.operations
        self._outcome = None if given else self._carried_out()
        if request.choice is not None:
            self.chosen(request.choice)

    @cached_property
    def predicted(self) -> tuple[Hunk, ...] | None:
        if self.merge is not None:
            return self.merge.best.hunks
        if self.placed is not None:
            return self.placed.hunks
        return None if self._outcome is None else self._outcome.hunks

    @property
    def outcome(self) -> Outcome | None:
        """What operations come to, sent as such or said by the instruction; None where there are none."""
        return self._outcome if self.placed is None else self.placed.outcome

    def chosen(self, number: int) -> Reading:
        """A reading of the update, counted from 1. Raises UsageError for one that there is not."""
        if self.merge is None:
            raise UsageError("there is nothing to choose from: only an update sketch has several readings")
        readings = self.merge.offered
        if number > len(readings):
            raise UsageError(f"there is no reading {number}: the update has {len(readings)}")
        return readings[number - 1]

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """Why the prediction cannot stand alone; empty when it is unambiguous."""
        if self.merge is not None:
            from fastedit.engine.merge.doubt import doubts_about  # with arrays, as the merge has

            doubts = doubts_about(self.request.document, self.merge)
            words = doubts and self._reads_as_command(self.request.update or "")
            return (_COMMAND, *doubts) if words else doubts
        return ()

    @cached_property
    def parts(self) -> tuple[PlannedRegion, ...]:
        """Sorted and disjoint; none where nothing changes. Raises AnchorNotFound or InputRefused."""
        if self.placed is not None:
            return ()
        from fastedit.locate.search import around, locate  # not above: only a model needs them

        document = self.request.document
        if self.unplaced is not None:
            if not self.unplaced.places:
                raise AnchorNotFound("nothing tells where the hunks without a place belong")
            regions = around(document, self.unplaced.places, self._scope)
        elif self.predicted is None:
            assert self._instruction is not None
            regions = locate(document, self._instruction, self._scope)
        else:
            regions = around(document, self._predicted_lines, self._scope)
        return tuple(map(self._part, regions))

    @property
    def located(self) -> Located:
        """Where something may change."""
        if self.placed is not None or (self.merge is not None and self.request.policy != "model"):
            return Located(self._predicted_lines, ("as shown",) * len(self._predicted_lines))
        return Located.of(part.region for part in self.parts)

    @property
    def _predicted_lines(self) -> tuple[LineRange, ...]:
        return tuple(LineRange(hunk.start, hunk.stop) for hunk in self.predicted or ())

    @property
    def narrowed(self) -> LineRange | None:
        """All that may change, where the request narrows it."""
        return self._scope if len(self._scope) < len(self.request.document.lines) else None

    @property
    def guesses(self) -> tuple[str, ...]:
        """The regions that may be the wrong place."""
        return tuple(f"the place is a guess: {p.region.reason}" for p in self.parts if not p.region.certain)

    def _read(self, text: str) -> None:
        """Reads the update. Raises UnreadableEdit, UnplacedHunk, AnchorNotFound or UsageError."""
        # Imported here: operations and instructions need no formats, and only sketches need arrays.
        from fastedit.formats.message import edit_of, read_update, sketch_in

        document = self.request.document
        message = read_update(text, self.request.format, document)
        self.notes = message.notes
        edit = edit_of(document, message)
        sketch = sketch_in(edit, document)
        if sketch is None:
            from fastedit.engine.edits.placed import place

            self._put(place(document, edit, within=self._scope, hangup=self._hangup))
            return
        from fastedit.engine.merge.merge import Merge

        try:
            self.merge = Merge(document, sketch, self._scope, self.ignore, self._hangup)
        except AnchorNotFound as refusal:
            if sketch.strip() != text.strip():  # in a code fence it is no words
                raise
            words = _COMMAND if self._reads_as_command(sketch) else "words belong in the instruction"
            raise AnchorNotFound(
                f"{refusal}; {words}", ways_out=(*refusal.ways_out, WayOut.INSTRUCTION)
            ) from None
        choice = self.request.choice
        reading = self.merge.best if choice is None else self.chosen(choice)
        self.notes += tuple(self.merge.left_out(reading))

    def _reads_as_command(self, update: str) -> bool:
        from fastedit.english.grammar import commands

        try:
            return bool(commands(update, self.language))
        except OperationRefused:
            return False

    def _put(self, placed: Placed) -> None:
        self.placed = placed
        self.notes += placed.notes
        outside = self._outside(placed.hunks, drops_final_newline=placed.drops_final_newline)
        if outside is not None:
            raise UnplacedHunk(_OUTSIDE.format(outside), ways_out=NARROWER)

    def _carried_out(self) -> Outcome | None:
        """What the operations that the instruction says come to; None where that is left to a model.

        Raises OperationRefused for a command that cannot run: it says what is wanted, so a model could only do
        something else. Raises UsageError under a policy that leaves nothing to a model.
        """
        # Imported here: an update, which most commands have, needs none of it.
        from fastedit.english import carried_out

        request = self.request
        assert self._instruction is not None
        try:
            outcome = carried_out(self._instruction, request.document, self.narrowed)
            outside = None if outcome is None else self._outside(outcome.hunks)
            if outside is not None:
                raise OperationRefused(_OUTSIDE.format(outside), ways_out=NARROWER)
        except OperationRefused as refusal:
            check_not_empty(request.document)
            # Prose has no operations, and a model may know what "delete the introduction" means there.
            if request.policy == "merge" or notation_in(request.document) != TEXT:
                raise
            self.unread = str(refusal)
            return None
        if outcome is not None:
            return outcome
        if request.policy == "merge":
            raise UsageError(
                f"policy merge needs an update or a command (docs/english.md), and {_NO_COMMAND}; give one, or "
                "connect a model and leave the policy out",
                ways_out=(WayOut.UPDATE, WayOut.POLICY, WayOut.CONNECT),
            )
        self.unread = _NO_COMMAND
        return None

    def _outside(self, hunks: Iterable[Hunk], *, drops_final_newline: bool = False) -> int | None:
        """The first line, from 1, that changes and may not."""
        scope, last = self._scope, len(self.request.document.lines)
        lines = [hunk.start + 1 for hunk in hunks if not scope.holds(hunk.start, hunk.stop)]
        if drops_final_newline and scope.stop < last:
            lines.append(last)
        return next(iter(lines), None)

    def _part(self, region: Region) -> PlannedRegion:
        from fastedit.prompt.base import RegionTask
        from fastedit.source.prediction import Prediction

        if self.merge is not None:
            task = self.merge.task(region, self._instruction, self.language)
        else:
            inside = self.request.document.lines[region.start : region.stop]
            asked = self._instruction if self.unplaced is None else self.unplaced.question
            task = RegionTask(inside, asked, language=self.language)
        if self.predicted is None:
            return PlannedRegion(region, task, None)
        hunks = [
            Hunk(hunk.start - region.start, hunk.stop - region.start, hunk.lines)
            for hunk in self.predicted
            if region.holds(hunk.start, hunk.stop)
        ]
        return PlannedRegion(region, task, Prediction.unchanged(task.lines).then(hunks))
