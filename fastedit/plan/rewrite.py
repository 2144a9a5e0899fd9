"""The rewrite: the model writes the regions, or the whole file, anew between tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from typing import Final

from fastedit.plan.base import DocumentTask
from fastedit.request import LineRange
from fastedit.source.hunks import Hunk, changed_lines

TAG: Final = "updated-code"


def spans(wish: DocumentTask) -> tuple[LineRange, ...]:
    """The lines that are rewritten, a stretch each: the regions, or all that may change where nothing tells any."""
    regions = tuple(LineRange(region.start, region.stop) for region in wish.regions)
    return regions or (wish.scope or LineRange(0, len(wish.document.lines)),)


def is_whole(wish: DocumentTask) -> bool:
    """Whether all of the file is rewritten."""
    return len(spans(wish)[0]) == len(wish.document.lines)


def answer_format(wish: DocumentTask) -> str:
    if is_whole(wish):
        (name,) = names(wish)
        return f"Answer with the whole new file between <{name}> and </{name}>."
    shown = "\n".join(
        f"Lines {span.start + 1}-{span.stop}, which become <{name}>:\n<{old}>\n{wish.text_of(span)}\n</{old}>"
        for name, span in zip(names(wish), spans(wish), strict=True)
        for old in (name.replace(TAG, "code"),)
    )
    asked = " and ".join(f"<{name}>...</{name}>" for name in names(wish))
    return f"{shown}\n\nAnswer with the new text of these lines, complete and without their numbers: {asked}."


def prediction(wish: DocumentTask) -> str:
    """The answer that changes nothing."""
    return answer(wish, ())


def answer(wish: DocumentTask, hunks: Sequence[Hunk]) -> str:
    """The answer that makes these changes, all of them within the stretches."""
    return "\n".join(
        f"<{name}>\n{_changed(wish, hunks, span)}\n</{name}>"
        for name, span in zip(names(wish), spans(wish), strict=True)
    )


def _changed(wish: DocumentTask, hunks: Sequence[Hunk], span: LineRange) -> str:
    inside = [hunk for hunk in hunks if span.start <= hunk.start and hunk.stop <= span.stop]
    return "\n".join(changed_lines(wish.document.lines, inside, slice(span.start, span.stop)))


def names(wish: DocumentTask) -> list[str]:
    """The tag of each stretch: numbered where there are several, or where the file holds the plain one."""
    stretches = len(spans(wish))
    for first in count():
        found = [f"{TAG}-{first + n}" if first or stretches > 1 else TAG for n in range(stretches)]
        if not any(f"{name}>" in wish.document.text for name in found):
            return found
    raise AssertionError("there is always a number that a file does not hold")


def stretches_in(answer: str, tags: Sequence[str]) -> list[str] | None:
    """What stands between each pair of tags, the last one of each; None unless all are there."""
    found = []
    for tag in tags:
        texts = re.findall(rf"<{tag}>[ \t]*\n?(.*?)\n?[ \t]*</{tag}>", answer, re.DOTALL)
        if not texts:
            return None
        found.append(texts[-1])
    return found
