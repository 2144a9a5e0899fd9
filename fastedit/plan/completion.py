"""What a model without a chat template, behind an address, goes on with: one region a question."""

from __future__ import annotations

from dataclasses import replace

from fastedit.plan.base import DocumentTask, tokens_of
from fastedit.plan.context import file_part
from fastedit.plan.rewrite import spans
from fastedit.prompt.base import RegionTask
from fastedit.prompt.example import completion_text, fence
from fastedit.request import LineRange

ABOUT = 2000  # tokens of the file around a region
_SLACK = 256


def completions(wish: DocumentTask) -> tuple[DocumentTask, ...]:
    """One question for each region."""
    if len(wish.regions) < 2:
        return (wish,)
    return tuple(
        replace(wish, regions=(each,), stretch=LineRange(each.start, each.stop)) for each in wish.regions
    )


def completion(wish: DocumentTask) -> str:
    return completion_text(_task(wish))


def closing(wish: DocumentTask) -> str:
    """The line that ends the answer."""
    return fence(_task(wish))


def limit(wish: DocumentTask) -> int:
    """Tokens that an answer may have: a model that never stops would write on to the end of its context."""
    return 2 * tokens_of(wish.text_of(spans(wish)[0])) + _SLACK


def _task(wish: DocumentTask) -> RegionTask:
    (span,) = spans(wish)
    lines = wish.document.lines[span.start : span.stop]
    said = "\n\n".join(part for part in (wish.instruction, wish.update) if part)
    return RegionTask(lines, said, language=wish.language, about=file_part(replace(wish, budget=ABOUT)))
