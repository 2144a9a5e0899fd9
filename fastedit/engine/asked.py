"""One edit that a strong model writes: asked in the cheapest way, and once more where its answer will not do."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from fastedit.engine.answered import Read, read_answer, read_completion
from fastedit.engine.chat import Answered, ChatRequest, chat
from fastedit.engine.events import Event, HunkReady, Located, Resulted, of_all
from fastedit.engine.folder import chats
from fastedit.engine.joined import joined, told
from fastedit.engine.plan import Plan
from fastedit.engine.verdict import judge_nothing, judge_written
from fastedit.engine.wish import is_placed, note
from fastedit.errors import (
    AnchorNotFound,
    InputRefused,
    ModelUnavailable,
    TooLong,
    UnplacedHunk,
    UnreadableAnswer,
    UsageError,
)
from fastedit.formats.report import told as told_reports
from fastedit.locate import around
from fastedit.model.settings import Settings
from fastedit.plan.answer import CutOff, answer_of
from fastedit.plan.base import Wish, tokens_of
from fastedit.plan.completion import closing as last_line
from fastedit.plan.completion import completion, completions, limit
from fastedit.plan.find import TOKENS as FIND_TOKENS
from fastedit.plan.find import find_question, found_lines
from fastedit.plan.operations import tools_for
from fastedit.plan.price import Choice, choose
from fastedit.plan.question import question, repair
from fastedit.plan.rewrite import answer as rewritten
from fastedit.plan.rewrite import prediction
from fastedit.plan.stretches import smaller, stretches
from fastedit.request import LineRange
from fastedit.result import EditResult, Progress, Receipt, Status
from fastedit.source.hunks import Hunk

_WAY_OUT = "name a definition, or give --symbol or --lines"
REPAIRED: Final = "the model's first edit was held back and asked for again"


@dataclass(frozen=True, slots=True)
class _Round:
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


class Asked:
    """The questions for one plan, mostly a single one, their answers, and the result."""

    def __init__(
        self, model: str, settings: Settings, plan: Plan, wish: Wish, choice: Choice, receipt: Receipt
    ) -> None:
        self._model, self._settings, self._plan = model, settings, plan
        self._choice, self._request, self._receipt = choice, plan.request, receipt
        self._talks = choice.way != "rewrite" or chats(model)  # else it only goes on with a text
        self._waiting = deque([wish])
        self._taken: list[tuple[Wish, _Round]] = []
        self._located = False

    def __iter__(self) -> Iterator[Event]:
        """Raises UnreadableAnswer, ModelUnavailable, TooLong or UsageError."""
        started = time.perf_counter()
        while self._waiting:
            wish = self._waiting.popleft()
            try:
                yield from self._next(wish)
            except (TooLong, CutOff) as error:
                regions = wish.regions if isinstance(error, CutOff) else ()
                held = "".join(map(wish.text_of, regions)) or wish.document.text
                less = smaller(wish, tokens_of(held))
                if less is None:
                    raise
                self._waiting.appendleft(less)
        result = self._result()
        note(self._receipt, *(self._price(wish) for wish, _ in self._taken))
        self._receipt.total_ms = 1000.0 * (time.perf_counter() - started)
        self._receipt.first_hunk_ms = self._receipt.total_ms if result.hunks else None
        yield from (HunkReady(hunk) for hunk in result.hunks)
        yield Resulted(result)

    def _next(self, wish: Wish) -> Iterator[Event]:
        """Asks for one stretch of a wish; others that it has are put first in the queue."""
        if not is_placed(wish):
            if not self._talks:
                raise AnchorNotFound(f"{wish.name}: nothing that the instruction names was found; {_WAY_OUT}")
            wish = yield from self._found(wish)
        wish, *later = stretches(wish, self._choice.way) if self._talks else completions(wish)
        self._waiting.extendleft(reversed(later))
        if not self._located:
            self._located = True
            regions = [region for each in (wish, *self._waiting) for region in each.regions]
            lines = tuple(LineRange(region.start, region.stop) for region in regions)
            yield Located(lines, tuple(region.reason for region in regions))
        round = yield from self._settled(wish)
        if round.error is not None and not round.error.repairable:
            raise round.error
        self._taken.append((wish, round))

    def _result(self) -> EditResult:
        """What all answers come to."""
        if len(self._taken) == 1:
            ((_, only),) = self._taken
            if only.result is None:
                assert only.error is not None
                raise only.error
            return only.result
        return self._joined()

    def _joined(self) -> EditResult:
        """The answers for several stretches as one result. Those that cannot be read leave their lines as they are,
        which is a doubt; where none can be read, that is the error."""
        results = [round.result for _, round in self._taken if round.result is not None]
        failed = [(wish, round.error) for wish, round in self._taken if round.error is not None]
        if not results:
            raise failed[0][1]
        reads = [(_stretch(wish), round.read) for wish, round in self._taken if round.read is not None]
        notes = dict.fromkeys(chain.from_iterable(map(_notes, self._taken)))
        if not reads and not failed:
            return replace(results[0], notes=tuple(notes))
        read = joined(self._request.document, reads)
        left = tuple(f"{told(_stretch(wish))} stay as they are: {error}" for wish, error in failed)
        made = judge_written(self._plan, replace(read, doubts=(*left, *read.doubts)), self._receipt)
        return replace(made, notes=tuple(notes))

    def _price(self, wish: Wish) -> Choice:
        """What a question was expected to take."""
        if wish.stretch is None:
            return self._choice
        return choose(wish, self._choice.way, places=len(wish.regions), drafted=False)

    def _settled(self, wish: Wish) -> Generator[Event, None, _Round]:
        """The model's answer; the second one where the first one will not do."""
        first = yield from self._round(wish, self._first(wish))
        if first.complaint is None or not self._talks:
            return first
        second = yield from self._again(wish, first.answer, first.complaint)
        if second is None or (second.result is None and first.result is not None):
            return first
        return second

    def mended(self, hunks: Sequence[Hunk], complaint: str) -> Generator[Event, None, EditResult | None]:
        """What the model writes in place of an edit that it wrote as a rewrite, region by region, and that will not do;
        None where the second one will not do either."""
        (wish,) = self._waiting
        round = yield from self._again(wish, rewritten(wish, hunks), complaint)
        return None if round is None or round.complaint is not None else round.result

    def _again(self, wish: Wish, answer: str, complaint: str) -> Generator[Event, None, _Round | None]:
        """The answer to a complaint about an answer; None where the model gives none in time."""
        first = self._first(wish)
        again = repair(first.messages, answer, complaint)
        asked = replace(first, messages=again, time_limit=self._request.time_limit)
        try:
            round = yield from self._round(wish, asked)
        except (ModelUnavailable, TooLong):
            return None
        if round.result is None:
            return round
        return replace(round, result=replace(round.result, notes=(*round.result.notes, REPAIRED)))

    def _first(self, wish: Wish) -> ChatRequest:
        """The question, before anything was answered."""
        way, request = self._choice.way, self._request
        if not self._talks:
            text, end = (("user", completion(wish)),), (last_line(wish),)
            return ChatRequest(text, sampling=request.sampling, max_tokens=limit(wish), stop=end)
        return ChatRequest(
            question(wish, way),
            prediction(wish) if way == "rewrite" and request.speculation else None,
            request.sampling,
            tools=tools_for(wish) if way == "operations" else (),
        )

    def _round(self, wish: Wish, asked: ChatRequest) -> Generator[Event, None, _Round]:
        text, finish = yield from self._answer(asked, self._price(wish).tokens)
        try:
            answer = answer_of(text, finish, wish.document.text)
            if answer.nothing is not None:
                return _Round(text, judge_nothing(self._plan, answer.nothing, self._receipt))
            read = (
                read_answer(wish, self._choice.way, answer.text)
                if self._talks
                else read_completion(wish, answer.text)
            )
        except UnreadableAnswer as error:
            return _Round(text, error=error)
        except (InputRefused, UsageError) as error:
            wrong = UnreadableAnswer(
                f"the model's edit cannot be applied: {error}; nothing was changed: ask again, or take another model"
            )
            wrong.__cause__ = error
            return _Round(text, error=wrong)
        result = judge_written(self._plan, read, self._receipt, complete=wish.stretch is None)
        return _Round(text, result, read)

    def _answer(self, wanted: ChatRequest, expected: int) -> Generator[Event, None, tuple[str, str]]:
        """What the model writes, and how it ended."""
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
                if (limit := wanted.time_limit) is not None and seconds > limit:
                    raise ModelUnavailable(f"the model took more than {limit:g} s; nothing was changed")
                progress = Progress(min(1.0, done / max(1, expected)), done, 0, done / seconds)
                number = len(self._taken) + 1
                yield of_all(progress, self._receipt, number, number + len(self._waiting))
        return "".join(pieces), finish

    def _found(self, wish: Wish) -> Generator[Event, None, Wish]:
        """The wish with its places, of which nothing in the instruction tells. Raises AnchorNotFound."""
        text, finish = yield from self._answer(
            ChatRequest(find_question(wish), sampling=self._request.sampling), FIND_TOKENS
        )
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
                f"{_WAY_OUT}"
            )
        return replace(wish, regions=around(wish.document, places, scope))


def _notes(taken: tuple[Wish, _Round]) -> list[str]:
    wish, round = taken
    where = f"{told(_stretch(wish))}: " if round.read is None else ""
    return [f"{where}{note}" for note in (() if round.result is None else round.result.notes)]


def _stretch(wish: Wish) -> LineRange:
    assert wish.stretch is not None
    return wish.stretch


def _told(error: UnreadableAnswer) -> str:
    """What is wrong with an answer, with the lines of the file that are most like those it looked for."""
    cause = error.__cause__
    if isinstance(cause, UnplacedHunk) and cause.reports:
        return "\n".join(told_reports("SEARCH", cause.reports))
    return str(cause or error)
