"""Engine: plan an edit, let the model rewrite its regions, weigh the answer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from fastedit.engine.edits.plan import EditPlan
from fastedit.engine.edits.verdict import changed_chars, judge_choice, judge_placed, judge_predicted
from fastedit.engine.events import Event, HunkReady, Progressed, Resulted
from fastedit.engine.models.folder import chats, is_address, only_edits, resolved
from fastedit.engine.models.local import loaded, runs_models
from fastedit.engine.models.rewritten import rewrites, rewritten
from fastedit.errors import (
    AnchorNotFound,
    ModelUnavailable,
    TooLong,
    UnplacedHunk,
    UnreadableAnswer,
    UsageError,
    WayOut,
)
from fastedit.model.settings import DEFAULT, Exactness, ModelSettings, WeightFormat
from fastedit.request import EditRequest
from fastedit.result import EditResult, Progress, Receipt, Status
from fastedit.source.document import Document

if TYPE_CHECKING:
    from fastedit.connect import Hangup
    from fastedit.draft.seam import LearningReport
    from fastedit.engine.merge.merge import Merge
    from fastedit.plan.base import Chat

# Changes nothing and needs the model all the same.
_FIRST = EditRequest(Document.from_text("a = 1\n"), instruction="rename a to b", policy="model")
# Need none.
_MERGED = EditRequest(Document.from_text("a = 1\n"), update="a = 1\nb = 2\n", policy="merge")
_PLACED = replace(_MERGED, update="<<<<<<< SEARCH\na = 1\n=======\nb = 1\n>>>>>>> REPLACE\n")
_WROTE: Final = "the model wrote the edit, as no reading of the update would do"


@dataclass(frozen=True, slots=True)
class Verification:
    """Greedy decoding with and without speculation, token by token."""

    identical: bool
    tokens: int
    first_difference: int | None
    passes_with: int
    passes_without: int


class Engine:
    """Applies edits with one model. Loading the model waits until a pass is needed."""

    def __init__(self, model: str = "embedded", settings: ModelSettings = DEFAULT) -> None:
        self.model, self.settings = model, settings

    @classmethod
    def load(
        cls, model: str = "embedded", *, exactness: Exactness = "default", weights: WeightFormat = "default"
    ) -> Engine:
        """An engine for the embedded model, a model folder or an OpenAI-compatible server's address.

        `exactness="bitwise"` makes greedy answers independent of drafts, batch and cache to the last bit;
        `weights` other than the default are made narrower while they load. Raises UsageError where a server's
        address is to have either, ModelUnavailable at the first pass, not here.
        """
        settings = ModelSettings(exactness, weights)
        if is_address(model) and settings != DEFAULT:
            raise UsageError(
                f"{resolved(model)}: exactness and weights cannot be configured for a remote server; leave them out"
            )
        return cls(model, settings)

    def apply(self, request: EditRequest, progress: Callable[[Progress], None] | None = None) -> EditResult:
        """The result of one edit. Nothing is written; raises a FasteditError where the input is refused."""
        for event in self.stream(replace(request, live=False)):
            if isinstance(event, Progressed) and progress is not None:
                progress(event.progress)
            if isinstance(event, Resulted):
                return event.result
        raise AssertionError("a stream always ends with its result")

    def stream(self, request: EditRequest, hangup: Hangup | None = None) -> Iterator[Event]:
        """Events of one edit; the last one is `Resulted`. Closing the iterator cancels and frees the memory; `hangup`
        cancels from another thread: while a server is waited for, and between two operations.

        Hunks are final. They come as they are written where the request is `live`, else with the result.
        """
        if request.base is not None:
            from fastedit.engine.edits.carried import carried_over, of_base

            other = of_base(request)
            events = self.stream(other, hangup)
            yield from events if other.document is request.document else carried_over(request, events)
            return
        started = time.perf_counter()
        try:
            plan = EditPlan(request, hangup)
        except UnplacedHunk as error:
            yield from self.place(request, error, hangup)
            return
        if plan.predicted is not None:
            yield plan.located
        result = yield from self._unwritten(plan, started, hangup)
        if result is None:
            yield from self._written(plan, started, hangup)
            return
        yield from (HunkReady(hunk) for hunk in result.hunks)
        yield Resulted(result)

    def place(
        self, request: EditRequest, error: UnplacedHunk, hangup: Hangup | None = None
    ) -> Iterator[Event]:
        """Events of an edit of which some hunks have no place: a strong model is asked where they belong. Raises the
        error where none may be asked, or none tells."""
        started = time.perf_counter()
        if request.policy == "merge" or not (self._is_strong() and chats(self.model)):
            raise error
        from fastedit.engine.answers.unplaced import UnplacedHunks

        unplaced = UnplacedHunks.of(request, error)
        plan = unplaced.plan(request, hangup)
        try:
            for event in self._written(plan, started, hangup):
                if isinstance(event, Resulted):
                    if not event.result.hunks:
                        raise unplaced.error.after("; ".join((*event.result.notes, *event.result.reasons)))
                    result = unplaced.joined(request.document, event.result, plan.ignore)
                    yield from (HunkReady(hunk) for hunk in result.hunks)
                    yield Resulted(result)
                elif not isinstance(event, HunkReady):
                    yield event
        except (ModelUnavailable, TooLong, UnreadableAnswer) as unanswered:
            raise unplaced.error.after(str(unanswered)) from None

    def prompt(self, request: EditRequest) -> Chat | None:
        """The messages that a strong model gets for a request; None where no model is asked. For the embedded model,
        which is asked in tokens (docs/model.md), they are what a model behind an address would get."""
        if request.base is not None:
            from fastedit.engine.edits.carried import of_base

            request = of_base(request)
        try:
            plan = EditPlan(request)
        except UnplacedHunk as error:
            from fastedit.engine.answers.unplaced import UnplacedHunks

            plan = UnplacedHunks.of(request, error).plan(request)
        if plan.predicted is not None and not (request.policy == "model" or plan.doubts):
            return None
        from fastedit.engine.answers.task import is_placed, planned
        from fastedit.plan.find import find_question
        from fastedit.plan.question import question
        from fastedit.plan.stretches import stretches

        task, choice = planned(plan, self.model)
        return (
            question(stretches(task, choice.way)[0], choice.way) if is_placed(task) else find_question(task)
        )

    def verify(self, request: EditRequest) -> Verification:
        """Decode the request's regions twice, with and without speculation, and compare the tokens."""
        if is_address(self.model):
            raise UsageError(
                f"{resolved(self.model)}: a server does not report its tokens; verify with a local model"
            )
        with_drafts = self._tokens(replace(request, speculation=True))
        without = self._tokens(replace(request, speculation=False))
        first = first_difference(with_drafts[0], without[0])
        return Verification(first is None, len(without[0]), first, with_drafts[1], without[1])

    def _unwritten(
        self, plan: EditPlan, started: float, hangup: Hangup | None
    ) -> Generator[Event, None, EditResult | None]:
        """The result of a request that code alone makes something of; None for any other."""
        request, merge, placed = plan.request, plan.merge, plan.placed
        given = placed is not None or request.choice is not None
        if not given and (request.policy == "model" or plan.predicted is None):
            return None
        receipt = Receipt(rewritten_chars=changed_chars(request.document, plan.predicted or ()))
        if placed is not None:
            result = judge_placed(plan, placed, receipt)
        elif request.choice is not None:
            result = judge_choice(plan, plan.chosen(request.choice), receipt)
        else:
            result = judge_predicted(plan, receipt)
            if result.reasons and request.policy == "auto":
                if merge is None:
                    return None
                result = yield from self._settled(plan, merge, result, hangup)
                receipt = result.receipt
        receipt.total_ms = _ms_since(started)
        receipt.first_hunk_ms = receipt.total_ms if result.hunks else None
        return result

    def _settled(
        self, plan: EditPlan, merge: Merge, held: EditResult, hangup: Hangup | None
    ) -> Generator[Event, None, EditResult]:
        """The result that is held back, the reading that the model takes of those that no check rules out, or the edit
        that it writes where it takes none. One that was trained to write edits is not asked: it takes a sketch as it
        stands, right or wrong (docs/merge.md)."""
        # One that runs here would rewrite the lines, which is held back wherever it differs from a reading.
        standing, writes = merge.standing, is_address(self.model) and chats(self.model)
        if not (standing or writes) or not self._is_strong():
            return held
        held.receipt.model, held.receipt.policy = resolved(self.model), "auto"
        if standing:
            from fastedit.engine.answers.choice import choose

            taken = choose(self.model, plan.request, standing, held.receipt, self.settings, hangup)
            said = "the model was asked which reading is meant, and "
            if taken.index is not None:
                result = judge_choice(plan, standing[taken.index], held.receipt)
                said += f"took number {taken.index + 1} of {len(standing)}"
                return replace(result, notes=(*result.notes, said))
            said += "took none" if taken.none else f"settled nothing: {taken.why}"
            held = replace(held, notes=(*held.notes, said))
            if not taken.none:
                return held
        return (yield from self._instead(plan, held, hangup)) if writes else held

    def _instead(
        self, plan: EditPlan, held: EditResult, hangup: Hangup | None
    ) -> Generator[Event, None, EditResult]:
        """The edit that a model writes in place of an update that is held back, as none of its readings is meant; that
        result, where what it writes will not do."""
        wrong = ""
        try:
            for event in self._written(plan, time.perf_counter(), hangup):
                if isinstance(event, Progressed):
                    yield event
                elif isinstance(event, Resulted):
                    made = event.result
                    if made.status is Status.OK:
                        made.receipt.add(held.receipt)
                        return replace(made, notes=(*held.notes, *made.notes, _WROTE))
                    held.receipt.add(made.receipt)
                    wrong = "; ".join((*made.notes, *made.reasons))
        except (ModelUnavailable, TooLong, UnreadableAnswer, AnchorNotFound) as error:
            wrong = str(error)
        said = f"the model was asked to write the edit, and what it wrote will not do: {wrong}"
        return replace(held, notes=(*held.notes, said))

    def _is_strong(self) -> bool:
        """Whether there is a model that was not trained for edits alone."""
        try:
            return not only_edits(self.model)
        except ModelUnavailable:
            return False

    def _written(self, plan: EditPlan, started: float, hangup: Hangup | None) -> Iterator[Event]:
        """The events of an edit that a model writes."""
        request = plan.request
        receipt = Receipt(
            model=resolved(self.model),
            policy=request.policy,
            exactness=self.settings.exactness,
            weights=self.settings.weights,
        )
        # Under `auto` a disagreement may be settled for the merge, and a streamed hunk is final: wait for the verdict.
        live = request.live and (plan.predicted is None or request.policy == "model")
        if only_edits(self.model):
            if request.plan not in ("auto", "rewrite"):
                raise UsageError(
                    f"plan {request.plan}: the model {self.model} only rewrites; leave the plan out, or connect a "
                    "strong model",
                    ways_out=(WayOut.PLAN, WayOut.CONNECT),
                )
            if plan.predicted is None:
                yield plan.located
            result = yield from rewritten(self.model, self.settings, plan, receipt, started, live=live)
        else:
            from fastedit.connect import Hangup
            from fastedit.engine.answers.asked import Asked
            from fastedit.engine.answers.task import note, planned

            remote = is_address(self.model)
            talks = chats(self.model)
            task, choice = planned(plan, self.model)
            asked = Asked(self.model, self.settings, plan, task, choice, receipt, started, hangup or Hangup())
            # Where nothing tells a place, all of the file is rewritten, or the model asked for it.
            placed = bool(task.regions) or plan.predicted is not None
            if remote or choice.way != "rewrite" or (talks and not placed):
                yield from asked
                return
            note(receipt, choice)
            if plan.predicted is None:
                yield plan.located
            try:
                result = yield from rewritten(
                    self.model, self.settings, plan, receipt, started, task, live=live
                )
            except TooLong:
                if not talks or (live and receipt.first_hunk_ms is not None):
                    raise
                yield from asked
                return
            if talks:
                result = yield from asked.fixed(result, streamed=live and bool(result.hunks))
        receipt.total_ms = _ms_since(started)
        if not live:
            receipt.first_hunk_ms = receipt.total_ms if result.hunks else None
            yield from (HunkReady(hunk) for hunk in result.hunks)
        yield Resulted(result)

    def warm(self, drafters: Iterable[str] = ("lookup",)) -> None:
        """Do what the first edit would wait for: import the readers of all formats, load the model and run it once with
        each of `drafters`, or ask the server for its name and import what writes prompts and reads answers. Where no
        model can run, the embedded one, which nobody has chosen, is left out.

        Raises ModelUnavailable, UsageError for a drafter that there is not.
        """
        from fastedit.formats import registry

        registry.warm()
        if is_address(self.model):
            from fastedit.connect import connect
            from fastedit.engine.answers import asked  # noqa: F401

            connect(self.model).model()
            self.prompt(replace(_FIRST, plan="operations"))
        elif runs_models() or self.model != "embedded":
            for drafter in drafters:
                self.apply(replace(_FIRST, drafter=drafter))
                loaded(self.model, self.settings).warm(drafter)
        self.apply(_MERGED)
        self.apply(_PLACED)

    def learned(self) -> list[LearningReport]:
        """What drafters of the loaded model have learned while they served; loads a model that is not."""
        return (
            [] if is_address(self.model) or not runs_models() else loaded(self.model, self.settings).learned()
        )

    def join(self) -> None:
        """To be called first where torchrun may have started this process: loads the model with the other ranks.

        Does nothing elsewhere. On ranks other than 0 it does not return: see `load_model`. Raises ModelUnavailable.
        """
        if int(os.environ.get("WORLD_SIZE", "1")) > 1 and not is_address(self.model):
            loaded(self.model, self.settings)

    def _tokens(self, request: EditRequest) -> tuple[list[int], int]:
        """What a model writes that has never read these prompts, and in how many passes."""
        plan = EditPlan(request)
        loaded(self.model, self.settings).target.pool.forget()
        receipt, tokens = Receipt(), list[int]()
        for rewrite in rewrites(self.model, self.settings, plan, receipt):
            for _ in rewrite:
                pass
            tokens += rewrite.tokens
        return tokens, receipt.passes


def first_difference(left: Sequence[int], right: Sequence[int]) -> int | None:
    """The index of the first token that differs, or that only one of them has; None where they are the same."""
    differing = (i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
    return next(differing, None if len(left) == len(right) else min(len(left), len(right)))


def _ms_since(started: float) -> float:
    return 1000.0 * (time.perf_counter() - started)
