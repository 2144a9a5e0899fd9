"""What is said with a strong model about one edit: a question, its answer, and once more where that will not do."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, Protocol, TypeVar

from fastedit.connect import Hangup
from fastedit.engine.models.chat import Answered, ChatRequest, chat
from fastedit.errors import ModelUnavailable, TooLong, UnplacedHunk, UnreadableAnswer, WayOut
from fastedit.formats.detect import edits_in
from fastedit.formats.registry import FORMATS
from fastedit.formats.report import Report
from fastedit.model.settings import ModelSettings
from fastedit.plan.answer import AGAIN
from fastedit.plan.base import Chat
from fastedit.plan.question import more_of, repair
from fastedit.result import Progress, Receipt, Status

REPAIRED: Final = "the model's first answer was held back and asked for again"
_ASKING: Final = "LINES:"  # what a line begins with that asks for lines of a file


class Judged(Protocol):
    @property
    def notes(self) -> tuple[str, ...]: ...

    @property
    def status(self) -> Status: ...


J = TypeVar("J", bound=Judged)


@dataclass(frozen=True, slots=True)
class Round(Generic[J]):
    """What became of one question: a result, or the error that its answer is. `complaint` is what is to be told to the
    model; None where nothing is wrong, or nothing that it can fix. `choice` is as in `AnswerHunks`, and `left` are the
    places that an edit leaves with which nothing is wrong: it may mean them too."""

    answer: str
    result: J | None = None
    complaint: str | None = None
    error: UnreadableAnswer | None = None
    choice: str = ""
    left: tuple[str, ...] = ()


R = TypeVar("R", bound=Round[Any])


class Dialogue(ABC, Generic[R]):
    """Asks one question. `receipt` is what it has cost so far, `time_limit` the seconds that a second answer may take;
    `hangup` ends it from another thread."""

    def __init__(self, model: str, settings: ModelSettings, time_limit: float, hangup: Hangup) -> None:
        self._model, self._settings, self._time_limit, self._hangup = model, settings, time_limit, hangup
        self.receipt = Receipt()

    @abstractmethod
    def _question(self) -> ChatRequest:
        """The question, before anything was answered."""

    @abstractmethod
    def _expected(self) -> int:
        """Tokens of its answer."""

    @abstractmethod
    def _read(self, text: str, finish: str) -> R:
        """What an answer comes to. Raises UnreadableAnswer where that can have no second one."""

    def _shows_more(self, answer: str) -> bool:
        """Whether an answer without an edit asks for more of a file, which the question shows from now on."""
        return False

    @abstractmethod
    def _held_to(self, first: R, second: R) -> R:
        """The second answer, held back where it is a part of the edit alone: where it leaves out what was right in the
        first."""

    @abstractmethod
    def _keeps(self, first: R, second: R) -> bool:
        """Whether the second answer changes all that the first one does."""

    def settled(self) -> Generator[Progress, None, R]:
        """The model's answer; the second one where the first one will not do."""
        started = time.perf_counter()
        first = yield from self._round()
        # A model that thinks for long needs as long for the second answer.
        limit = max(self._time_limit, time.perf_counter() - started)
        if first.complaint is None:
            return (yield from self._completed(first, limit)) if first.left else first
        try:
            second = yield from self._again(first.answer, first.complaint, limit)
        except (ModelUnavailable, TooLong) as error:
            said = f"asked for again, the model gave no second answer: {error}"
            if first.result is not None:
                return _noted(first, said)
            return replace(first, error=UnreadableAnswer(f"{first.error}; {said}"))
        if second.result is None and first.result is not None:
            return _noted(first, f"asked for again, the model gave no better answer: {second.error}")
        return self._held_to(first, second)

    def _again(self, answer: str, complaint: str, limit: float) -> Generator[Progress, None, R]:
        """The answer to a complaint about an answer. Raises ModelUnavailable where the model gives none within `limit`
        seconds."""
        round = yield from self._round(lambda asked: repair(asked, answer, complaint), limit)
        return round if round.result is None else _noted(round, REPAIRED)

    def _completed(self, first: R, limit: float) -> Generator[Progress, None, R]:
        """The answer to the places that a first one leaves; the first one, where that is not right with more."""
        left = "\n".join(first.left)
        try:
            second = yield from self._round(lambda asked: more_of(asked, first.answer, left), limit)
        except (ModelUnavailable, TooLong) as error:
            return _noted(first, f"asked whether it means these too, the model gave no answer: {error}")
        if second.result is None:
            return _noted(first, f"asked whether it means these too, the model gave no edit: {second.error}")
        return second if second.result.status is Status.OK and self._keeps(first, second) else first

    def _round(
        self, add: Callable[[Chat], Chat] = lambda asked: asked, limit: float | None = None
    ) -> Generator[Progress, None, R]:
        """What the answer comes to that the model gives within `limit` seconds to the question and what is added."""
        while True:
            asked = self._question()
            asked = replace(asked, messages=add(asked.messages), time_limit=limit)
            text, finish = yield from self._answer(asked, self._expected())
            round = self._read(text, finish)
            if round.error is None and _ASKING not in text:
                return round
            edits = edits_in(text, [*FORMATS.values()])
            if edits or round.error is None:  # it is asked for in the way that the question says
                rows = {row for each in edits for row in each}
                lines = (line for row, line in enumerate(text.split("\n")) if row not in rows)
                text = "\n".join(line for line in lines if line.strip(" *`").startswith(_ASKING))
            if not text or not self._shows_more(text):
                return round

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


def _noted(round: R, said: str) -> R:
    """The round, with a note on its result."""
    assert round.result is not None
    return replace(round, result=replace(round.result, notes=(*round.result.notes, said)))


def inapplicable(error: Exception | str) -> UnreadableAnswer:
    """The error of an answer that is an edit, and that cannot be carried out."""
    wrong = UnreadableAnswer(
        f"the model's edit cannot be applied: {error}; nothing was changed: ask again, or take another model",
        ways_out=(WayOut.MODEL,),
    )
    wrong.__cause__ = error if isinstance(error, Exception) else None
    return wrong


def complaint_of(error: UnreadableAnswer) -> str | None:
    """What is wrong with an answer, with the lines of the file that are most like those it looked for; None where
    another answer would be no better."""
    if not error.repairable:
        return None
    cause = error.__cause__
    if isinstance(cause, UnplacedHunk) and cause.reports:
        return "\n".join(_told(cause.reports))
    return str(cause or error).removesuffix(f"; {AGAIN}")


def _told(reports: Sequence[Report]) -> Iterator[str]:
    """The blocks of an answer that have no place, with the lines that are nearest, and those that have one."""
    for report in reports:
        if not report.step.placed:
            yield f"block {report.number}: {report.problem}"
            yield from (f"    {line}" for line in report.nearest)
    if placed := [f"block {report.number}" for report in reports if report.step.placed]:
        yield f"{', '.join(placed)}: right, and to be sent again with the others"
