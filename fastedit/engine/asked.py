"""One edit that a strong model writes: asked in the cheapest way, and once more where its answer will not do."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

from fastedit.edit.request import LineRange
from fastedit.edit.result import EditResult, Progress, Receipt, Status
from fastedit.engine.answered import read_answer
from fastedit.engine.chat import Answered, ChatRequest, chat
from fastedit.engine.events import Event, HunkReady, Located, Progressed, Resulted
from fastedit.engine.folder import resolved
from fastedit.engine.plan import Plan
from fastedit.engine.verdict import judge_nothing, judge_written
from fastedit.errors import (
    AnchorNotFound,
    FasteditError,
    InputRefused,
    ModelUnavailable,
    TooLong,
    UnplacedHunk,
    UnreadableAnswer,
    UsageError,
)
from fastedit.formats.report import told
from fastedit.locate import around
from fastedit.model.settings import Settings
from fastedit.plan.answer import answer_of
from fastedit.plan.base import Chat, Way, Wish
from fastedit.plan.context import is_whole
from fastedit.plan.find import find_question, found_lines
from fastedit.plan.price import Choice, choose
from fastedit.plan.question import question, repair
from fastedit.plan.rewrite import prediction

REPAIRED: Final = "the model's first edit was held back and asked for again"


def planned(plan: Plan, *, drafted: bool) -> tuple[Wish, Choice]:
    """What a model is asked, and how; `drafted`: a model of our own writes, with drafts."""
    wish = _wish_of(plan)
    # What a change needs outside of the regions, such as an import, a rewrite brings only if it is of the whole file.
    whole = plan.request.plan == "auto" and not drafted and plan.narrowed is None
    choice = _choice_of(
        plan, replace(wish, regions=()) if whole else wish, len(wish.regions), drafted=drafted
    )
    return (replace(wish, regions=()) if whole and choice.way == "rewrite" else wish), choice


def is_placed(wish: Wish) -> bool:
    """Whether the prompt shows what is to be changed, as far as that is known."""
    return bool(wish.regions) or is_whole(wish)


def _wish_of(plan: Plan) -> Wish:
    """What a model is to do, and where as far as the instruction tells."""
    request = plan.request
    wish = Wish(
        request.document,
        (request.instruction or "").strip() or None,
        plan.language,
        scope=plan.narrowed,
        update=request.update,
        conventions=request.conventions,
    )
    try:
        return replace(wish, regions=tuple(part.region for part in plan.parts))
    except (AnchorNotFound, InputRefused):
        return wish  # the file, or its outline, says more


def _choice_of(plan: Plan, wish: Wish, places: int, *, drafted: bool) -> Choice:
    request = plan.request
    asked: Way | None = None if request.plan == "auto" else request.plan
    return choose(wish, asked, places=max(places, 1), drafted=drafted)


@dataclass(frozen=True, slots=True)
class _Round:
    """What became of one question: a result, or an error that says why there is none."""

    answer: str
    result: EditResult | None = None
    error: FasteditError | None = None

    @property
    def complaint(self) -> str | None:
        """What is to be told to the model; None where nothing is wrong, or nothing that it can mend."""
        if self.result is not None:
            return "; ".join(self.result.reasons) if self.result.status is Status.SUSPECT else None
        if isinstance(self.error, UnreadableAnswer):
            return _told(self.error) if self.error.repairable else None
        return None


class Asked:
    """The question for one plan, its answers, and the result."""

    def __init__(self, model: str, settings: Settings, plan: Plan, wish: Wish, choice: Choice) -> None:
        self._model, self._settings, self._plan = model, settings, plan
        self._wish, self._choice, self._request = wish, choice, plan.request
        self._receipt = Receipt(resolved(model), plan.request.policy, settings.exactness, settings.weights)
        note(self._receipt, choice)

    def __iter__(self) -> Iterator[Event]:
        """Raises UnreadableAnswer, ModelUnavailable, TooLong or UsageError."""
        started = time.perf_counter()
        if not is_placed(self._wish):
            yield from self._find()
        regions = self._wish.regions
        yield Located(
            tuple(LineRange(region.start, region.stop) for region in regions),
            tuple(region.reason for region in regions),
        )
        result = yield from self._result()
        self._receipt.total_ms = 1000.0 * (time.perf_counter() - started)
        self._receipt.first_hunk_ms = self._receipt.total_ms if result.hunks else None
        yield from (HunkReady(hunk) for hunk in result.hunks)
        yield Resulted(result)

    def _result(self) -> Generator[Event, None, EditResult]:
        asked = question(self._wish, self._choice.way)
        first = yield from self._round(asked, None)
        if first.complaint is None:
            return _taken(first)
        again = repair(asked, first.answer, first.complaint)
        try:
            second = yield from self._round(again, self._request.time_limit)
        except (ModelUnavailable, TooLong):
            return _taken(first)
        if second.result is None and first.result is not None:
            return _taken(first)
        result = _taken(second)
        return replace(result, notes=(*result.notes, REPAIRED))

    def _round(self, asked: Chat, time_limit: float | None) -> Generator[Event, None, _Round]:
        text, finish = yield from self._answer(asked, time_limit)
        request, receipt = self._request, self._receipt
        try:
            answer = answer_of(text, finish, request.document.text)
            if answer.nothing is not None:
                return _Round(text, judge_nothing(self._plan, answer.nothing, receipt))
            read = read_answer(self._wish, self._choice.way, answer.text)
        except UnreadableAnswer as error:
            return _Round(text, error=error)
        except (InputRefused, UsageError) as error:
            wrong = UnreadableAnswer(
                f"the model's edit cannot be applied: {error}; nothing was changed: ask again, or take another model"
            )
            wrong.__cause__ = error
            return _Round(text, error=wrong)
        return _Round(text, judge_written(self._plan, read, receipt))

    def _answer(self, asked: Chat, time_limit: float | None) -> Generator[Event, None, tuple[str, str]]:
        """What the model writes, and how it ended."""
        request, way = self._request, self._choice.way
        expected = max(1, self._choice.tokens)
        predicted = prediction(self._wish) if way == "rewrite" and request.speculation else None
        wanted = ChatRequest(asked, predicted, request.sampling, time_limit=time_limit)
        pieces, finish, started = list[str](), "stop", time.perf_counter()
        with closing(chat(self._model, wanted, self._settings)) as answer:
            for event in answer:
                if isinstance(event, Answered):
                    self._receipt.add(event.receipt)
                    finish = event.finish
                    break
                pieces.append(event.text)
                # Most servers send a token a piece; their own count comes only at the end.
                done, seconds = len(pieces), max(time.perf_counter() - started, 1e-9)
                if time_limit is not None and seconds > time_limit:
                    raise ModelUnavailable(f"the model took more than {time_limit:g} s; nothing was changed")
                yield Progressed(Progress(min(1.0, done / expected), done, 0, done / seconds))
        return "".join(pieces), finish

    def _find(self) -> Generator[Event, None, None]:
        """Asks where the places are, of which nothing in the instruction tells. Raises AnchorNotFound."""
        wish = self._wish
        text, finish = yield from self._answer(find_question(wish), None)
        answer = answer_of(text, finish, wish.document.text)
        places = found_lines(answer.text, len(wish.document.lines))
        if not places:
            raise AnchorNotFound(
                f"{wish.name}: nothing that the instruction names was found, and the model names no lines either; "
                "name a definition, or give --symbol or --lines"
            )
        scope = wish.scope or LineRange(0, len(wish.document.lines))
        self._wish = replace(wish, regions=around(wish.document, places, scope))


def note(receipt: Receipt, choice: Choice) -> None:
    """Writes down the way taken and what it is expected to cost."""
    receipt.plan, receipt.plan_tokens = choice.way, choice.tokens
    receipt.other_plan, receipt.other_plan_tokens = choice.other, choice.other_tokens


def _taken(round: _Round) -> EditResult:
    if round.result is None:
        assert round.error is not None
        raise round.error
    return round.result


def _told(error: UnreadableAnswer) -> str:
    """What is wrong with an answer, with the lines of the file that are most like those it looked for."""
    cause = error.__cause__
    if isinstance(cause, UnplacedHunk) and cause.reports:
        return "\n".join(told("SEARCH", cause.reports))
    return str(cause or error)
