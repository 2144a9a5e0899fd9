"""One edit that a strong model writes: its questions, mostly a single one, and what the answers come to."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import chain, count
from typing import Final, TypeVar

from fastedit.connect import Hangup
from fastedit.engine.answers.conversation import Conversation, ReadRound, price_of
from fastedit.engine.answers.joined import joined
from fastedit.engine.answers.overlap import Ended, Overlap
from fastedit.engine.answers.task import is_placed, note
from fastedit.engine.edits.plan import EditPlan
from fastedit.engine.edits.verdict import judge_written
from fastedit.engine.events import Event, HunkReady, Located, Progressed, Resulted
from fastedit.engine.models.folder import chats, is_address
from fastedit.errors import TooLong
from fastedit.formats.report import spans
from fastedit.model.settings import ModelSettings
from fastedit.plan.answer import CutOff
from fastedit.plan.base import DocumentTask, tokens_of
from fastedit.plan.completion import completions
from fastedit.plan.price import PlanChoice
from fastedit.plan.stretches import smaller, stretches
from fastedit.request import LineRange
from fastedit.result import Alternative, EditResult, Progress, Receipt

T = TypeVar("T")
BESIDE: Final = "the model's second answer, which the checks pass, is offered besides the first"
_AT_ONCE = 4  # questions that a server has at a time, of one edit


class Asked:
    """The questions for one plan, their answers, and the result. Several go to a server at the same time. `started` is
    when the edit did, by `time.perf_counter`."""

    def __init__(
        self,
        model: str,
        settings: ModelSettings,
        plan: EditPlan,
        task: DocumentTask,
        choice: PlanChoice,
        receipt: Receipt,
        started: float,
        hangup: Hangup,
    ) -> None:
        self._model, self._settings, self._plan = model, settings, plan
        self._choice, self._request, self._receipt = choice, plan.request, receipt
        self._started, self._hangup = started, hangup
        self._talks = choice.way != "rewrite" or chats(model)  # else it only goes on with a text
        self._waiting = deque([task])
        self._taken: list[tuple[DocumentTask, ReadRound]] = []
        self._open: dict[int, tuple[DocumentTask, Conversation]] = {}
        self._live: dict[int, Progress] = {}
        self._numbers = count()
        self._located = False

    def __iter__(self) -> Iterator[Event]:
        """Raises UnreadableAnswer, ModelUnavailable, TooLong or UsageError."""
        with closing(Overlap[Progress, ReadRound](self._hangup)) as overlap:
            while self._waiting or overlap:
                yield from self._ask(overlap)
                if overlap:
                    yield from self._hear(*overlap.next())
        # Answers come in any order; those for stretches are told in the order of the file.
        self._taken.sort(key=lambda taken: taken[0].stretch.start if taken[0].stretch else 0)
        result = self._result()
        note(self._receipt, *(price_of(task, self._choice) for task, _ in self._taken))
        self._receipt.total_ms = 1000.0 * (time.perf_counter() - self._started)
        self._receipt.first_hunk_ms = self._receipt.total_ms if result.hunks else None
        yield from (HunkReady(hunk) for hunk in result.hunks)
        yield Resulted(result)

    def fixed(self, result: EditResult, *, streamed: bool) -> Generator[Event, None, EditResult]:
        """A result of regions that the model rewrote, or what it writes in its place where the checks hold it back.
        Where its hunks were streamed they stand, and the second answer is offered besides them.

        A guessed place, and another opinion of what is to be done, are nothing that the model can fix.
        """
        if not result.reasons or self._plan.guesses or self._plan.predicted is not None:
            return result
        (task,) = self._waiting
        number, conversation = self._begin(task)
        again = conversation.fixed(result.hunks, "; ".join(result.reasons))
        second = yield from self._attended(number, again)
        if second is None:
            return result
        if not streamed:
            return second
        beside = (Alternative(second.hunks), *result.alternatives)
        return replace(result, alternatives=beside, notes=(*result.notes, BESIDE))

    def _ask(self, overlap: Overlap[Progress, ReadRound]) -> Iterator[Event]:
        """Asks as many of the waiting questions as may be under way; one that is alone, on this thread."""
        most = _AT_ONCE if is_address(self._model) else 1
        while self._waiting and len(overlap) < most:
            task = self._waiting.popleft()
            try:
                task = yield from self._cut(task)
                number, conversation = self._begin(task)
                if most > 1 and (self._waiting or overlap):
                    overlap.start(number, conversation.settled())
                else:
                    self._take(task, (yield from self._attended(number, conversation.settled())))
            except (TooLong, CutOff) as error:
                self._shorten(task, error)

    def _hear(self, number: int, told: Progress | Ended[ReadRound]) -> Iterator[Event]:
        """What a question that is under way says, or what it came to."""
        if isinstance(told, Progress):
            yield self._progressed(number, told)
            return
        task, _ = self._open[number]
        self._end(number)
        try:
            self._take(task, told.outcome())
        except (TooLong, CutOff) as error:
            self._shorten(task, error)

    def _cut(self, task: DocumentTask) -> Generator[Event, None, DocumentTask]:
        """The first stretch of a task; others that it has are put first in the queue."""
        if not is_placed(task):
            number, conversation = self._begin(task)
            task = yield from self._attended(number, conversation.found())
        task, *later = stretches(task, self._choice.way) if self._talks else completions(task)
        self._waiting.extendleft(reversed(later))
        if not self._located:
            self._located = True
            yield Located.of(region for each in (task, *self._waiting) for region in each.regions)
        return task

    def _begin(self, task: DocumentTask) -> tuple[int, Conversation]:
        number = next(self._numbers)
        conversation = Conversation(
            self._model, self._settings, self._plan, task, self._choice, self._receipt, self._hangup
        )
        self._open[number] = (task, conversation)
        return number, conversation

    def _attended(self, number: int, said: Generator[Progress, None, T]) -> Generator[Event, None, T]:
        """A conversation on this thread, to its end."""
        try:
            with closing(said):
                while True:
                    yield self._progressed(number, next(said))
        except StopIteration as ended:
            outcome: T = ended.value
            return outcome
        finally:
            self._end(number)

    def _end(self, number: int) -> None:
        _, conversation = self._open.pop(number)
        self._live.pop(number, None)
        self._receipt.add(conversation.receipt)

    def _progressed(self, number: int, progress: Progress) -> Progressed:
        """How far the whole edit has come."""
        self._live[number] = progress
        live, done = self._live.values(), len(self._taken)
        regions = done + len(self._open) + len(self._waiting)
        return Progressed(
            Progress(
                (done + sum(each.fraction for each in live)) / regions,
                self._receipt.output_tokens + sum(each.output_tokens for each in live),
                self._receipt.passes,
                sum(each.tokens_per_second for each in live),
                done + 1,
                regions,
            )
        )

    def _take(self, task: DocumentTask, round: ReadRound) -> None:
        if round.error is not None and not round.error.repairable:
            raise round.error
        self._taken.append((task, round))

    def _shorten(self, task: DocumentTask, error: TooLong | CutOff) -> None:
        """Puts the task back for smaller questions. Raises the error where these would be too small."""
        regions = task.regions if isinstance(error, CutOff) else ()
        held = "".join(map(task.text_of, regions)) or task.document.text
        less = smaller(task, tokens_of(held))
        if less is None:
            raise error
        self._waiting.appendleft(less)

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
        failed = [(task, round.error) for task, round in self._taken if round.error is not None]
        if not results:
            raise failed[0][1]
        reads = [(_stretch(task), round.read) for task, round in self._taken if round.read is not None]
        notes = dict.fromkeys(chain.from_iterable(map(_notes, self._taken)))
        if not reads and not failed:
            return replace(results[0], notes=tuple(notes))
        read = joined(self._request.document, reads)
        left = tuple(f"{spans([_stretch(task)])} stay as they are: {error}" for task, error in failed)
        made = judge_written(self._plan, replace(read, doubts=(*left, *read.doubts)), self._receipt)
        return replace(made, notes=tuple(notes))


def _notes(taken: tuple[DocumentTask, ReadRound]) -> list[str]:
    task, round = taken
    where = f"{spans([_stretch(task)])}: " if round.read is None else ""
    return [f"{where}{note}" for note in (() if round.result is None else round.result.notes)]


def _stretch(task: DocumentTask) -> LineRange:
    assert task.stretch is not None
    return task.stretch
