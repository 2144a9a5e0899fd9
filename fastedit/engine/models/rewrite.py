"""One region rewritten by the model: tokens in, lines and final hunks out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import accumulate, takewhile

from fastedit.engine.edits.plan import PlannedRegion
from fastedit.engine.events import HunkReady, Progressed
from fastedit.engine.models.load import LoadedModel
from fastedit.errors import TooLong
from fastedit.plan.base import DocumentTask, tokens_of
from fastedit.plan.completion import ABOUT
from fastedit.plan.context import file_part
from fastedit.prompt.base import RegionTask
from fastedit.request import EditRequest
from fastedit.result import Progress, Receipt
from fastedit.source.hunks import HunkStream

_BEFORE, _AFTER = 1500, 500  # tokens of the lines around a region


class Rewrite:
    """Decodes one part of a plan. Iterate for its events; then `doubts` and `tokens` are complete."""

    def __init__(
        self, model: LoadedModel, request: EditRequest, part: PlannedRegion, receipt: Receipt
    ) -> None:
        self._model, self._request, self._part, self._receipt = model, request, part, receipt
        self.doubts: list[str] = []
        self.tokens: list[int] = []

    def __iter__(self) -> Iterator[HunkReady | Progressed]:
        part, model = self._part, self._model
        self._check_length()
        prompt = model.format.encode(part.task, part.prediction)
        reader = model.format.reader(part.task)
        hunks = HunkStream(part.task.lines, part.region.start)
        try:
            session = model.session(
                prompt,
                self._request.sampling,
                speculation=self._request.speculation,
                drafter=self._request.drafter,
                tenant=self._request.tenant,
            )
        except TooLong as error:
            raise TooLong(f"{self._place()}: {error}") from None
        started = time.perf_counter()
        with closing(session):
            finished = None
            while finished is None:
                accepted = session.step()
                finished = accepted.finished
                self.tokens += accepted.tokens
                try:
                    lines = reader.push(accepted.tokens) + (reader.finish() if finished else [])
                except ValueError as error:
                    self.doubts.append(f"the model's answer is not well formed: {error}")
                    break
                for line in lines:
                    yield from (HunkReady(hunk) for hunk in hunks.push(line.text, line.origin))
                yield Progressed(
                    self._progress(len(prompt.original), time.perf_counter() - started, session.tally.passes)
                )
            if finished == "limit":
                self.doubts.append(f"the answer hit its limit of {prompt.answer_limit} tokens")
            yield from (HunkReady(hunk) for hunk in hunks.finish())
            session.record(self._receipt)

    def _check_length(self) -> None:
        """Raises TooLong for a region that surely does not fit: to count tokens takes far more memory."""
        context = self._model.target.context
        held = 2 * sum(map(len, self._part.task.lines))  # by the prompt, and by the answer
        if held > context and held // self._model.format.longest_token > context:
            raise TooLong(
                f"{self._place()}: prompt and answer take {held} characters, the model's context holds {context} "
                "tokens: shorten the region or use a model with a longer context"
            )

    def _place(self) -> str:
        region = self._part.region
        return f"{self._request.document.path or 'the input'}: lines {region.start + 1}:{region.stop}"

    def _progress(self, expected: int, seconds: float, passes: int) -> Progress:
        done = len(self.tokens)
        return Progress(min(1.0, done / max(1, expected)), done, passes, done / max(seconds, 1e-9))


def with_surroundings(part: PlannedRegion, task: DocumentTask) -> RegionTask:
    """The part's task with what a model is told of the file around it."""
    lines, region = task.document.lines, part.region
    before = _within(lines[: region.start][::-1], _BEFORE)
    return replace(
        part.task,
        about=file_part(replace(task, budget=ABOUT)),
        before=tuple(reversed(before)),
        after=tuple(_within(lines[region.stop :], _AFTER)),
    )


def _within(lines: Sequence[str], budget: int) -> list[str]:
    """The first of these lines that a budget in tokens holds."""
    sizes = accumulate(tokens_of(f"{line}\n") for line in lines)
    return [line for line, _ in takewhile(lambda sized: sized[1] <= budget, zip(lines, sizes, strict=True))]
