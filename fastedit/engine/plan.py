"""From a request to the regions to rewrite. Knows no model: this is all that policy `merge` needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fastedit.edit.align import align
from fastedit.edit.doubts import UNKNOWN_WORD
from fastedit.edit.hunks import Hunk, HunkStream, alike, changed_lines
from fastedit.edit.instruction import Instruction
from fastedit.edit.language import notation_of
from fastedit.edit.markers import parse_update, reindent
from fastedit.edit.merge import Prediction, predict
from fastedit.edit.original import original
from fastedit.edit.removals import read_removals
from fastedit.edit.request import EditRequest, LineRange
from fastedit.edit.stretch import stretches
from fastedit.edit.update import Update
from fastedit.errors import UsageError
from fastedit.locate import Region, around, language_of, locate, scope_of
from fastedit.prompt.base import RegionTask

MORE = "the instruction may ask for more than the update shows"


@dataclass(frozen=True, slots=True)
class Part:
    """One region with what the model is asked and what is predicted of it, if anything is."""

    region: Region
    task: RegionTask
    prediction: Prediction | None

    def predicted_hunks(self) -> list[Hunk]:
        return [] if self.prediction is None else _hunks(self.task.lines, self.prediction, self.region.start)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be rewritten. `opinions` are the predictions whose verdicts count.

    `predicted` is what they make of the document. `understood` tells that the instruction was carried out in it as a
    whole, `beyond` that it may ask for more than that; `merged` is what of it the update alone makes.
    """

    request: EditRequest
    language: str
    update: Update | None
    parts: tuple[Part, ...]
    opinions: tuple[Prediction, ...]
    predicted: tuple[Hunk, ...]
    understood: bool
    beyond: bool = False
    merged: tuple[Hunk, ...] = ()

    @property
    def ranges(self) -> tuple[LineRange, ...]:
        return tuple(LineRange(part.region.start, part.region.stop) for part in self.parts)

    @property
    def allowed(self) -> tuple[LineRange, ...]:
        """Where something may change: the regions, and what an understood instruction changes besides."""
        beside = self.predicted if self.understood else ()
        return (*self.ranges, *(LineRange(hunk.start, hunk.stop) for hunk in beside))

    @property
    def foreseen(self) -> bool:
        """Whether there is a prediction at all."""
        return self.update is not None or self.understood

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why the prediction cannot stand alone; empty when it is unambiguous."""
        doubts = list(self.guesses)
        doubts += (
            reason for opinion in self.opinions if not opinion.unambiguous for reason in opinion.reasons
        )
        if self.beyond:
            doubts.append(MORE)
        return tuple(dict.fromkeys(doubts))

    @property
    def guesses(self) -> tuple[str, ...]:
        """The regions that may be the wrong place."""
        return tuple(f"the place is a guess: {p.region.reason}" for p in self.parts if not p.region.certain)


def make_plan(request: EditRequest) -> Plan:
    """Parse, align, locate and predict. Raises UsageError or AnchorNotFound."""
    instruction = (request.instruction or "").strip() or None
    text = request.update if request.update and request.update.strip() else None
    if instruction is None and text is None:
        raise UsageError("nothing to do: give an instruction (-i), an update (-u) or both")
    document = request.document
    _check_lines(request.lines, len(document.lines))
    language = language_of(document.path, document.text)
    if text is None:
        assert instruction is not None
        return _for_instruction(request, language, instruction)
    update = reindent(document.lines, parse_update(text, language, document.lines))
    update = read_removals(document.lines, update, language)
    if not update.gone and not any(line.text.strip() and not line.marker for line in update.lines):
        raise UsageError("the update holds no code, only markers or a fence; write the changed code into it")
    return _for_update(request, language, instruction, update)


def _for_update(request: EditRequest, language: str, instruction: str | None, update: Update) -> Plan:
    document = request.document
    alignment = align(document.lines, update)
    regions = locate(document, instruction, update, alignment, request.symbol, request.lines)
    parts = tuple(_part(document.lines, region, instruction, language) for region in regions)
    if request.symbol is not None or request.lines is not None:
        opinions = tuple(part.prediction for part in parts if part.prediction is not None)
        predicted = tuple(hunk for part in parts for hunk in part.predicted_hunks())
        beyond = _beyond(request, update, predicted)
        return Plan(request, language, update, parts, opinions, predicted, False, beyond)
    # A region hides the lines that would put a merge in doubt or set new code apart: the whole file's is what counts.
    merged = predict(document.lines, update, alignment)
    hunks = tuple(_hunks(document.lines, merged))
    if instruction is None:
        return Plan(request, language, update, parts, (merged,), hunks, False)
    # It may name nothing but what the update shows, and so tell what the update does; unless there is more to do.
    beyond = _beyond(request, update, hunks)
    more = beyond or _leaves_out(request, language, instruction, hunks)
    both = _both(request, update, merged, instruction, beyond) if more else None
    if both is None:
        return Plan(request, language, update, parts, (merged,), hunks, False, more)
    return Plan(
        request, language, update, parts, (both,), tuple(_hunks(document.lines, both)), True, merged=hunks
    )


def _both(
    request: EditRequest, update: Update, merged: Prediction, instruction: str, beyond: bool
) -> Prediction | None:
    """The merge with the instruction carried out behind it; None where that is not understood or may be done already.

    `beyond` tells that the instruction speaks of more than the update shows.
    """
    # Imported here and below: an update alone, which most commands have, needs none of its sentences.
    from fastedit.edit.codemod import carry_out, predict_instruction

    document, notation = request.document, notation_of(request.document.path, request.document.text)
    both = carry_out(merged, notation, instruction)
    if both is None or beyond:
        return both
    # What the update shows of it alone would be done twice: "negate the condition".
    alone = predict_instruction(document.lines, notation, instruction)
    new = (
        {text.strip() for text in alone.lines} - {text.strip() for text in document.lines} if alone else set()
    )
    shown = {line.text.strip() for line in update.lines}
    return both.then((), (MORE,)) if new and not new & shown else None


def _leaves_out(request: EditRequest, language: str, instruction: str, hunks: Sequence[Hunk]) -> bool:
    """Whether the instruction would change more behind these hunks: in a long file, around them."""
    from fastedit.edit.codemod import carry_out

    lines, notation = request.document.lines, notation_of(request.document.path, request.document.text)
    near = stretches(lines, [(hunk.start, hunk.stop) for hunk in hunks], language)
    changed = [part.changed(lines, hunks) for part in near] or [changed_lines(lines, hunks)]
    made = (Prediction(tuple(text), tuple(range(len(text))), True, ()) for text in changed)
    done = ((text, carry_out(text, notation, instruction)) for text in made)
    return any(both and UNKNOWN_WORD not in both.reasons and both.lines != text.lines for text, both in done)


def _for_instruction(request: EditRequest, language: str, instruction: str) -> Plan:
    from fastedit.edit.codemod import predict_instruction

    document = request.document
    scope = scope_of(document, request.symbol, request.lines)
    notation = notation_of(document.path, document.text)
    foretold = predict_instruction(document.lines, notation, instruction, scope)
    if foretold is None and request.policy == "merge":
        raise UsageError(
            "policy merge needs an update (-u), or an instruction that says one plain thing, such as "
            "'rename load to read'; this one needs a model"
        )
    if foretold is None:
        regions = locate(document, instruction, None, None, request.symbol, request.lines)
        parts = tuple(_part(document.lines, region, instruction, language) for region in regions)
        return Plan(request, language, None, parts, (), (), False)
    hunks = tuple(_hunks(document.lines, foretold))
    regions = around(document, [LineRange(hunk.start, hunk.stop) for hunk in hunks], scope)
    return Plan(
        request,
        language,
        None,
        tuple(
            _foretold(document.lines, region, instruction, language, hunks, foretold) for region in regions
        ),
        (foretold,),
        hunks,
        True,
    )


def _beyond(request: EditRequest, update: Update, hunks: Sequence[Hunk]) -> bool:
    """Whether the instruction speaks of what neither the update shows nor the headers of the blocks that it changes."""
    file = original(request.document.lines)
    around = {place for hunk in hunks if hunk.start < len(file.lines) for place in file.blocks(hunk.start)}
    shown = "\n".join([update.shown, *(file.lines[place] for place in around)])
    return Instruction((request.instruction or "").strip()).beyond(shown)


def _hunks(lines: Sequence[str], prediction: Prediction, start: int = 0) -> list[Hunk]:
    """What a prediction changes in lines of which the first is the document's line `start`."""
    origins, grown, kept = prediction.origins, len(prediction.lines) - len(lines), range(len(lines))
    # Most of a long file is before the first change or behind the last one.
    first = alike(origins, kept)
    last = len(lines) - min(alike(origins[::-1], kept[::-1]), len(lines) - first, len(origins) - first)
    stream = HunkStream(lines[first:last], start + first)
    changed = zip(prediction.lines[first : last + grown], origins[first : last + grown], strict=True)
    hunks = [
        hunk
        for text, origin in changed
        for hunk in stream.push(text, None if origin is None else origin - first)
    ]
    return hunks + stream.finish()


def _foretold(
    lines: Sequence[str],
    region: Region,
    instruction: str,
    language: str,
    hunks: Sequence[Hunk],
    whole: Prediction,
) -> Part:
    """A region with what a prediction for the whole document, which makes these hunks of it, says of it."""
    inside = [
        replace(hunk, start=hunk.start - region.start, stop=hunk.stop - region.start)
        for hunk in hunks
        if region.start <= hunk.start and hunk.stop <= region.stop
    ]
    task = _task(lines, region, instruction, language)
    untouched = Prediction(task.lines, tuple(range(len(task.lines))), whole.unambiguous, whole.reasons)
    return Part(region, task, untouched.then(inside))


def _task(lines: Sequence[str], region: Region, instruction: str | None, language: str) -> RegionTask:
    inside = tuple(lines[region.start : region.stop])
    return RegionTask(inside, instruction, region.update, region.alignment, language)


def _part(lines: Sequence[str], region: Region, instruction: str | None, language: str) -> Part:
    task, prediction = _task(lines, region, instruction, language), None
    if region.update is not None and region.alignment is not None:
        prediction = predict(task.lines, region.update, region.alignment)
    return Part(region, task, prediction)


def _check_lines(lines: LineRange | None, count: int) -> None:
    if lines is None:
        return
    if not 0 <= lines.start < lines.stop <= count:
        raise UsageError(
            f"lines {lines.start + 1}:{lines.stop} do not fit: the file has {count} lines, counted from 1"
        )
