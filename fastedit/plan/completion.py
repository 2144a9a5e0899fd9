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


def completions(task: DocumentTask) -> tuple[DocumentTask, ...]:
    """One question for each region."""
    if len(task.regions) < 2:
        return (task,)
    return tuple(
        replace(task, regions=(each,), stretch=LineRange(each.start, each.stop)) for each in task.regions
    )


def completion(task: DocumentTask) -> str:
    return completion_text(_task(task))


def closing(task: DocumentTask) -> str:
    """The line that ends the answer."""
    return fence(_task(task))


def limit(task: DocumentTask) -> int:
    """Tokens that an answer may have: a model that never stops would write on to the end of its context."""
    return 2 * tokens_of(task.text_of(spans(task)[0])) + _SLACK


def _task(task: DocumentTask) -> RegionTask:
    (span,) = spans(task)
    lines = task.document.lines[span.start : span.stop]
    said = "\n\n".join(part for part in (task.instruction, task.update) if part)
    return RegionTask(lines, said, language=task.language, about=file_part(replace(task, budget=ABOUT)))
