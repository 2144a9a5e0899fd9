"""A model settles which of a few readings of an update is meant: one short answer, never a rewrite."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from difflib import unified_diff

from fastedit.connect import Hangup
from fastedit.engine.merge.reading import Reading
from fastedit.engine.models.chat import Answered, ChatRequest, chat
from fastedit.engine.models.folder import is_address
from fastedit.errors import ModelUnavailable, TooLong
from fastedit.model.settings import ModelSettings
from fastedit.plan.answer import WHOLE, short, without_thought
from fastedit.request import EditRequest
from fastedit.result import Receipt
from fastedit.source.hunks import Hunk, changed_lines

_SYSTEM = (
    "An update sketch is applied to a file. Comments such as `... existing code ...` in it stand for code that stays. "
    "Several results are possible. Say which one the author of the update means: answer with its letter alone, or with "
    "N if it is none of them."
)
_LETTERS = "ABC"  # of the readings that are offered
_NONE = "N"
# A sentence of its own that ends a line: one in a sentence may be the article, a name in the code, or one ruled out.
_LETTER = re.compile(
    rf"(?:^|[.!?][*_]*+[^\S\n])[^\S\n]*+[*_`'\"(]*+(?:Result\s++)?([{_LETTERS}{_NONE}])[^\S\n]*+[*_`'\").:]*+[^\S\n]*+$",
    re.M | re.I,
)
_ROW = re.compile(r"(?<=[-+])\d+")  # in the head of a section
_TOKENS = 8  # of the answer of a model that runs here
_CONTEXT = 4  # lines around what changes, at least
_MOST_CONTEXT = 64  # where less does not tell two results apart
_NEAR = (
    2_000  # lines around what changes that a diff is made of; of all of a long file it would take a second
)


@dataclass(frozen=True, slots=True)
class Choice:
    """`index` is that of the reading that a model takes; None where it takes `none` of them, or settles nothing, and
    `why` says how."""

    index: int | None
    why: str = ""
    none: bool = False


def choose(
    model: str,
    request: EditRequest,
    readings: Sequence[Reading],
    receipt: Receipt,
    settings: ModelSettings,
    hangup: Hangup | None = None,
) -> Choice:
    """Which of up to three readings the model takes, within the request's time limit.

    Adds what it cost to `receipt`. `hangup` ends the wait from another thread.
    """
    started = time.perf_counter()
    said, finish = "", "stop"
    # A server counts what a model thinks before its letter; there the time limit is bound enough.
    most = None if is_address(model) else _TOKENS
    asked = ChatRequest(question(request, readings), max_tokens=most, time_limit=request.time_limit)
    try:
        with closing(chat(model, asked, settings, hangup)) as answer:
            for event in answer:
                if isinstance(event, Answered):
                    receipt.add(event.receipt)
                    finish = event.finish
                    break
                said += event.text
                if time.perf_counter() - started > request.time_limit:
                    return Choice(None, f"it took more than {request.time_limit:g} s")
    except (ModelUnavailable, TooLong) as error:
        return Choice(None, str(error))
    if finish == "length":
        return Choice(None, "its answer was cut off at its limit of tokens")
    if finish not in WHOLE:
        return Choice(None, f"it stopped ({finish})")
    return chosen(without_thought(said), len(readings))


def chosen(said: str, readings: int) -> Choice:
    """What an answer says of so many readings by the one letter that it gives alone; any other settles nothing."""
    letters = {letter.upper() for letter in _LETTER.findall(said)}
    letter = letters.pop() if len(letters) == 1 else ""
    if letter == _NONE:
        return Choice(None, none=True)
    if letter and letter in _LETTERS[:readings]:
        return Choice(_LETTERS.index(letter))
    return Choice(None, f"its answer is {short(said) or 'empty'}")


def question(request: EditRequest, readings: Sequence[Reading]) -> tuple[tuple[str, str], ...]:
    """The messages of a chat, as pairs of role and text."""
    document = request.document
    said = f"It was described as: {request.instruction}\n\n" if request.instruction else ""
    parts = [f"File: {document.path or 'unnamed'}\n\n{said}Update:\n{request.update}"]
    for letter, diff in zip(_LETTERS, _diffs(document.lines, readings), strict=False):
        parts.append(f"Result {letter}, as a diff of the file:\n{diff}")
    letters = (*_LETTERS[: len(readings)], "none of them (N)")
    parts.append(f"Which result is meant: {', '.join(letters[:-1])} or {letters[-1]}?")
    return ("system", _SYSTEM), ("user", "\n\n".join(parts))


def _diffs(lines: Sequence[str], readings: Sequence[Reading]) -> list[str]:
    """A diff for each reading, with the lines around that tell them apart: equal code may change in several places."""
    around = _CONTEXT
    while True:
        found = [list(_diff(lines, reading.hunks, around)) for reading in readings]
        told = {tuple(line for line in diff if not line.startswith("@@")) for diff in found}
        if len(told) == len(found) or around >= _MOST_CONTEXT:
            return ["\n".join(diff) for diff in found]
        around *= 2


def _diff(lines: Sequence[str], hunks: Sequence[Hunk], around: int) -> Iterator[str]:
    """The sections of a unified diff with so many lines around, counted from the beginning of the file."""
    if not hunks:
        return
    start = max(hunks[0].start - _NEAR, 0)
    near = slice(start, hunks[-1].stop + _NEAR)
    old, new = lines[near], changed_lines(lines, hunks, near)
    for line in list(unified_diff(old, new, n=around, lineterm=""))[2:]:
        is_head = line.startswith("@@")
        yield _ROW.sub(lambda row: str(int(row[0]) + start), line) if is_head else line
