"""From a request to the regions to rewrite. Knows no model: this is all that policy `merge` needs."""

from __future__ import annotations

from dataclasses import dataclass

from fastedit.edit.align import align
from fastedit.edit.hunks import Hunk, HunkStream
from fastedit.edit.instruction import Instruction
from fastedit.edit.markers import parse_update, reindent
from fastedit.edit.merge import Prediction, predict
from fastedit.edit.removals import read_removals
from fastedit.edit.request import EditRequest, LineRange
from fastedit.edit.update import Update
from fastedit.errors import UsageError
from fastedit.locate import Region, language_of, locate
from fastedit.prompt.base import RegionTask


@dataclass(frozen=True, slots=True)
class Part:
    """One region with what the model is asked and what the merge predicts (None without an update)."""

    region: Region
    task: RegionTask
    prediction: Prediction | None

    def predicted_hunks(self) -> list[Hunk]:
        if self.prediction is None:
            return []
        stream = HunkStream(self.task.lines, self.region.start)
        pairs = zip(self.prediction.lines, self.prediction.origins, strict=True)
        return [hunk for text, origin in pairs for hunk in stream.push(text, origin)] + stream.finish()


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be rewritten. `opinions` are the merges whose verdicts count."""

    request: EditRequest
    language: str
    update: Update | None
    parts: tuple[Part, ...]
    opinions: tuple[Prediction, ...]

    @property
    def ranges(self) -> tuple[LineRange, ...]:
        return tuple(LineRange(part.region.start, part.region.stop) for part in self.parts)

    @property
    def predicted(self) -> tuple[Hunk, ...]:
        return tuple(hunk for part in self.parts for hunk in part.predicted_hunks())

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why the predicted merge cannot stand alone; empty when it is unambiguous."""
        doubts = list(self.guesses)
        if self.update is None:
            doubts.append("there is no update to merge")
        doubts += (
            reason for opinion in self.opinions if not opinion.unambiguous for reason in opinion.reasons
        )
        if self.beyond:
            doubts.append("the instruction may ask for more than the update shows")
        return tuple(dict.fromkeys(doubts))

    @property
    def beyond(self) -> bool:
        """Whether the instruction may ask for more than the update shows, which the merge knows nothing of."""
        instruction = (self.request.instruction or "").strip()
        return self.update is not None and Instruction(instruction).beyond(self.update.shown)

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
    if request.policy == "merge" and text is None:
        raise UsageError("policy merge needs an update (-u); an instruction alone needs a model")
    document = request.document
    _check_lines(request.lines, len(document.lines))
    language = language_of(document.path, document.text)
    update = None
    if text is not None:
        update = reindent(document.lines, parse_update(text, language, document.lines))
        update = read_removals(document.lines, update, language)
        if not update.gone and not any(line.text.strip() and not line.marker for line in update.lines):
            raise UsageError(
                "the update holds no code, only markers or a fence; write the changed code into it"
            )
    alignment = None if update is None else align(document.lines, update)
    regions = locate(document, instruction, update, alignment, request.symbol, request.lines)
    parts = tuple(_part(document.lines, region, instruction, language) for region in regions)
    opinions = tuple(part.prediction for part in parts if part.prediction is not None)
    if update is not None and alignment is not None and request.symbol is None and request.lines is None:
        # A region hides the lines that would put a merge in doubt, so the verdict is taken over the whole file.
        opinions = (predict(document.lines, update, alignment),)
    return Plan(request, language, update, parts, opinions)


def _part(lines: tuple[str, ...], region: Region, instruction: str | None, language: str) -> Part:
    inside = lines[region.start : region.stop]
    task = RegionTask(inside, instruction, region.update, region.alignment, language)
    prediction = None
    if region.update is not None and region.alignment is not None:
        prediction = predict(inside, region.update, region.alignment)
    return Part(region, task, prediction)


def _check_lines(lines: LineRange | None, count: int) -> None:
    if lines is None:
        return
    if not 0 <= lines.start < lines.stop <= count:
        raise UsageError(
            f"lines {lines.start + 1}:{lines.stop} do not fit: the file has {count} lines, counted from 1"
        )
