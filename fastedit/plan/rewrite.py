"""The rewrite: the model writes the regions, or the whole file, anew between tags."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final

from fastedit.plan.base import DocumentTask
from fastedit.request import LineRange
from fastedit.source.hunks import Hunk, changed_lines

TAG: Final = "updated-code"


def spans(task: DocumentTask) -> tuple[LineRange, ...]:
    """The lines that are rewritten, a stretch each: the regions, or all that may change where nothing tells any."""
    regions = tuple(LineRange(region.start, region.stop) for region in task.regions)
    return regions or (task.scope or LineRange(0, len(task.document.lines)),)


def is_whole(task: DocumentTask) -> bool:
    """Whether all of the file is rewritten."""
    return len(spans(task)[0]) == len(task.document.lines)


def answer_format(task: DocumentTask) -> str:
    if is_whole(task):
        (name,) = names(task)
        return f"Answer with the whole new file between <{name}> and </{name}>."
    shown = "\n".join(
        f"Lines {span.start + 1}-{span.stop}, which become <{name}>:\n<{old}>\n{task.text_of(span)}\n</{old}>"
        for name, span in zip(names(task), spans(task), strict=True)
        for old in (name.replace(TAG, "code"),)
    )
    asked = " and ".join(f"<{name}>...</{name}>" for name in names(task))
    return f"{shown}\n\nAnswer with the new text of these lines, complete, at their depth and without numbers: {asked}."


def prediction(task: DocumentTask) -> str:
    """The answer that changes nothing."""
    return answer(task, ())


def answer(task: DocumentTask, hunks: Sequence[Hunk]) -> str:
    """The answer that makes these changes, all of them within the stretches."""
    return "\n".join(
        f"<{name}>\n{_changed(task, hunks, span)}\n</{name}>"
        for name, span in zip(names(task), spans(task), strict=True)
    )


def _changed(task: DocumentTask, hunks: Sequence[Hunk], span: LineRange) -> str:
    inside = [hunk for hunk in hunks if span.start <= hunk.start and hunk.stop <= span.stop]
    return "\n".join(changed_lines(task.document.lines, inside, slice(span.start, span.stop)))


def names(task: DocumentTask) -> list[str]:
    """The tag of each stretch: numbered where there are several, or where the file holds the plain one."""
    stretches = len(spans(task))
    for first in count():
        found = [f"{TAG}-{first + n}" if first or stretches > 1 else TAG for n in range(stretches)]
        if not any(f"{name}>" in task.document.text for name in found):
            return found
    raise AssertionError("there is always a number that a file does not hold")


def stretches_in(answer: str, tags: Sequence[str]) -> list[str] | None:
    """What stands between each pair of tags, the last one of each; None unless all are there."""
    found = []
    for tag in tags:
        _, opening, rest = answer.rpartition(f"</{tag}>")[0].rpartition(f"<{tag}>")
        if not opening:
            return None
        inside = rest.partition(f"</{tag}>")[0]
        head, _, below = inside.partition("\n")
        found.append((inside if head.strip() else below).rstrip(" \t").removesuffix("\n"))
    return found


def tagged_rows(answer: str) -> list[range]:
    """The lines of an answer from an opening tag to the next closing one, each time."""
    found, start = list[range](), None
    for row, line in enumerate(answer.split("\n")):
        if start is None and f"<{TAG}" in line:
            start = row
        if start is not None and f"</{TAG}" in line:
            found.append(range(start, row + 1))
            start = None
    return found
