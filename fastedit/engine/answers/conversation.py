"""The dialogue about one task: its places, where nothing tells them, and its edit."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from fastedit.connect import Hangup
from fastedit.engine.answers.answered import AnswerHunks, read_answer, read_completion, readable_part
from fastedit.engine.answers.dialogue import Dialogue, Round, complaint_of, inapplicable
from fastedit.engine.answers.standing import standing
from fastedit.engine.edits.plan import EditPlan
from fastedit.engine.edits.verdict import judge_nothing, judge_written
from fastedit.engine.models.chat import ChatRequest
from fastedit.engine.models.folder import chats
from fastedit.errors import (
    NARROWER,
    AnchorNotFound,
    InputRefused,
    ModelUnavailable,
    TooLong,
    UnreadableAnswer,
    UsageError,
)
from fastedit.formats.report import spans
from fastedit.locate.search import around
from fastedit.model.settings import ModelSettings
from fastedit.plan.answer import answer_of
from fastedit.plan.base import DocumentTask
from fastedit.plan.completion import closing as last_line
from fastedit.plan.completion import completion, limit
from fastedit.plan.find import TOKENS as FIND_TOKENS
from fastedit.plan.find import find_question, found_lines, grown, wanted_lines
from fastedit.plan.operations import tools_for
from fastedit.plan.price import PlanChoice, choose
from fastedit.plan.question import can_show_more, question
from fastedit.plan.rewrite import answer as rewritten
from fastedit.plan.rewrite import prediction
from fastedit.request import LineRange
from fastedit.result import EditResult, Progress, Receipt, Status
from fastedit.source.hunks import Hunk, meets

WAY_OUT: Final = "name a definition, or say which lines it is about"


@dataclass(frozen=True, slots=True)
class ReadRound(Round[EditResult]):
    """`read` is the edit before it was judged; None where nothing is to be changed, too."""

    read: AnswerHunks | None = None


class Conversation(Dialogue[ReadRound]):
    """One task, asked about in the way that was chosen. Results get `whole`, the receipt of the edit that it is a part
    of."""

    def __init__(
        self,
        model: str,
        settings: ModelSettings,
        plan: EditPlan,
        task: DocumentTask,
        choice: PlanChoice,
        whole: Receipt,
        hangup: Hangup,
    ) -> None:
        super().__init__(model, settings, plan.request.time_limit, hangup)
        self._plan, self._task, self._choice, self._whole = plan, task, choice, whole
        self._talks = choice.way != "rewrite" or chats(model)  # else it only goes on with a text

    def fixed(self, hunks: Sequence[Hunk], complaint: str) -> Generator[Progress, None, EditResult | None]:
        """What the model writes in place of an edit that it wrote as a rewrite, region by region, and that will not do;
        None where the second one will not do either."""
        try:
            round = yield from self._again(rewritten(self._task, hunks), complaint, self._time_limit)
        except (ModelUnavailable, TooLong):
            return None
        return None if round.complaint is not None else round.result

    def found(self) -> Generator[Progress, None, DocumentTask]:
        """The task with its places, of which nothing in the instruction tells. Raises AnchorNotFound."""
        task = self._task
        if not self._talks:
            raise AnchorNotFound(
                f"{task.name}: nothing that the instruction names was found; {WAY_OUT}", ways_out=NARROWER
            )
        asked = ChatRequest(find_question(task), sampling=self._plan.request.sampling)
        text, finish = yield from self._answer(asked, FIND_TOKENS)
        answer = answer_of(text, finish, task.document.text)
        scope = task.scope or LineRange(0, len(task.document.lines))
        places = [
            LineRange(max(lines.start, scope.start), min(lines.stop, scope.stop))
            for lines in found_lines(answer.text, len(task.document.lines))
            if lines.start < scope.stop and scope.start < lines.stop
        ]
        if not places:
            raise AnchorNotFound(
                f"{task.name}: nothing that the instruction names was found, and the model names no lines either; "
                f"{WAY_OUT}",
                ways_out=NARROWER,
            )
        return replace(task, regions=around(task.document, places, scope))

    def _question(self) -> ChatRequest:
        way, request, task = self._choice.way, self._plan.request, self._task
        if not self._talks:
            text, end = (("user", completion(task)),), (last_line(task),)
            return ChatRequest(text, sampling=request.sampling, max_tokens=limit(task), stop=end)
        return ChatRequest(
            question(task, way),
            prediction(task) if way == "rewrite" and request.speculation else None,
            request.sampling,
            tools=tools_for((task,)) if way == "operations" else (),
        )

    def _expected(self) -> int:
        return price_of(self._task, self._choice).tokens

    def _read(self, text: str, finish: str) -> ReadRound:
        task = self._task
        try:
            answer = answer_of(text, finish, task.document.text)
            if answer.nothing is not None:
                return ReadRound(text, judge_nothing(self._plan, answer.nothing, self._whole))
            read = (
                read_answer(task, self._choice.way, answer.text)
                if self._talks
                else read_completion(task, answer.text)
            )
        except UnreadableAnswer as error:
            return self._failed(text, error)
        except (InputRefused, UsageError) as error:
            return self._failed(text, inapplicable(error))
        result = judge_written(self._plan, read, self._whole, complete=task.stretch is None)
        if answer.left_out:
            said = f"the model left out, as no other file was given: {answer.left_out}"
            result = replace(result, notes=(*result.notes, said))
        held = result.status is Status.SUSPECT and self._talks
        complaint = "; ".join(result.reasons) if held else None
        left = tuple(map(str, result.left)) if result.status is Status.OK and self._talks else ()
        return ReadRound(text, result, complaint, left=left, read=read)

    def _keeps(self, first: ReadRound, second: ReadRound) -> bool:
        was, now = (() if round.read is None else round.read.hunks for round in (first, second))
        return all(any(meets(hunk, other) for other in now) for hunk in was)

    def _held_to(self, first: ReadRound, second: ReadRound) -> ReadRound:
        """What a second answer says replaces what it is about, and the rest of the first one stands, where nothing is
        wrong with both together; else the second one is held back."""
        read, other = first.read, second.read
        if read and other and other.choice not in ("", read.choice) and read.hunks == other.hunks:
            return self._judged(second, replace(other, choice=""))
        if second.result is None or (read and read.choice):
            return second
        if other is None and first.result is not None:
            said = (*first.result.notes, *second.result.notes)
            return replace(first, result=replace(first.result, notes=said))
        was, failed = (read.hunks, 0) if read else readable_part(self._task, first.answer)
        lines, scope, now = self._task.document.lines, self._task.scope, other.hunks if other else ()
        inside = [hunk for hunk in was if scope is None or scope.holds(hunk.start, hunk.stop)]
        anew = other is not None and other.leaves_out  # which is about everything
        left = [] if anew else [*standing(lines, inside, first.answer, now, second.answer)]
        missing = len(set(now) - set(was)) < failed
        rest = spans([range(hunk.start, max(hunk.stop, hunk.start + 1)) for hunk in left]) if left else ""
        if other and left and not missing and not (read and read.doubts):
            hunks = tuple(sorted((*left, *now), key=lambda hunk: (hunk.start, hunk.stop)))
            note = f"of the first answer, what it changes at {rest} stands"
            both = self._judged(second, replace(other, hunks=hunks, notes=(*other.notes, note)))
            if both.result and both.result.status is Status.OK:
                return both
        # What only goes was wrong then, and stays.
        if second.complaint is not None or not (missing or any(hunk.lines for hunk in left)):
            return second
        what = (
            f"what its first one changed at {rest}" if left else "an edit of the first that was not applied"
        )
        doubt = f"the model's second answer leaves out {what}"
        if other:
            return self._judged(second, replace(other, doubts=(*other.doubts, doubt)))
        return replace(second, result=replace(second.result, status=Status.SUSPECT, reasons=(doubt,)))

    def _judged(self, round: ReadRound, read: AnswerHunks) -> ReadRound:
        """The round, with this as what was read in its answer."""
        assert round.result is not None
        result = judge_written(self._plan, read, self._whole, complete=self._task.stretch is None)
        added = [note for note in read.notes if note not in round.result.notes]
        return replace(round, read=read, result=replace(result, notes=(*round.result.notes, *added)))

    def _failed(self, text: str, error: UnreadableAnswer) -> ReadRound:
        return ReadRound(text, complaint=complaint_of(error) if self._talks else None, error=error)

    def _shows_more(self, answer: str) -> bool:
        task = self._task
        found = wanted_lines((task,), answer) if can_show_more(task, self._choice.way) else {}
        self._task = grown(task, found)
        return bool(found)


def price_of(task: DocumentTask, choice: PlanChoice) -> PlanChoice:
    """What a question was expected to take."""
    if task.stretch is None:
        return choice
    return choose(task, choice.way, places=len(task.regions), drafted=False)
