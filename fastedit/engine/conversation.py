"""What is said with a strong model about one wish: the question, the answer, and once more where that will not do."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

from fastedit.connect import Hangup
from fastedit.engine.answered import Read, read_answer, read_completion
from fastedit.engine.chat import Answered, ChatRequest, chat
from fastedit.engine.folder import chats
from fastedit.engine.plan import Plan
from fastedit.engine.verdict import judge_nothing, judge_written
from fastedit.errors import (
    NARROWER,
    AnchorNotFound,
    InputRefused,
    ModelUnavailable,
    TooLong,
    UnplacedHunk,
    UnreadableAnswer,
    UsageError,
    WayOut,
)
from fastedit.formats.report import told as told_reports
from fastedit.locate import around
from fastedit.model.settings import Settings
from fastedit.plan.answer import AGAIN, answer_of
from fastedit.plan.base import Wish
from fastedit.plan.completion import closing as last_line
from fastedit.plan.completion import completion, limit
from fastedit.plan.find import TOKENS as FIND_TOKENS
from fastedit.plan.find import find_question, found_lines, more_lines
from fastedit.plan.operations import tools_for
from fastedit.plan.price import Choice, choose
from fastedit.plan.question import can_show_more, question, repair
from fastedit.plan.rewrite import answer as rewritten
from fastedit.plan.rewrite import prediction
from fastedit.request import LineRange
from fastedit.result import EditResult, Progress, Receipt, Status
from fastedit.source.hunks import Hunk

WAY_OUT: Final = "name a definition, or say which lines it is about"
REPAIRED: Final = "the model's first answer was held back and asked for again"

Talk = Generator[Progress, None, "Round"]


@dataclass(frozen=True, slots=True)
class Round:
    """What became of one question: an edit as read and as judged, only judged where nothing is to be changed, or an
    error."""

    answer: str
    result: EditResult | None = None
    read: Read | None = None
    error: UnreadableAnswer | None = None

    @property
    def complaint(self) -> str | None:
        """What is to be told to the model; None where nothing is wrong, or nothing that it can mend."""
        if self.result is not None:
            return "; ".join(self.result.reasons) if self.result.status is Status.SUSPECT else None
        assert self.error is not None
        return _told(self.error) if self.error.repairable else None


class Conversation:
    """One wish, asked about in the way that was chosen. `receipt` is what it has cost so far; results get `whole`, the
    receipt of the edit that it is a part of. `hangup` ends it from another thread."""

    def __init__(
        self,
        model: str,
        settings: Settings,
        plan: Plan,
        wish: Wish,
        choice: Choice,
        whole: Receipt,
        hangup: Hangup,
    ) -> None:
        self._model, self._settings, self._plan = model, settings, plan
        self._wish, self._choice, self._whole, self._hangup = wish, choice, whole, hangup
        self._talks = choice.way != "rewrite" or chats(model)  # else it only goes on with a text
        self.receipt = Receipt()

    def settled(self) -> Talk:
        """The model's answer; the second one where the first one will not do."""
        started = time.perf_counter()
        first = yield from self._round(self._first())
        if (more := self._more(first)) is not None:
            self._wish = more
            first = yield from self._round(self._first())
        if first.complaint is None or not self._talks:
            return first
        # A model that thinks for long needs as long for the second answer.
        limit = max(self._plan.request.time_limit, time.perf_counter() - started)
        second = yield from self._again(first.answer, first.complaint, limit)
        if second is None or (second.result is None and first.result is not None):
            return first
        return second

    def _more(self, round: Round) -> Wish | None:
        """The wish with the lines that the model asks to be shown; None where it asks for none."""
        wish = self._wish
        if round.result is not None or not can_show_more(wish, self._choice.way):
            return None
        whole = LineRange(0, len(wish.document.lines))
        if not (found := more_lines(round.answer, len(whole))):
            return None
        shown = [LineRange(region.start, region.stop) for region in wish.regions]
        regions = around(wish.document, [*shown, *found], whole)
        return replace(wish, regions=regions, grown=True)

    def mended(self, hunks: Sequence[Hunk], complaint: str) -> Generator[Progress, None, EditResult | None]:
        """What the model writes in place of an edit that it wrote as a rewrite, region by region, and that will not do;
        None where the second one will not do either."""
        limit = self._plan.request.time_limit
        round = yield from self._again(rewritten(self._wish, hunks), complaint, limit)
        return None if round is None or round.complaint is not None else round.result

    def _again(self, answer: str, complaint: str, limit: float) -> Generator[Progress, None, Round | None]:
        """The answer to a complaint about an answer; None where the model gives none within `limit` seconds."""
        first = self._first()
        again = repair(first.messages, answer, complaint)
        asked = replace(first, messages=again, time_limit=limit)
        try:
            round = yield from self._round(asked)
        except (ModelUnavailable, TooLong):
            return None
        if round.result is None:
            return round
        return replace(round, result=replace(round.result, notes=(*round.result.notes, REPAIRED)))

    def found(self) -> Generator[Progress, None, Wish]:
        """The wish with its places, of which nothing in the instruction tells. Raises AnchorNotFound."""
        wish = self._wish
        if not self._talks:
            raise AnchorNotFound(
                f"{wish.name}: nothing that the instruction names was found; {WAY_OUT}", ways_out=NARROWER
            )
        asked = ChatRequest(find_question(wish), sampling=self._plan.request.sampling)
        text, finish = yield from self._answer(asked, FIND_TOKENS)
        answer = answer_of(text, finish, wish.document.text)
        scope = wish.scope or LineRange(0, len(wish.document.lines))
        places = [
            LineRange(max(lines.start, scope.start), min(lines.stop, scope.stop))
            for lines in found_lines(answer.text, len(wish.document.lines))
            if lines.start < scope.stop and scope.start < lines.stop
        ]
        if not places:
            raise AnchorNotFound(
                f"{wish.name}: nothing that the instruction names was found, and the model names no lines either; "
                f"{WAY_OUT}",
                ways_out=NARROWER,
            )
        return replace(wish, regions=around(wish.document, places, scope))

    def _first(self) -> ChatRequest:
        """The question, before anything was answered."""
        way, request, wish = self._choice.way, self._plan.request, self._wish
        if not self._talks:
            text, end = (("user", completion(wish)),), (last_line(wish),)
            return ChatRequest(text, sampling=request.sampling, max_tokens=limit(wish), stop=end)
        return ChatRequest(
            question(wish, way),
            prediction(wish) if way == "rewrite" and request.speculation else None,
            request.sampling,
            tools=tools_for(wish) if way == "operations" else (),
        )

    def _round(self, asked: ChatRequest) -> Talk:
        wish = self._wish
        text, finish = yield from self._answer(asked, price_of(wish, self._choice).tokens)
        try:
            answer = answer_of(text, finish, wish.document.text)
            if answer.nothing is not None:
                return Round(text, judge_nothing(self._plan, answer.nothing, self._whole))
            read = (
                read_answer(wish, self._choice.way, answer.text)
                if self._talks
                else read_completion(wish, answer.text)
            )
        except UnreadableAnswer as error:
            return Round(text, error=error)
        except (InputRefused, UsageError) as error:
            wrong = UnreadableAnswer(
                f"the model's edit cannot be applied: {error}; nothing was changed: ask again, or take another model",
                ways_out=(WayOut.MODEL,),
            )
            wrong.__cause__ = error
            return Round(text, error=wrong)
        result = judge_written(self._plan, read, self._whole, complete=wish.stretch is None)
        if answer.left_out:
            result = replace(result, notes=(*result.notes, f"the model left out: {answer.left_out}"))
        return Round(text, result, read)

    def _answer(self, wanted: ChatRequest, expected: int) -> Generator[Progress, None, tuple[str, str]]:
        """What the model writes, and how it ended."""
        pieces, finish, started = list[str](), "stop", time.perf_counter()
        with closing(chat(self._model, wanted, self._settings, self._hangup)) as answer:
            for event in answer:
                if isinstance(event, Answered):
                    self.receipt.add(event.receipt)
                    finish = event.finish
                    break
                pieces.append(event.text)
                # Most servers send a token a piece; their own count comes only at the end.
                done, seconds = len(pieces), max(time.perf_counter() - started, 1e-9)
                if (limit := wanted.time_limit) is not None and seconds > limit:
                    raise ModelUnavailable(f"the model took more than {limit:g} s; nothing was changed")
                yield Progress(min(1.0, done / max(1, expected)), done, 0, done / seconds)
        return "".join(pieces), finish


def price_of(wish: Wish, choice: Choice) -> Choice:
    """What a question was expected to take."""
    if wish.stretch is None:
        return choice
    return choose(wish, choice.way, places=len(wish.regions), drafted=False)


def _told(error: UnreadableAnswer) -> str:
    """What is wrong with an answer, with the lines of the file that are most like those it looked for."""
    cause = error.__cause__
    if isinstance(cause, UnplacedHunk) and cause.reports:
        return "\n".join(told_reports("SEARCH", cause.reports))
    return str(cause or error).removesuffix(f"; {AGAIN}")
